package validator

// Check says in words why a JSON value does not fit the schema. Its error is [ErrSteps] or [ErrDepth] if the
// check takes too much, in which case nobody knows whether the value fits. Compiling the schema counts with each
// check, so that a schema which is kept and one that is compiled anew refuse the same values.
func (s *Schema) Check(value []byte) error {
	_, err := s.checked(value, MaxSteps)
	return err
}

// CheckOffered is [Schema.Check] for the result of a server, with [OfferedSteps].
func (s *Schema) CheckOffered(value []byte) error {
	_, err := s.checked(value, OfferedSteps)
	return offered(err)
}

// Budget is how many steps several checks have together.
type Budget struct{ Left int }

// CheckWithin is [Schema.Check] for one of several checks. Its error is [ErrSpent] if they take too much together.
func (s *Schema) CheckWithin(value []byte, b *Budget) error {
	most := min(b.Left, MaxSteps)
	c, err := s.checked(value, most)
	b.Left -= most - c.left
	if err == ErrSteps && most < MaxSteps {
		err = ErrSpent
	}
	return err
}

// checked is [Schema.Check] with some steps, and also returns what is left of them.
func (s *Schema) checked(value []byte, steps int) (*countdown, error) {
	v := &check{countdown: countdown{left: steps}, draft7: s.draft7}
	if !v.take(s.cost) {
		return &v.countdown, v.end
	}
	var err error
	if v.document, err = read(value, &v.countdown); err != nil {
		return &v.countdown, err
	}
	f := v.check(s.root, v.root(), nil)
	if f != nil && v.end == nil {
		err = failure("does not fit its schema: " + v.words(f))
	}
	if v.end != nil {
		err = v.end
	}
	return &v.countdown, err
}

// check is one check of a value.
type check struct {
	countdown
	*document
	draft7 bool
	// depth is how many checks are nested, and quiet how many of them need no words: only whether something
	// fits counts.
	depth, quiet int
	// scopes are the resources of the schemas that are being checked, from the outside.
	scopes  []*resource
	buffer  []byte
	machine machine
}

// check checks the value at a node against a schema. It returns nil if the value fits. Once the countdown has
// ended it returns a failure that says nothing: see countdown.end. seen is told which elements or properties of
// the value were checked, if it is not nil.
func (v *check) check(s *schema, at int32, seen *notes) *unfit {
	if v.depth++; v.depth > MaxDepth && v.end == nil {
		v.end = ErrDepth
	}
	if len(v.scopes) == 0 || v.scopes[len(v.scopes)-1] != s.resource {
		v.scopes = append(v.scopes, s.resource)
		defer func() { v.scopes = v.scopes[:len(v.scopes)-1] }()
	}
	f := unchecked
	if v.take(perCheck) {
		f = v.apply(s, at, seen)
	}
	v.depth--
	return f
}

// fits says whether a value fits, without words.
func (v *check) fits(s *schema, at int32, seen *notes) bool {
	v.quiet++
	f := v.check(s, at, seen)
	v.quiet--
	return f == nil
}

// apply applies the keywords of a schema.
func (v *check) apply(s *schema, at int32, seen *notes) *unfit {
	if s.never {
		return v.unfit(s, at, "false")
	}
	var own *notes
	if seen != nil || s.unevaluatedItems != nil || s.unevaluatedProperties != nil {
		own = &notes{}
	}
	if s.ref != nil {
		if f := v.check(s.ref, at, own); f != nil {
			return f
		}
		if v.draft7 { // the keywords beside a reference say nothing
			return nil
		}
	}
	n := v.nodes[at]
	f := v.value(s, at, n)
	if f == nil {
		f = v.compound(s, at, own)
	}
	if f == nil && n.kind == list {
		f = v.list(s, at, n, own)
	}
	if f == nil && n.kind == object {
		f = v.object(s, at, n, own)
	}
	if f == nil && seen != nil {
		v.merge(seen, own)
	}
	if f == nil && v.end != nil {
		return unchecked
	}
	return f
}

// compound applies the schemas inside of a schema to the same value.
func (v *check) compound(s *schema, at int32, own *notes) *unfit {
	if s.dynamicRef != nil {
		if f := v.check(v.dynamic(s), at, own); f != nil {
			return f
		}
	}
	for _, below := range s.allOf {
		if f := v.check(below, at, own); f != nil {
			return f
		}
	}
	if s.anyOf != nil {
		if f := v.anyOf(s, at, own); f != nil {
			return f
		}
	}
	if s.oneOf != nil {
		if f := v.oneOf(s, at, own); f != nil {
			return f
		}
	}
	if s.not != nil && v.fits(s.not, at, nil) {
		return v.unfit(s, at, "not")
	}
	if s.ifSchema == nil {
		return nil
	}
	then := s.elseSchema
	if v.fits(s.ifSchema, at, own) {
		then = s.thenSchema
	}
	if then != nil {
		return v.check(then, at, own)
	}
	return nil
}

// maxCauses is how many reasons are told why no alternative fits.
const maxCauses = 3

// anyOf checks that an alternative fits. It tries all of them only if they note what they have checked.
func (v *check) anyOf(s *schema, at int32, own *notes) *unfit {
	found := false
	var causes []*unfit
	for _, below := range s.anyOf {
		if len(causes) == maxCauses {
			v.quiet++
		}
		f := v.check(below, at, own)
		if len(causes) == maxCauses {
			v.quiet--
		} else if f != nil {
			causes = append(causes, f)
		}
		if found = found || f == nil; found && own == nil || v.end != nil {
			break
		}
	}
	if found {
		return nil
	}
	f := v.unfit(s, at, "anyOf")
	if f != &quiet {
		f.causes = causes
	}
	return f
}

// oneOf checks that exactly one alternative fits.
func (v *check) oneOf(s *schema, at int32, own *notes) *unfit {
	first := -1
	for i, below := range s.oneOf {
		if v.end != nil {
			break
		}
		if !v.fits(below, at, own) {
			continue
		}
		if first >= 0 {
			return v.unfit(s, at, "oneOf", first, i)
		}
		first = i
	}
	if first < 0 {
		return v.unfit(s, at, "oneOf")
	}
	return nil
}

// dynamic returns the schema that a dynamic reference refers to: that of the outermost resource that has the
// anchor.
func (v *check) dynamic(s *schema) *schema {
	if s.dynamicAnchor == "" {
		return s.dynamicRef
	}
	for _, r := range v.scopes {
		if !v.take(1) {
			break
		}
		if a, ok := r.anchors[s.dynamicAnchor]; ok && a.dynamic {
			return a.schema
		}
	}
	return s.dynamicRef
}
