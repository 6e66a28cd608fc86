package wire

import (
	"errors"
	"fmt"
)

// What can be wrong with a stream: the reasons of a [FrameError].
var (
	// ErrVersion reports a stream of another version.
	ErrVersion = errors.New("wire: stream of another version")
	// ErrOversized reports a frame above [MaxFrame].
	ErrOversized = errors.New("wire: oversized frame")
	// ErrCorrupt reports a frame that differs from what [AppendFrame] writes.
	ErrCorrupt = errors.New("wire: corrupt frame")
	// ErrUnknownKind reports a frame whose kind this version does not know.
	ErrUnknownKind = errors.New("wire: frame of unknown kind")
	// ErrAfterEnd reports bytes behind the frame that ended the stream.
	ErrAfterEnd = errors.New("wire: bytes behind the end")
)

// FrameError is the error of a [Reader] for bytes that are not a valid stream.
type FrameError struct {
	// Reason is one of the errors above; errors.Is finds it.
	Reason error
	// Offset is where the bad frame begins in the stream.
	Offset int64
	// Detail is further text, for people.
	Detail string
}

// Error names the reason, the place and the detail.
func (e *FrameError) Error() string {
	return fmt.Sprintf("%v at byte %d: %s", e.Reason, e.Offset, e.Detail)
}

// Unwrap gives the reason.
func (e *FrameError) Unwrap() error { return e.Reason }
