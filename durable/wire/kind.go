package wire

import "fmt"

// Kind is the kind of a frame.
type Kind uint8

// The kinds of a [Frame]. Their numbers are on the wire and never change meaning.
const (
	// KindChunk carries a chunk of the log. Its index is the chunk's permanent index (I5).
	KindChunk Kind = 1 + iota
	// KindProgress carries progress of the work. Only the last one matters.
	KindProgress
	// KindMilestone carries a stage that was reached. Each one matters.
	KindMilestone
	// KindWaiting reports that the work waits for a person, and for what.
	KindWaiting
	// KindHeartbeat reports that the writer is alive. It has no body.
	KindHeartbeat
	// KindEnd carries the outcome. Nothing follows it.
	KindEnd
	// KindError carries an [Error]. Nothing follows it.
	KindError
	// KindHost carries what a helper asks the root to do for it.
	KindHost
)

var kindNames = [...]string{
	KindChunk: "chunk", KindProgress: "progress", KindMilestone: "milestone", KindWaiting: "waiting",
	KindHeartbeat: "heartbeat", KindEnd: "end", KindError: "error", KindHost: "host",
}

// String returns the kind's name, as in the README.
func (k Kind) String() string {
	if !k.known() {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return kindNames[k]
}

func (k Kind) known() bool { return k >= KindChunk && k <= KindHost }

// last says whether a frame of this kind ends its stream.
func (k Kind) last() bool { return k == KindEnd || k == KindError }
