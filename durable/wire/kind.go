package wire

import "fmt"

// Kind says what a frame is.
type Kind uint8

// The kinds of a [Frame]. Their numbers are on the wire and never change meaning.
const (
	// KindChunk carries a piece of the log; its index is the chunk's for ever (I5).
	KindChunk Kind = 1 + iota
	// KindProgress carries how far the work has come. Only the last one matters.
	KindProgress
	// KindMilestone carries a stage that was reached. Each one matters.
	KindMilestone
	// KindWaiting tells that the work waits for somebody, and for what.
	KindWaiting
	// KindHeartbeat tells that the writer lives. It has no body.
	KindHeartbeat
	// KindEnd carries the outcome. Nothing follows it.
	KindEnd
	// KindError carries an [Error]. Nothing follows it.
	KindError
)

var kindNames = [...]string{
	KindChunk: "chunk", KindProgress: "progress", KindMilestone: "milestone", KindWaiting: "waiting",
	KindHeartbeat: "heartbeat", KindEnd: "end", KindError: "error",
}

// String is the kind's name, as the README has it.
func (k Kind) String() string {
	if !k.known() {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return kindNames[k]
}

func (k Kind) known() bool { return k >= KindChunk && k <= KindError }

// last tells whether a frame of this kind ends its stream.
func (k Kind) last() bool { return k == KindEnd || k == KindError }
