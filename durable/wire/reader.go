package wire

import (
	"encoding/binary"
	"fmt"
)

// Reader turns the bytes of one stream back into frames, wherever the bytes were split. The zero
// value is ready for a stream's first byte.
type Reader struct {
	started  bool
	finished bool
	offset   int64  // of the first byte that is in no frame yet
	pending  []byte // the beginning of a frame whose rest has not come
	err      error
}

// Feed takes the next bytes and returns the frames that they complete. The reader and the frames
// may keep data: the caller must not write to it again.
//
// On an error, a [*FrameError], the frames returned with it are complete and come before the bad
// frame. Nothing of the bad frame is returned. The reader is unusable after that, and returns the
// same error from every Feed.
func (r *Reader) Feed(data []byte) ([]Frame, error) {
	var frames []Frame
	for r.err == nil && len(data) > 0 {
		var whole []byte
		switch {
		case !r.started:
			data = r.start(data)
			continue
		case r.finished:
			r.fail(ErrAfterEnd, "the stream has said how it ended")
			continue
		}
		whole, data = r.cut(data)
		if whole == nil {
			continue
		}
		if f, ok := r.parse(whole); ok {
			frames = append(frames, f)
			r.finished = f.Kind.last()
			r.offset += int64(prefix + len(whole))
		}
	}
	return frames, r.err
}

// Finished says whether the stream has said how it ended. A stream that stopped without that was
// interrupted.
func (r *Reader) Finished() bool { return r.finished && r.err == nil }

func (r *Reader) start(data []byte) []byte {
	if data[0] != Version {
		r.fail(ErrVersion, "%d, want %d", data[0], Version)
		return nil
	}
	r.started = true
	r.offset = 1
	return data[1:]
}

// cut takes one frame, without its prefix, from pending and data. If the frame is not complete yet,
// all of data goes to pending. pending grows only with bytes that have come, never by the length in
// a prefix.
func (r *Reader) cut(data []byte) (whole, rest []byte) {
	if len(r.pending) == 0 {
		n, ok := r.size(data)
		if ok && len(data)-prefix >= n {
			return data[prefix : prefix+n : prefix+n], data[prefix+n:]
		}
		if r.err == nil {
			r.pending = append(r.pending, data...)
		}
		return nil, nil
	}
	if missing := prefix - len(r.pending); missing > 0 {
		data = r.move(data, missing)
	}
	n, ok := r.size(r.pending)
	if !ok {
		return nil, data
	}
	data = r.move(data, prefix+n-len(r.pending))
	if len(r.pending) < prefix+n {
		return nil, data
	}
	whole, r.pending = r.pending[prefix:], nil
	return whole, data
}

// move appends at most n bytes of data to pending.
func (r *Reader) move(data []byte, n int) (rest []byte) {
	n = min(n, len(data))
	r.pending = append(r.pending, data[:n]...)
	return data[n:]
}

// size reads a frame's prefix. ok is false if the prefix is incomplete or invalid.
func (r *Reader) size(data []byte) (n int, ok bool) {
	if len(data) < prefix {
		return 0, false
	}
	size := binary.BigEndian.Uint32(data)
	if size > MaxFrame {
		r.fail(ErrOversized, "%d bytes, at most %d", size, MaxFrame)
		return 0, false
	}
	return int(size), true
}

func (r *Reader) fail(reason error, detail string, args ...any) {
	r.err = &FrameError{Reason: reason, Offset: r.offset, Detail: fmt.Sprintf(detail, args...)}
	r.pending = nil
}
