package chat

import (
	"cmp"
	"encoding/json"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// live is the in-memory part of the turn that speaks. Its log is in storage; all
// of this but answer can be made again from there.
type live struct {
	turn turn.Turn
	fold *protocol.Fold
	// stored is the message that the turn has left, once it is over.
	stored protocol.Message
	// next is the index of the next chunk.
	next int64
	// askedAt is when the model call began, and heardAt when it last brought a word: more of the
	// answer, of a thought, or of a tool's input. Bytes that say nothing do not count.
	askedAt, heardAt int64
	// recovering says that browsers were told of an interruption.
	recovering bool
	// posted is how large the list was that its client has sent with its question, in
	// bytes, or 0 where nobody has just asked.
	posted int
	// replayed are the connections that were sent a replay.
	replayed []durable.ConnID
	// callers are the calls that stream the turn.
	callers []caller
	// answer is the model's answer in the making, nil while none is asked for.
	answer model.Answer
	// call names the answer's fetch or timer.
	call string
	// open is the type of the part that grows, "" where none does; parts counts
	// the parts so far, for their ids.
	open  string
	parts int
	// step is the number of the current model call; said is its text, thoughts are what
	// it thought and wanted its tool calls, for the journal; speaking says whether it has shown anything, and
	// spoke whether the turn has.
	step            int
	said            []byte
	thoughts        []model.Reasoning
	wanted          []turn.Call
	speaking, spoke bool
	// running are the tool calls under way, owed those of them that an earlier
	// message had asked for.
	running []running
	owed    []ask
	// apart is what goes on in an event of its own, or nil.
	apart *apart
	// usage sums up what the turn's model calls have cost, below what its runs have.
	usage model.Usage
	below run.Usage
	// summary and output are what a program has returned.
	summary string
	output  json.RawMessage
	// cause says for programs why the turn failed, or is "".
	cause run.Reason
}

func (l *live) stream() stream.ID { return stream.ID(cmp.Or(l.turn.Log, l.turn.Seq)) }

// newLive returns the in-memory part of a turn that has not said anything. Its message has its id
// also where the chunk that says so is damaged.
func newLive(tx *durable.Tx, t turn.Turn) *live {
	l := &live{turn: t, fold: protocol.Continue(protocol.Message{ID: t.Reply}), next: t.First, callers: callersOf(tx, t)}
	if t.Continues {
		if m, ok := load(tx, t.Reply); ok {
			l.fold = protocol.Continue(m)
		}
	}
	return l
}

// resume makes the in-memory part of a turn from its log.
func resume(tx *durable.Tx, t turn.Turn) *live {
	l := newLive(tx, t)
	l.below = run.Spent(tx, t.Seq)
	for more := true; more; {
		var chunks []stream.Chunk
		chunks, more = stream.Read(tx, l.stream(), l.next, 1<<20)
		for _, c := range chunks {
			l.apply(c.Body)
		}
	}
	return l
}

func (l *live) apply(body []byte) {
	c, _ := protocol.DecodeChunk(body) // a damaged one says nothing, and keeps its number
	l.track(c)
}

// track follows one chunk that is in the log.
func (l *live) track(c protocol.Chunk) {
	l.fold.Apply(c)
	l.next++
	switch c.Type {
	case protocol.ChunkTextStart:
		l.open, l.parts = protocol.PartText, l.parts+1
	case protocol.ChunkReasoningStart:
		l.open, l.parts = protocol.PartReasoning, l.parts+1
		l.thoughts = append(l.thoughts, model.Reasoning{})
	case protocol.ChunkTextEnd:
		l.open = ""
	case protocol.ChunkReasoningEnd:
		l.open = ""
		l.think("", c.Provider)
	case protocol.ChunkStartStep:
		l.said, l.thoughts, l.wanted, l.speaking = nil, nil, nil, false
	case protocol.ChunkTextDelta:
		l.said = append(l.said, c.Delta...)
		l.speaking, l.spoke = true, true
	case protocol.ChunkReasoningDelta:
		l.think(c.Delta, nil)
		l.speaking, l.spoke = true, true
	case protocol.ChunkToolInputStart:
		l.speaking, l.spoke = true, true
	case protocol.ChunkToolInput:
		l.wanted = append(l.wanted, turn.Call{ID: c.ToolCallID, Name: c.ToolName, Input: c.Input})
		l.speaking, l.spoke = true, true
	}
}

// message is the answer so far, as it would be stored.
func (l *live) message() protocol.Message {
	return protocol.Compact(l.fold.Message(), protocol.Limits.Message)
}

// saidBytes is how much the model, or a program, has said so far, in bytes of JSON.
func (l *live) saidBytes() int { return l.fold.Bytes() - l.fold.Outputs() }

// partID names the part that grows.
func (l *live) partID() string { return partID(l.parts) }

func partID(n int) string { return "p" + strconv.Itoa(n) }

// chunks turns deltas of a model into chunks. A part of one type is closed
// before one of another opens, and every part before its step ends: AI SDK 6
// forgets open parts there and fails at their next delta.
func (l *live) chunks(deltas []model.Delta) []protocol.Chunk {
	var out []protocol.Chunk
	open, parts := l.open, l.parts
	id := func() string { return partID(parts) }
	end := func(provider json.RawMessage) {
		switch open {
		case protocol.PartText:
			out = append(out, protocol.Chunk{Type: protocol.ChunkTextEnd, ID: id()})
		case protocol.PartReasoning:
			out = append(out, protocol.Chunk{Type: protocol.ChunkReasoningEnd, ID: id(), Provider: provider})
		}
		open = ""
	}
	shut := func() { end(nil) }
	grow := func(part, start, delta, text string) {
		if open != part {
			shut()
			open, parts = part, parts+1
			out = append(out, protocol.Chunk{Type: start, ID: id()})
		}
		for piece := range pieces(text) {
			out = append(out, protocol.Chunk{Type: delta, ID: id(), Delta: piece})
		}
	}
	for _, d := range deltas {
		switch d := d.(type) {
		case model.TextDelta:
			grow(protocol.PartText, protocol.ChunkTextStart, protocol.ChunkTextDelta, d.Text)
		case model.ReasoningDelta:
			grow(protocol.PartReasoning, protocol.ChunkReasoningStart, protocol.ChunkReasoningDelta, d.Text)
		case model.ReasoningEnded:
			if len(d.Provider) > 0 || open == protocol.PartReasoning { // it may have had no words
				grow(protocol.PartReasoning, protocol.ChunkReasoningStart, protocol.ChunkReasoningDelta, "")
				end(d.Provider)
			}
		case model.ToolCallStarted:
			shut()
			out = append(out, protocol.Chunk{Type: protocol.ChunkToolInputStart, ToolCallID: d.ID, ToolName: d.Name})
		case model.ToolCallDelta:
			for piece := range pieces(d.Text) {
				out = append(out, protocol.Chunk{Type: protocol.ChunkToolInputDelta, ToolCallID: d.ID, InputTextDelta: piece})
			}
		case model.ToolCall:
			shut()
			out = append(out, protocol.Chunk{Type: protocol.ChunkToolInput, ToolCallID: d.ID, ToolName: d.Name, Input: d.Input})
		case model.Finished:
			shut()
		}
	}
	return out
}

// ends are the chunks that end a turn's stream.
func (l *live) ends(reason model.FinishReason) []protocol.Chunk {
	spent := l.spent()
	usage := map[string]model.Usage{"usage": {Input: spent.InputTokens, Output: spent.OutputTokens}}
	return []protocol.Chunk{
		{Type: protocol.ChunkFinishStep},
		{Type: protocol.ChunkFinish, FinishReason: string(reason), MessageMetadata: encode(usage)},
	}
}
