package meter

// signature is what a function takes and returns.
type signature struct {
	params  uint32
	results []byte
}

// types returns the signatures that the module declares.
func (s *sections) types() ([]signature, error) {
	n, entries, err := s.vector(sectionType)
	if err != nil {
		return nil, err
	}
	var types []signature
	r := reader{data: entries}
	for ; n > 0 && !r.bad; n-- {
		if form := r.byte(); form != typeFunction && !r.bad {
			return nil, refuse("type %d is not that of a function", len(types))
		}
		params := r.uint()
		r.take(params)
		types = append(types, signature{params, r.take(r.uint())})
	}
	if r.bad || len(r.data) > 0 {
		return nil, refuse("its types are malformed")
	}
	return types, nil
}

// signatures returns those of the functions that the module defines.
func (s *sections) signatures(types []signature) ([]signature, error) {
	n, entries, err := s.vector(sectionFunction)
	if err != nil {
		return nil, err
	}
	var functions []signature
	r := reader{data: entries}
	for ; n > 0 && !r.bad; n-- {
		index := r.uint()
		if uint64(index) >= uint64(len(types)) {
			return nil, refuse("function %d has a type that is not there", len(functions))
		}
		functions = append(functions, types[index])
	}
	if r.bad || len(r.data) > 0 {
		return nil, refuse("its functions are malformed")
	}
	return functions, nil
}
