package validator

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unfit is why a value does not fit a schema.
type unfit struct {
	schema  *schema
	keyword string
	at      int32
	// counts are numbers for the words, name a property, names properties, and causes why no alternative fits.
	counts []int
	name   string
	names  []string
	causes []*unfit
}

var (
	// quiet is a failure for which no words are needed.
	quiet unfit
	// unchecked is what a check returns after the countdown has ended.
	unchecked = &quiet
)

// unfit returns a failure.
func (v *check) unfit(s *schema, at int32, keyword string, counts ...int) *unfit {
	if v.quiet > 0 {
		return &quiet
	}
	v.take(perUnfit)
	return &unfit{schema: s, keyword: keyword, at: at, counts: counts}
}

// unfitNames returns a failure that names properties.
func (v *check) unfitNames(s *schema, at int32, keyword, name string, names []string) *unfit {
	f := v.unfit(s, at, keyword)
	if f != &quiet && v.take(len(names)*bits.Len(uint(len(names)))) { // they are sorted for the words
		f.name, f.names = name, names
	}
	return f
}

const (
	// perUnfit is for a failure whose words may be needed.
	perUnfit = 8
	// perUnique is for keeping an element of a list, to find an equal one.
	perUnique = 10
	// maxShown is how many bytes of a value, of a list of names or of a place are in words.
	maxShown = 200
)

// kindNames are the names of the kinds, in the order of their bits.
var kindNames = [...]string{"null", "boolean", "number", "string", "array", "object", "integer"}

// kindOf returns the kind with a name, or 0.
func kindOf(name string) kind {
	if i := slices.Index(kindNames[:], name); i >= 0 {
		return 1 << i
	}
	return 0
}

// names returns the names of kinds.
func (k kind) names() (names []string) {
	for i, name := range kindNames {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// kindName returns the name of a value's kind.
func (n node) kindName() string {
	if n.is(integer) {
		return "integer"
	}
	return n.kind.names()[0]
}

// words returns the words of a failure.
func (v *check) words(f *unfit) string {
	if f == &quiet {
		return ""
	}
	words := "validating root: "
	if path := f.schema.path(); path != "root" {
		words += "validating " + path + ": "
	}
	words = shorten(words+v.reason(f), MaxWords)
	v.takeBytes(8 * len(words))
	return words
}

// reason says what is wrong.
func (v *check) reason(f *unfit) string {
	s, n := f.schema, v.nodes[f.at]
	switch f.keyword {
	case "false":
		return v.show(n) + " is not allowed"
	case "type":
		return "type: " + v.show(n) + " has type " + quoted(n.kindName()) + ", want " + wanted(s.kinds)
	case "enum":
		return "enum: " + v.show(n) + " does not equal any of: [" + shorten(s.enum.words, maxShown) + "]"
	case "const":
		return "const: " + v.show(n) + " does not equal " + shorten(s.constant.words, maxShown)
	case "multipleOf":
		return "multipleOf: " + v.show(n) + " is not a multiple of " + float(*s.multipleOf)
	case "minimum":
		return "minimum: " + v.show(n) + " is less than " + float(*s.minimum)
	case "maximum":
		return "maximum: " + v.show(n) + " is greater than " + float(*s.maximum)
	case "exclusiveMinimum":
		return "exclusiveMinimum: " + v.show(n) + " is less than or equal to " + float(*s.exclusiveMinimum)
	case "exclusiveMaximum":
		return "exclusiveMaximum: " + v.show(n) + " is greater than or equal to " + float(*s.exclusiveMaximum)
	case "pattern":
		return "pattern: " + quoted(v.text(n)) + " does not match regular expression " + quoted(s.pattern.source)
	case "anyOf", "oneOf", "not":
		return v.alternatives(f)
	case "required":
		return "required: missing properties: " + listed(f.names)
	case "dependentRequired":
		return "dependentRequired[" + quoted(f.name) + "]: missing properties " + listed(f.names)
	case "additionalProperties":
		return "unexpected additional properties " + listed(f.names)
	}
	return v.size(f)
}

// alternatives says why none of some schemas fits, or too many.
func (v *check) alternatives(f *unfit) string {
	n := v.nodes[f.at]
	switch {
	case f.keyword == "not":
		return "not: " + v.show(n) + " is what it must not be"
	case len(f.counts) == 2:
		return "oneOf: " + v.show(n) + " validated against both schema " + itoa(f.counts[0]) + " and schema " + itoa(f.counts[1])
	case f.keyword == "oneOf":
		return "oneOf: " + v.show(n) + " did not validate against any of " + itoa(len(f.schema.oneOf)) + " schemas"
	}
	words := "anyOf: " + v.show(n) + " did not validate against any of " + itoa(len(f.schema.anyOf)) + " schemas"
	for i, cause := range f.causes {
		if cause == &quiet || len(words) > MaxWords {
			break
		}
		separator := "; "
		if i == 0 {
			separator = ": "
		}
		words += separator + v.reason(cause)
	}
	return words
}

// size says that there are too many or too few of something.
func (v *check) size(f *unfit) string {
	s, n := f.schema, v.nodes[f.at]
	switch f.keyword {
	case "minLength":
		return "minLength: " + quoted(v.text(n)) + " contains " + itoa(f.counts[0]) + " Unicode code points, fewer than " + float(*s.minLength)
	case "maxLength":
		return "maxLength: " + quoted(v.text(n)) + " contains " + itoa(f.counts[0]) + " Unicode code points, more than " + float(*s.maxLength)
	case "minItems":
		return "minItems: array length " + itoa(f.counts[0]) + " is less than " + float(*s.minItems)
	case "maxItems":
		return "maxItems: array length " + itoa(f.counts[0]) + " is greater than " + float(*s.maxItems)
	case "contains":
		return "contains: " + v.show(n) + " does not have an item that is wanted"
	case "minContains":
		return "minContains: contains validated " + itoa(f.counts[0]) + " items, less than " + float(*s.minContains)
	case "maxContains":
		return "maxContains: contains validated " + itoa(f.counts[0]) + " items, greater than " + float(*s.maxContains)
	case "minProperties":
		return "minProperties: object has " + itoa(f.counts[0]) + " properties, less than " + float(*s.minFields)
	case "maxProperties":
		return "maxProperties: object has " + itoa(f.counts[0]) + " properties, greater than " + float(*s.maxFields)
	}
	return "uniqueItems: array items " + itoa(f.counts[0]) + " and " + itoa(f.counts[1]) + " are equal"
}

// wanted names the kinds that are allowed.
func wanted(kinds kind) string {
	names := kinds.names()
	if len(names) == 1 {
		return quoted(names[0])
	}
	return "one of " + quoted(strings.Join(names, ", "))
}

// listed returns names in their order, as many as are shown.
func listed(names []string) string {
	names = slices.Sorted(slices.Values(names))
	var words strings.Builder
	words.WriteByte('[')
	for i, name := range names {
		if i > 0 {
			words.WriteByte(' ')
		}
		if words.Len() > 2*maxShown {
			words.WriteString("and " + itoa(len(names)-i) + " more")
			break
		}
		words.WriteString(quoted(name))
	}
	words.WriteByte(']')
	return words.String()
}

// show returns a value as words have it: a text as it is, and anything else as JSON.
func (d *document) show(n node) string {
	if n.kind == text {
		return shorten(d.text(n), maxShown)
	}
	return shorten(d.json(n, maxShown), maxShown)
}

// quoted returns a text in quotes, or its beginning.
func quoted(s string) string { return strconv.Quote(shorten(s, maxShown)) }

// shorten cuts a text off behind some bytes.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

func float(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
