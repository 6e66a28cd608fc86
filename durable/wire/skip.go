package wire

import "errors"

// maxDepth is how deep an unknown value may be nested.
const maxDepth = 64

// skip skips one value of any shape: a field that a newer program has and this one does not know.
func (s *source) skip(depth int) error {
	if depth > maxDepth {
		return errors.New("nested too deep")
	}
	h, err := s.head()
	if err != nil {
		return err
	}
	elements := uint64(0)
	switch h.class {
	case classText, classBytes:
		_, err = s.take(h.n)
	case classExt:
		_, err = s.take(h.n + 1)
	case classList:
		elements = h.n
	case classMap:
		elements = 2 * h.n
	}
	for ; err == nil && elements > 0; elements-- {
		err = s.skip(depth + 1)
	}
	return err
}
