package meter

import "bytes"

// The numbers of the sections, of the kinds of imports and exports, and of the types.
const (
	sectionCustom = iota
	sectionType
	sectionImport
	sectionFunction
	sectionTable
	sectionMemory
	sectionGlobal
	sectionExport
	sectionStart
	sectionElement
	sectionCode
	sectionData
	sectionDataCount
	sectionsKnown

	kindFunction, kindTable, kindMemory, kindGlobal = 0, 1, 2, 3

	typeFunction, typeI32, typeI64, mutable = 0x60, 0x7f, 0x7e, 1
)

// order is that of the sections in a module.
var order = []byte{
	sectionType, sectionImport, sectionFunction, sectionTable, sectionMemory, sectionGlobal, sectionExport,
	sectionStart, sectionElement, sectionDataCount, sectionCode, sectionData,
}

var preamble = []byte("\x00asm\x01\x00\x00\x00")

// sections are the contents of a module's sections, each by its number.
type sections struct{ content [sectionsKnown][]byte }

func split(module []byte) (*sections, error) {
	rest, ok := bytes.CutPrefix(module, preamble)
	if !ok {
		return nil, refuse("it does not begin as a module of version 1 does")
	}
	s, next := &sections{}, 0
	for r := (reader{data: rest}); len(r.data) > 0; {
		id := r.byte()
		content := r.take(r.uint())
		if r.bad {
			return nil, refuse("section %d is cut off", id)
		}
		if id == sectionCustom {
			continue
		}
		at := bytes.IndexByte(order, id)
		if at < next {
			return nil, refuse("section %d is unknown, or out of order", id)
		}
		s.content[id], next = content, at+1
	}
	return s, nil
}

func (s *sections) join() []byte {
	out := bytes.Clone(preamble)
	for _, id := range order {
		if !s.has(id) {
			continue
		}
		out = appendUint(append(out, id), uint32(len(s.content[id])))
		out = append(out, s.content[id]...)
	}
	return out
}

func (s *sections) has(id byte) bool { return len(s.content[id]) > 0 }

// vector returns how many entries a section has, and the bytes of them. A section that is missing has
// none.
func (s *sections) vector(id byte) (n uint32, entries []byte, err error) {
	if !s.has(id) {
		return 0, nil, nil
	}
	r := reader{data: s.content[id]}
	if n = r.uint(); r.bad {
		return 0, nil, refuse("section %d has no length", id)
	}
	return n, r.data, nil
}

// append adds an entry to a section, which it makes if it is missing.
func (s *sections) append(id byte, entry ...byte) error {
	n, entries, err := s.vector(id)
	if err != nil {
		return err
	}
	out := append(appendUint(nil, n+1), entries...)
	s.content[id] = append(out, entry...)
	return nil
}

// imported returns how many functions and globals the module imports.
func (s *sections) imported() (functions, globals uint32, err error) {
	n, entries, err := s.vector(sectionImport)
	r := reader{data: entries}
	for ; n > 0 && !r.bad; n-- {
		r.name()
		r.name()
		switch kind := r.byte(); kind {
		case kindFunction:
			functions++
			r.uint()
		case kindTable:
			r.byte()
			r.limits()
		case kindGlobal:
			globals++
			r.take(2)
		default:
			return 0, 0, refuse("it imports its memory, or what is unknown (%d)", kind)
		}
	}
	if r.bad || len(r.data) > 0 {
		return 0, 0, refuse("its imports are malformed")
	}
	return functions, globals, err
}

// exports says whether the module exports something under a name.
func (s *sections) exports(name string) (found bool, err error) {
	n, entries, err := s.vector(sectionExport)
	r := reader{data: entries}
	for ; n > 0 && !r.bad; n-- {
		found = r.name() == name || found
		r.byte()
		r.uint()
	}
	if r.bad || len(r.data) > 0 {
		return false, refuse("its exports are malformed")
	}
	return found, err
}

// limitMemory sets how many pages the module's memory may grow to.
func (s *sections) limitMemory(maxPages uint32) error {
	n, entries, err := s.vector(sectionMemory)
	if err != nil || n == 0 {
		return err
	}
	r := reader{data: entries}
	low, high := r.limits()
	if n != 1 || r.bad || len(r.data) > 0 {
		return refuse("it has more than one memory, or a malformed one")
	}
	if low > maxPages {
		return refuse("its memory begins with %d pages of at most %d", low, maxPages)
	}
	s.content[sectionMemory] = appendUint(appendUint([]byte{1, 1}, low), min(high, maxPages))
	return nil
}
