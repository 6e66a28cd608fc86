package validator

import (
	"math"
	"unicode/utf8"
)

// value applies the keywords that look at a value without what is inside of it.
func (v *check) value(s *schema, at int32, n node) *unfit {
	switch {
	case s.kinds != 0 && !n.is(s.kinds):
		return v.unfit(s, at, "type")
	case s.enum != nil && !v.has(s.enum, at):
		return v.unfit(s, at, "enum")
	case s.constant != nil && !v.has(s.constant, at):
		return v.unfit(s, at, "const")
	case n.kind == number:
		return v.number(s, at, n.number())
	case n.kind == text:
		return v.textFits(s, at, n)
	}
	return nil
}

// is says whether a value is of one of some kinds.
func (n node) is(kinds kind) bool {
	return n.kind&kinds != 0 || n.kind == number && kinds&integer != 0 && n.isWhole()
}

func (n node) isWhole() bool { return n.number() == math.Trunc(n.number()) }

// number applies the keywords for numbers. They are those of a float64, like everything that reads JSON.
func (v *check) number(s *schema, at int32, f float64) *unfit {
	switch {
	case s.multipleOf != nil && !isMultiple(f, *s.multipleOf):
		return v.unfit(s, at, "multipleOf")
	case s.minimum != nil && f < *s.minimum:
		return v.unfit(s, at, "minimum")
	case s.maximum != nil && f > *s.maximum:
		return v.unfit(s, at, "maximum")
	case s.exclusiveMinimum != nil && f <= *s.exclusiveMinimum:
		return v.unfit(s, at, "exclusiveMinimum")
	case s.exclusiveMaximum != nil && f >= *s.exclusiveMaximum:
		return v.unfit(s, at, "exclusiveMaximum")
	}
	return nil
}

func isMultiple(f, of float64) bool {
	_, rest := math.Modf(f / of)
	return rest == 0
}

// textFits applies the keywords for texts.
func (v *check) textFits(s *schema, at int32, n node) *unfit {
	if s.minLength == nil && s.maxLength == nil && s.pattern == nil {
		return nil
	}
	t := v.text(n)
	if s.minLength != nil || s.maxLength != nil {
		if !v.takeBytes(len(t)) {
			return unchecked
		}
		switch size := float64(utf8.RuneCountInString(t)); {
		case s.minLength != nil && size < *s.minLength:
			return v.unfit(s, at, "minLength", int(size))
		case s.maxLength != nil && size > *s.maxLength:
			return v.unfit(s, at, "maxLength", int(size))
		}
	}
	if s.pattern != nil && !v.matches(s.pattern, t) {
		return v.unfit(s, at, "pattern")
	}
	return nil
}
