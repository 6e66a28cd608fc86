package loop

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about the files that a call shows beside its output. They are not stored before the
// call ends: code that runs again over its journal gives them again.

// roomForCall is how much of a message stays free behind its files, in bytes: for the output of a call,
// and for words about it.
const roomForCall = limit.Output

// IsModelCall says whether the turn under way runs a call that the model has made, and not code of it.
func (l *Loop) IsModelCall(call string) bool {
	if l.active == nil {
		return false
	}
	part, own := l.active.draft.Fold.Call(call)
	return own && !part.MadeByCode() || l.active.approvedAt(call) >= 0
}

// ShowFiles has a call that is about to return show files, in the order of their data URLs, behind its
// output. It returns for each why it is not shown, or nil. A call that fails shows none.
func (l *Loop) ShowFiles(tx *durable.Tx, call string, urls []string) (refused []error) {
	a := l.active
	fold := a.draft.Fold
	if p, approved := a.approvedCall(call); approved {
		m, _ := message.Load(tx, p.Message)
		fold = protocol.Continue(m)
	}
	count, size := fold.Count(protocol.PartFile), fold.Bytes()
	delete(a.files, call)
	for _, chunks := range a.files { // of calls that return in this event too
		for _, c := range chunks {
			count, size = count+1, size+len(c.URL)
		}
	}
	for _, url := range urls {
		image, err := message.Picture(protocol.Part{URL: url})
		switch {
		case err != nil:
		case len(url) > limit.File:
			err = fmt.Errorf("it has %d bytes, at most %d", len(url), limit.File)
		case count >= message.MaxPictures:
			err = fmt.Errorf("the message has %d pictures, which is as many as it can have", count)
		case size+len(url) > protocol.Limits.Message-roomForCall:
			err = fmt.Errorf("the message has no room for its %d bytes", len(url))
		default:
			count, size = count+1, size+len(url)
			a.keepFile(call, protocol.FileChunk(call, image.Media, url))
		}
		refused = append(refused, err)
	}
	return refused
}

func (a *activeTurn) keepFile(call string, c protocol.Chunk) {
	if a.files == nil {
		a.files = map[string][]protocol.Chunk{}
	}
	a.files[call] = append(a.files[call], c)
}

// withFiles returns the chunk that ends a call, and those of the files that the call shows.
func (a *activeTurn) withFiles(c protocol.Chunk) []protocol.Chunk {
	chunks := []protocol.Chunk{c}
	if c.Type == protocol.ChunkToolOutput {
		chunks = append(chunks, a.files[c.ToolCallID]...)
	}
	delete(a.files, c.ToolCallID)
	return chunks
}
