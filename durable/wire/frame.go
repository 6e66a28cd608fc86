package wire

import (
	"encoding/binary"
	"fmt"
)

const (
	// MaxFrame is the largest frame in bytes, without its length prefix.
	MaxFrame = 2 << 20
	// MaxBody is the largest body of a frame in bytes, which leaves room for the
	// longest head. [AppendFrame] panics beyond it.
	MaxBody = MaxFrame - maxHead

	prefix  = 4
	maxHead = 16 // list of three, kind, index in nine bytes, length of the body in five
)

// Frame is one piece of a stream.
type Frame struct {
	Kind Kind
	// Index is a chunk's own durable index. In any other frame it is the index of the next chunk.
	// It is never negative.
	Index int64
	// Body is defined by the kind. A [Reader] returns bodies that may share memory with the bytes
	// that it was given.
	Body []byte
}

// AppendStart writes the beginning of a stream.
func AppendStart(dst []byte) []byte { return append(dst, Version) }

// AppendFrame writes one frame behind dst. It panics if the kind is unknown, the index is negative,
// the body is above [MaxBody], or a heartbeat has a body, because the writer has a bug then.
func AppendFrame(dst []byte, f Frame) []byte {
	if !f.Kind.known() || f.Index < 0 || len(f.Body) > MaxBody || f.Kind == KindHeartbeat && len(f.Body) > 0 {
		panic(fmt.Errorf("wire: %s frame at %d with %d bytes cannot be written", f.Kind, f.Index, len(f.Body)))
	}
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	dst = appendHead(dst, f)
	dst = append(dst, f.Body...)
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-prefix))
	return dst
}
