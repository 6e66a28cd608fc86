package validator

// object applies the keywords for objects.
func (v *check) object(s *schema, at int32, n node, own *notes) *unfit {
	if f := v.properties(s, at, n, own); f != nil {
		return f
	}
	if s.propertyNames != nil {
		for name := n.from; name < n.to; name += 2 {
			if f := v.check(s.propertyNames, name, nil); f != nil {
				return f
			}
		}
	}
	size := float64(n.len())
	switch {
	case s.minFields != nil && size < *s.minFields:
		return v.unfit(s, at, "minProperties", n.len())
	case s.maxFields != nil && size > *s.maxFields:
		return v.unfit(s, at, "maxProperties", n.len())
	}
	if missing := v.missing(n, s.required); len(missing) > 0 {
		return v.unfitNames(s, at, "required", "", missing)
	}
	if f := v.dependent(s, at, n, own); f != nil {
		return f
	}
	if s.unevaluatedProperties == nil || own.all {
		return nil
	}
	for i := 0; i < n.len() && v.take(1); i++ {
		if !own.has(i) {
			if f := v.check(s.unevaluatedProperties, n.from+int32(2*i+1), nil); f != nil {
				return f
			}
		}
	}
	own.all = true
	return nil
}

// properties checks the properties against properties, patternProperties and additionalProperties.
func (v *check) properties(s *schema, at int32, n node, own *notes) *unfit {
	if s.properties == nil && s.patterns == nil && s.additional == nil {
		return nil
	}
	if s.patterns == nil && s.additional == nil && own == nil && len(s.propertyOrder) < n.len() {
		return v.known(s, n)
	}
	var more []string
	for i := 0; i < n.len() && v.take(1); i++ {
		name, value := v.text(v.nodes[n.from+int32(2*i)]), n.from+int32(2*i+1)
		if !v.takeBytes(len(name)) {
			break
		}
		below, known := s.properties[name]
		if known {
			if f := v.check(below, value, nil); f != nil {
				return f
			}
		}
		for _, p := range s.patterns {
			if v.matches(p.pattern, name) {
				known = true
				if f := v.check(p.schema, value, nil); f != nil {
					return f
				}
			}
			if v.end != nil {
				return unchecked
			}
		}
		if !known && s.additional != nil {
			known = true
			if s.additional.never {
				if more = append(more, name); v.quiet > 0 {
					break
				}
			} else if f := v.check(s.additional, value, nil); f != nil {
				return f
			}
		}
		if known && own != nil {
			v.note(own, i, n.len())
		}
	}
	if more != nil {
		return v.unfitNames(s, at, "additionalProperties", "", more)
	}
	return nil
}

// known checks the properties that a schema names, of an object with more of them than it names.
func (v *check) known(s *schema, n node) *unfit {
	for _, name := range s.propertyOrder {
		if !v.takeLookup(n, name) {
			return unchecked
		}
		if value := v.get(n, name); value >= 0 {
			if f := v.check(s.properties[name], value, nil); f != nil {
				return f
			}
		}
	}
	return nil
}

// takeLookup takes the steps of looking up a property.
func (v *check) takeLookup(n node, name string) bool {
	return v.take(1 + min(n.len(), fewNames)/4 + len(name)/bytesAStep)
}

// missing returns the names that an object lacks.
func (v *check) missing(n node, names []string) (missing []string) {
	for _, name := range names {
		if !v.takeLookup(n, name) {
			break
		}
		if v.get(n, name) < 0 {
			missing = append(missing, name)
		}
	}
	return missing
}

// dependent applies the keywords that depend on a property.
func (v *check) dependent(s *schema, at int32, n node, own *notes) *unfit {
	for _, d := range s.dependentRequired {
		if !v.takeLookup(n, d.name) {
			return unchecked
		}
		if v.get(n, d.name) < 0 {
			continue
		}
		if missing := v.missing(n, d.required); len(missing) > 0 {
			return v.unfitNames(s, at, "dependentRequired", d.name, missing)
		}
	}
	for _, d := range s.dependentSchemas {
		if !v.takeLookup(n, d.name) {
			return unchecked
		}
		if v.get(n, d.name) < 0 {
			continue
		}
		if f := v.check(d.schema, at, own); f != nil {
			return f
		}
	}
	return nil
}
