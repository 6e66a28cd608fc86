package validator

// notes are the elements of a list, or the properties of an object, that schemas have checked. The keywords
// unevaluatedItems and unevaluatedProperties are about the others.
type notes struct {
	// all says that all were checked, and first how many of the first ones.
	all   bool
	first int
	// set has a bit for each one that was checked.
	set []uint64
}

// note notes one of some elements.
func (v *check) note(o *notes, i, of int) {
	if o.set == nil {
		if !v.take(1 + of/bitsAStep) {
			return
		}
		o.set = make([]uint64, of/64+1)
	}
	o.set[i/64] |= 1 << (i % 64)
}

// has says whether an element was checked.
func (o *notes) has(i int) bool {
	return o.set != nil && o.set[i/64]&(1<<(i%64)) != 0
}

// merge adds what a schema has checked to what its caller has.
func (v *check) merge(to, from *notes) {
	to.all = to.all || from.all
	to.first = max(to.first, from.first)
	switch {
	case from.set == nil || !v.take(1+len(from.set)*64/bitsAStep):
	case to.set == nil:
		to.set = from.set
	default:
		for i, bits := range from.set {
			to.set[i] |= bits
		}
	}
}
