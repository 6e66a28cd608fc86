package stream

import "github.com/tributary-agents/tributary/durable"

// This file keeps in memory what a reader that follows a stream has not read yet, so that nothing is
// read back from storage that was just written there. The rows are written all the same, and by the
// same event. What is lost with the memory is read from them.

// maxTail is how many bytes of a stream are kept in memory. If its reader is behind by more, the
// chunks are read from storage until it has caught up.
const maxTail = 256 << 10

// followed are the streams that a reader follows.
type followed struct{ logs map[ID]*tail }

// tail is the end of a stream. Unless it is known, the stream has to be read from storage.
type tail struct {
	known bool
	// next is the index after the last chunk. chunks are the last ones that were not read yet.
	next   int64
	chunks []Chunk
	bytes  int
}

// Bytes implements [durable.Copy].
func (f *followed) Bytes() (n int) {
	for _, t := range f.logs {
		n += t.bytes
	}
	return n
}

// Follow notes that a reader follows a stream in this life of the object: it reads each chunk soon
// after it was appended.
func Follow(tx *durable.Tx, id ID) {
	f := durable.Kept[followed](tx)
	if f.logs == nil {
		f.logs = map[ID]*tail{}
	}
	f.logs[id] = &tail{}
}

// Unfollow notes that no reader follows a stream any more.
func Unfollow(tx *durable.Tx, id ID) { delete(durable.Kept[followed](tx).logs, id) }

// add adds chunks that were appended to a stream. The caller does not change them any more.
func (f *followed) add(id ID, first int64, bodies [][]byte) {
	t := f.logs[id]
	if t == nil {
		return
	}
	if !t.known || first != t.next {
		*t = tail{}
		return
	}
	for _, body := range bodies {
		t.chunks = append(t.chunks, Chunk{Index: t.next, Body: body})
		t.bytes += len(body)
		t.next++
	}
	if t.bytes > maxTail {
		*t = tail{}
	}
}

// take removes and returns the chunks from an index on, if all of them are kept and fit into a
// budget.
func (t *tail) take(from int64, budget int) ([]Chunk, bool) {
	if t == nil || !t.known || t.bytes > budget || from > t.next || from < t.next-int64(len(t.chunks)) {
		return nil, false
	}
	chunks := t.chunks[int64(len(t.chunks))-(t.next-from):]
	t.chunks, t.bytes = nil, 0
	return chunks, true
}
