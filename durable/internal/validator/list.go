package validator

// list applies the keywords for lists.
func (v *check) list(s *schema, at int32, n node, own *notes) *unfit {
	if f := v.elements(s, n, own); f != nil {
		return f
	}
	if s.contains != nil {
		if f := v.contains(s, at, n, own); f != nil {
			return f
		}
	}
	size := float64(n.len())
	switch {
	case s.minItems != nil && size < *s.minItems:
		return v.unfit(s, at, "minItems", n.len())
	case s.maxItems != nil && size > *s.maxItems:
		return v.unfit(s, at, "maxItems", n.len())
	}
	if s.unique {
		if f := v.uniqueItems(s, at, n); f != nil {
			return f
		}
	}
	if s.unevaluatedItems == nil || own.all {
		return nil
	}
	for i := own.first; i < n.len() && v.take(1); i++ {
		if !own.has(i) {
			if f := v.check(s.unevaluatedItems, n.from+int32(i), nil); f != nil {
				return f
			}
		}
	}
	own.all = true
	return nil
}

// elements checks the elements against prefixItems and items.
func (v *check) elements(s *schema, n node, own *notes) *unfit {
	first := min(len(s.prefix), n.len())
	for i := range first {
		if f := v.check(s.prefix[i], n.from+int32(i), nil); f != nil {
			return f
		}
	}
	if own != nil {
		own.first = max(own.first, first)
	}
	if s.items == nil {
		return nil
	}
	for at := n.from + int32(first); at < n.to; at++ {
		if f := v.check(s.items, at, nil); f != nil {
			return f
		}
	}
	if own != nil {
		own.all = true
	}
	return nil
}

// contains counts the elements that fit the schema of contains.
func (v *check) contains(s *schema, at int32, n node, own *notes) *unfit {
	found := 0
	for i := range n.len() {
		if v.end != nil {
			return unchecked
		}
		if v.fits(s.contains, n.from+int32(i), nil) {
			found++
			if own != nil {
				v.note(own, i, n.len())
			}
		}
	}
	switch {
	case found == 0 && (s.minContains == nil || *s.minContains > 0):
		return v.unfit(s, at, "contains")
	case s.minContains != nil && float64(found) < *s.minContains:
		return v.unfit(s, at, "minContains", found)
	case s.maxContains != nil && float64(found) > *s.maxContains:
		return v.unfit(s, at, "maxContains", found)
	}
	return nil
}

// uniqueItems checks that no two elements are equal.
func (v *check) uniqueItems(s *schema, at int32, n node) *unfit {
	if n.len() < 2 {
		return nil
	}
	seen := map[string]int{}
	for i := range n.len() {
		var ok bool
		if v.buffer, ok = v.key(v.buffer[:0], v.document, n.from+int32(i)); !ok || !v.take(perUnique) {
			return unchecked
		}
		if before, twice := seen[string(v.buffer)]; twice {
			return v.unfit(s, at, "uniqueItems", before, i)
		}
		seen[string(v.buffer)] = i
	}
	return nil
}
