package wire

import (
	"bytes"
	"math"
)

// parse reads one whole frame, without its prefix. It accepts only what appendHead writes, so that
// a frame has exactly one form.
func (r *Reader) parse(whole []byte) (Frame, bool) {
	s := source{data: whole}
	list, err1 := s.head()
	kind, err2 := s.head()
	index, err3 := s.head()
	body, err4 := s.head()
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			r.fail(ErrCorrupt, "%v", err)
			return Frame{}, false
		}
	}
	switch {
	case list != head{classList, 3} || kind.class != classUint || index.class != classUint || body.class != classBytes:
		r.fail(ErrCorrupt, "%s, %s, %s, %s where a list of kind, index and body is due", list.class, kind.class, index.class, body.class)
	case kind.n > math.MaxUint8 || !Kind(kind.n).known():
		r.fail(ErrUnknownKind, "kind %d", kind.n)
	case index.n > math.MaxInt64:
		r.fail(ErrCorrupt, "index %d", index.n)
	case body.n != uint64(len(s.data)):
		r.fail(ErrCorrupt, "body of %d bytes in a frame that has %d", body.n, len(s.data))
	}
	f := Frame{Kind: Kind(kind.n), Index: int64(index.n), Body: s.data}
	if r.err == nil {
		r.judge(f, whole[:len(whole)-len(s.data)])
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
