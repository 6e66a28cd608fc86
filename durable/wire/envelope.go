package wire

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable/internal/pack"
)

// MaxCall is the largest request or result in bytes, envelope included. The
// platform carries 32 MiB.
const MaxCall = 16 << 20

// envelope begins a request or an answer: the version, and the method's name or the failure's code.
// One value follows.
func envelope(label string) *pack.Writer {
	w := pack.NewWriter()
	w.List(3)
	w.Uint(Version)
	w.Text(label)
	return w
}

// unwrap reads an envelope. It checks the version before anything that another version may have
// changed.
func unwrap(data []byte) (label string, body *pack.Reader, failure *Error) {
	if len(data) > MaxCall {
		return "", nil, tooLarge(len(data))
	}
	r := pack.NewReader(data)
	elements, err := r.List()
	if err != nil {
		return "", nil, malformed(err)
	}
	version, err := r.Uint()
	if err != nil {
		return "", nil, malformed(err)
	}
	if version != Version {
		return "", nil, &Error{CodeVersion, fmt.Sprintf("version %d, want %d", version, Version)}
	}
	if elements != 3 {
		return "", nil, malformed(fmt.Errorf("list of %d elements, want 3", elements))
	}
	label, err = r.Text()
	if err != nil {
		return "", nil, malformed(err)
	}
	return label, r, nil
}

func malformed(err error) *Error { return &Error{CodeMalformed, err.Error()} }

func tooLarge(n int) *Error {
	return &Error{CodeTooLarge, fmt.Sprintf("%d bytes, at most %d", n, MaxCall)}
}
