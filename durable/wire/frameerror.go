package wire

import (
	"errors"
	"fmt"
)

// What can be wrong with a stream: the reasons of a [FrameError].
var (
	// ErrVersion tells that a stream begins with another version.
	ErrVersion = errors.New("wire: stream of another version")
	// ErrOversized tells of a frame above [MaxFrame].
	ErrOversized = errors.New("wire: oversized frame")
	// ErrCorrupt tells of a frame that [AppendFrame] would not have written so.
	ErrCorrupt = errors.New("wire: corrupt frame")
	// ErrUnknownKind tells of a frame whose kind this version does not know.
	ErrUnknownKind = errors.New("wire: frame of unknown kind")
	// ErrAfterEnd tells of bytes behind the frame that ended the stream.
	ErrAfterEnd = errors.New("wire: bytes behind the end")
)

// FrameError is what a [Reader] answers to bytes that are not a stream.
type FrameError struct {
	// Reason is one of the errors above; errors.Is finds it.
	Reason error
	// Offset is where in the stream the frame in question begins.
	Offset int64
	// Detail says more, for people.
	Detail string
}

// Error names the reason, the place and the detail.
func (e *FrameError) Error() string {
	return fmt.Sprintf("%v at byte %d: %s", e.Reason, e.Offset, e.Detail)
}

// Unwrap gives the reason.
func (e *FrameError) Unwrap() error { return e.Reason }
