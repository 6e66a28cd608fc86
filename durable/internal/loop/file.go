package loop

import (
	"errors"
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

// ShowFiles has a call that is about to return show files, in the order of their data URLs, behind its
// output. It returns for each why it is not shown, or nil. A call that fails shows none. A call that
// code has made never shows any.
func (l *Loop) ShowFiles(tx *durable.Tx, call string, urls []string) []error {
	refused := make([]error, len(urls))
	a, fold := l.active, l.foldOfCall(tx, call)
	count, size := 0, 0
	if fold != nil {
		count, size = fold.Count(protocol.PartFile), fold.Bytes()
		a.takeFiles = a.takeFilesOf
		delete(a.files, call)
		for _, files := range a.files { // of calls that return in this event too
			for i := range files {
				count, size = count+1, size+len(files[i].URL)
			}
		}
	}
	var shown []protocol.Chunk
	for i, url := range urls {
		image, err := message.Picture(protocol.Part{URL: url})
		switch {
		case err != nil:
		case fold == nil:
			err = errors.New("only a call of the model shows files")
		case len(url) > limit.File:
			err = fmt.Errorf("it has %d bytes, at most %d", len(url), limit.File)
		case count >= message.MaxPictures:
			err = fmt.Errorf("the message has %d pictures, which is as many as it can have", count)
		case size+len(url) > protocol.Limits.Message-roomForCall:
			err = fmt.Errorf("the message has no room for its %d bytes", len(url))
		default:
			count, size = count+1, size+len(url)
			shown = append(shown, protocol.Chunk{Type: protocol.ChunkFile, URL: url, MediaType: image.Media})
		}
		refused[i] = err
	}
	if len(shown) > 0 {
		if a.files == nil {
			a.files = map[string][]protocol.Chunk{}
		}
		a.files[call] = shown
	}
	return refused
}

// foldOfCall returns the message of a call of the model that the turn under way runs, or nil.
func (l *Loop) foldOfCall(tx *durable.Tx, call string) *protocol.Fold {
	if l.active == nil {
		return nil
	}
	if i := l.active.approvedAt(call); i >= 0 {
		m, _ := message.Load(tx, l.active.approvedCalls[i].Message)
		return protocol.Continue(m)
	}
	fold := l.active.draft.Fold
	if part, own := fold.Call(call); !own || part.MadeByCode() {
		return nil
	}
	return fold
}

// takeFilesOf takes the files of the call that a chunk ends, if it has not failed.
func (a *activeTurn) takeFilesOf(end protocol.Chunk) []protocol.Chunk {
	files := a.files[end.ToolCallID]
	delete(a.files, end.ToolCallID) // they are in the message from now on
	if end.Type != protocol.ChunkToolOutput {
		return nil
	}
	return files
}
