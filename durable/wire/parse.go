package wire

import (
	"bytes"
	"math"
)

// parse reads one whole frame, without its prefix. It accepts only what appendHead writes, so that
// a frame has exactly one form.
func (r *Reader) parse(whole []byte) (Frame, bool) {
	h, err := readHead(whole)
	switch {
	case err != nil:
		r.fail(ErrCorrupt, "%v", err)
		return Frame{}, false
	case h.kind > math.MaxUint8 || !Kind(h.kind).known():
		r.fail(ErrUnknownKind, "kind %d", h.kind)
	case h.index > math.MaxInt64:
		r.fail(ErrCorrupt, "index %d", h.index)
	case h.length != uint64(len(h.body)):
		r.fail(ErrCorrupt, "body of %d bytes in a frame that has %d", h.length, len(h.body))
	}
	f := Frame{Kind: Kind(h.kind), Index: int64(h.index), Body: h.body}
	if r.err == nil {
		r.judge(f, whole[:len(whole)-len(h.body)])
	}
	return f, r.err == nil
}

// judge checks a frame against the rules for writers.
func (r *Reader) judge(f Frame, written []byte) {
	var room [maxHead]byte
	switch {
	case !bytes.Equal(appendHead(room[:0], f), written):
		r.fail(ErrCorrupt, "head is not in its shortest form")
	case f.Kind == KindHeartbeat && len(f.Body) > 0:
		r.fail(ErrCorrupt, "heartbeat with a body")
	case f.Kind == KindError:
		if _, err := readError(f.Body); err != nil {
			r.fail(ErrCorrupt, "%v", err)
		}
	}
}
