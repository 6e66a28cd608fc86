package meter

import "github.com/tributary-agents/tributary/internal/section"

// signature is what a function takes and returns.
type signature struct {
	params  uint32
	results []byte
}

// types returns the signatures that the module declares.
func (s sections) types() ([]signature, error) {
	n, entries, err := s.Vector(section.Type)
	if err != nil {
		return nil, err
	}
	var types []signature
	r := section.Reader{Data: entries}
	for ; n > 0 && !r.Bad; n-- {
		if form := r.Byte(); form != section.TypeFunction && !r.Bad {
			return nil, refuse("type %d is not that of a function", len(types))
		}
		params := r.Uint()
		r.Take(params)
		types = append(types, signature{params, r.Take(r.Uint())})
	}
	if r.Bad || len(r.Data) > 0 {
		return nil, refuse("its types are malformed")
	}
	return types, nil
}

// signatures returns those of the functions that the module defines.
func (s sections) signatures(types []signature) ([]signature, error) {
	n, entries, err := s.Vector(section.Function)
	if err != nil {
		return nil, err
	}
	var functions []signature
	r := section.Reader{Data: entries}
	for ; n > 0 && !r.Bad; n-- {
		index := r.Uint()
		if uint64(index) >= uint64(len(types)) {
			return nil, refuse("function %d has a type that is not there", len(functions))
		}
		functions = append(functions, types[index])
	}
	if r.Bad || len(r.Data) > 0 {
		return nil, refuse("its functions are malformed")
	}
	return functions, nil
}
