package wire

import "fmt"

// MaxCall is the largest request or result in bytes, envelope included. The
// platform carries 32 MiB.
const MaxCall = 16 << 20

// envelope begins a request or an answer: the version, and the method's name or the failure's code.
// One value follows.
func envelope(label string) []byte {
	return appendText(appendUint(appendListHead(nil, 3), Version), label)
}

// unwrap reads an envelope. It checks the version before anything that another version may have
// changed.
func unwrap(data []byte) (label string, body *source, failure *Error) {
	if len(data) > MaxCall {
		return "", nil, tooLarge(len(data))
	}
	s := &source{data: data}
	list, err := s.want(classList)
	if err != nil {
		return "", nil, malformed(err)
	}
	version, err := s.want(classUint)
	if err != nil {
		return "", nil, malformed(err)
	}
	if version.n != Version {
		return "", nil, &Error{CodeVersion, fmt.Sprintf("version %d, want %d", version.n, Version)}
	}
	if list.n != 3 {
		return "", nil, malformed(fmt.Errorf("list of %d elements, want 3", list.n))
	}
	label, err = s.text()
	if err != nil {
		return "", nil, malformed(err)
	}
	return label, s, nil
}

func malformed(err error) *Error { return &Error{CodeMalformed, err.Error()} }

func tooLarge(n int) *Error {
	return &Error{CodeTooLarge, fmt.Sprintf("%d bytes, at most %d", n, MaxCall)}
}

// want reads a head that must be of the given class.
func (s *source) want(c class) (head, error) {
	h, err := s.head()
	if err == nil && h.class != c {
		err = fmt.Errorf("%s, want %s", h.class, c)
	}
	return h, err
}

// list reads the head of a list that must have n elements.
func (s *source) list(n uint64) error {
	h, err := s.want(classList)
	if err == nil && h.n != n {
		err = fmt.Errorf("list of %d elements, want %d", h.n, n)
	}
	return err
}

func (s *source) text() (string, error) {
	h, err := s.want(classText)
	if err != nil {
		return "", err
	}
	b, err := s.take(h.n)
	return string(b), err
}

// end refuses bytes behind the last value.
func (s *source) end() error {
	if len(s.data) > 0 {
		return fmt.Errorf("%d bytes behind the end", len(s.data))
	}
	return nil
}
