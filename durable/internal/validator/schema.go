package validator

import (
	"math"
	"net/url"
)

// Schema is a schema that was compiled. It may be used by several goroutines.
type Schema struct {
	root *schema
	// draft7 says that the schema is of draft-07.
	draft7 bool
	// cost is how many steps it has taken to compile the schema.
	cost int
}

// schema is a schema, or one inside of another one. A keyword that it does not have is nil.
type schema struct {
	// above is the schema that this one is inside of, and place where it is there, as a JSON pointer. at is its
	// node.
	above *schema
	place string
	at    int32
	// resource is what the schema's references are relative to.
	resource *resource

	never            bool // the schema false
	ref, dynamicRef  *schema
	dynamicAnchor    string // that dynamicRef looks for in the schemas around
	kinds            kind
	enum, constant   *choices
	multipleOf       *float64
	minimum, maximum *float64
	exclusiveMinimum *float64
	exclusiveMaximum *float64

	minLength, maxLength *float64
	pattern              *pattern

	allOf, anyOf, oneOf                   []*schema
	not, ifSchema, thenSchema, elseSchema *schema

	prefix                   []*schema
	items, contains          *schema
	minContains, maxContains *float64
	minItems, maxItems       *float64
	unique                   bool
	unevaluatedItems         *schema

	properties            map[string]*schema
	propertyOrder         []string
	patterns              []patternSchema
	additional            *schema
	propertyNames         *schema
	minFields, maxFields  *float64
	required              []string
	dependentRequired     []dependency
	dependentSchemas      []dependency
	unevaluatedProperties *schema
}

// patternSchema is the schema of properties whose names match a pattern.
type patternSchema struct {
	pattern *pattern
	schema  *schema
}

// dependency is what has to hold if an object has a property.
type dependency struct {
	name     string
	required []string
	schema   *schema
}

// resource is a schema with an address of its own, which the root always is.
type resource struct {
	root    *schema
	address *url.URL
	anchors map[string]anchor
}

type anchor struct {
	schema  *schema
	dynamic bool
}

// reference is one that is not resolved yet.
type reference struct {
	from    *schema
	to      string
	dynamic bool
}

// compiler compiles the schemas of a document.
type compiler struct {
	countdown
	*document
	draft7    bool
	schemas   map[int32]*schema
	resources map[string]*resource
	waiting   []reference
	// depth is how many schemas are being compiled inside of each other.
	depth int
	err   error
}

const (
	draft7       = "json-schema.org/draft-07/schema"
	draft2020    = "json-schema.org/draft/2020-12/schema"
	maxNested    = 128 // how many schemas may be inside of each other
	maxPlace     = 64  // how many bytes of a name are in the place of a schema
	cannotBeUsed = "cannot be used: "
)

// Compile compiles a schema. Its error says in words why the schema cannot be used, and is [ErrSteps] or
// [ErrDepth] if it takes too much.
func Compile(source []byte) (*Schema, error) {
	s, _, err := compile(source)
	return s, err
}

// compile is [Compile], and also returns what is left of the countdown.
func compile(source []byte) (*Schema, *countdown, error) {
	c := &compiler{countdown: countdown{left: MaxSteps}, schemas: map[int32]*schema{}, resources: map[string]*resource{}}
	var err error
	if c.document, err = read(source, &c.countdown); err != nil {
		return nil, &c.countdown, err
	}
	if c.err = c.version(); c.err == nil {
		r := &resource{address: &url.URL{}}
		c.resources[""] = r
		r.root = c.compile(nil, "", c.root(), r)
		c.resolve()
	}
	switch {
	case c.end != nil:
		return nil, &c.countdown, c.end
	case c.err != nil:
		return nil, &c.countdown, c.err
	}
	return &Schema{root: c.schemas[c.root()], draft7: c.draft7, cost: MaxSteps - c.left}, &c.countdown, nil
}

// fail notes why the schema cannot be used, if it is the first reason.
func (c *compiler) fail(s *schema, why string) {
	if c.err == nil {
		c.err = failure(cannotBeUsed + s.path() + ": " + why)
	}
}

// done says that there is nothing more to do.
func (c *compiler) done() bool { return c.err != nil || c.end != nil }

// version reads which version of JSON Schema the document is.
func (c *compiler) version() error {
	at := c.get(c.nodes[c.root()], "$schema")
	if at < 0 || c.nodes[at].kind != text {
		return nil
	}
	version := c.text(c.nodes[at])
	switch withoutScheme(version) {
	case draft7:
		c.draft7 = true
	case draft2020, "":
	default:
		return failure(cannotBeUsed + "the version " + quoted(version) + " is not known, which draft-07 and draft 2020-12 are")
	}
	return nil
}

// compile compiles the schema at a node.
func (c *compiler) compile(above *schema, place string, at int32, in *resource) *schema {
	if s := c.schemas[at]; s != nil {
		return s
	}
	s := &schema{above: above, place: place, at: at, resource: in}
	c.schemas[at] = s
	n := c.nodes[at]
	c.depth++
	defer func() { c.depth-- }()
	switch {
	case !c.take(perSchema) || c.done():
	case c.depth > maxNested:
		c.end = ErrDepth
	case n.kind == boolean:
		s.never = !n.isTrue()
	case n.kind != object:
		c.fail(s, "it is no schema")
	default:
		c.identify(s, n)
		c.keywords(s, n)
	}
	return s
}

// keywords compiles the keywords of a schema, in the order in which they were written.
func (c *compiler) keywords(s *schema, n node) {
	for at := n.from; at < n.to && !c.done(); at += 2 {
		if c.take(1) {
			c.keyword(s, c.text(c.nodes[at]), at+1)
		}
	}
}

// keyword compiles one keyword. Those that are not known say nothing.
func (c *compiler) keyword(s *schema, name string, at int32) {
	switch name {
	case "$ref":
		c.refer(s, name, at, false)
	case "$dynamicRef":
		if !c.draft7 {
			c.refer(s, name, at, true)
		}
	case "type":
		c.types(s, at)
	case "enum":
		s.enum = c.choices(s, name, at)
	case "const":
		s.constant = c.choice(at, at+1)
	case "pattern":
		if source, ok := c.textOf(s, name, at); ok {
			s.pattern = c.pattern(s, source)
		}
	case "uniqueItems":
		s.unique = c.nodes[at].isTrue()
	case "required":
		s.required = c.texts(s, name, at)
	default:
		if !c.numeric(s, name, at) && !c.single(s, name, at) && !c.several(s, name, at) {
			c.named(s, name, at)
		}
	}
}

// numeric compiles a keyword whose value is a number.
func (c *compiler) numeric(s *schema, name string, at int32) bool {
	var field **float64
	switch name {
	case "multipleOf":
		field = &s.multipleOf
	case "minimum":
		field = &s.minimum
	case "maximum":
		field = &s.maximum
	case "exclusiveMinimum":
		field = &s.exclusiveMinimum
	case "exclusiveMaximum":
		field = &s.exclusiveMaximum
	case "minLength":
		field = &s.minLength
	case "maxLength":
		field = &s.maxLength
	case "minItems":
		field = &s.minItems
	case "maxItems":
		field = &s.maxItems
	case "minContains":
		field = &s.minContains
	case "maxContains":
		field = &s.maxContains
	case "minProperties":
		field = &s.minFields
	case "maxProperties":
		field = &s.maxFields
	default:
		return false
	}
	n := c.nodes[at]
	whole := field != &s.multipleOf && field != &s.minimum && field != &s.maximum && field != &s.exclusiveMinimum && field != &s.exclusiveMaximum
	f := n.number()
	if n.kind != number || whole && f != math.Trunc(f) {
		c.fail(s, name+" is not the number that it has to be")
		return true
	}
	*field = &f
	return true
}

// single compiles a keyword whose value is a schema.
func (c *compiler) single(s *schema, name string, at int32) bool {
	var field **schema
	switch name {
	case "not":
		field = &s.not
	case "if":
		field = &s.ifSchema
	case "then":
		field = &s.thenSchema
	case "else":
		field = &s.elseSchema
	case "contains":
		field = &s.contains
	case "items":
		field = c.itemsOf(s, at)
	case "additionalItems":
		field = c.additionalItemsOf(s)
	case "additionalProperties":
		field = &s.additional
	case "propertyNames":
		field = &s.propertyNames
	case "unevaluatedItems":
		field = &s.unevaluatedItems
	case "unevaluatedProperties":
		field = &s.unevaluatedProperties
	default:
		return false
	}
	if below := (*schema)(nil); field != nil {
		below = c.compile(s, name, at, s.resource)
		*field = below
	}
	return true
}

// itemsOf returns the field for the keyword items, or nil if there is no single schema in it. In draft-07 it may
// be a list.
func (c *compiler) itemsOf(s *schema, at int32) **schema {
	if c.nodes[at].kind != list {
		return &s.items
	}
	if c.draft7 {
		s.prefix = c.schemasOf(s, "items", at)
	}
	return nil
}

// additionalItemsOf returns the field for the keyword additionalItems, which says something of a list of
// schemas in draft-07 alone.
func (c *compiler) additionalItemsOf(s *schema) **schema {
	if at := c.get(c.nodes[s.at], "items"); c.draft7 && at >= 0 && c.nodes[at].kind == list {
		return &s.items
	}
	return nil
}

// several compiles a keyword whose value is a list of schemas.
func (c *compiler) several(s *schema, name string, at int32) bool {
	var field *[]*schema
	switch name {
	case "allOf":
		field = &s.allOf
	case "anyOf":
		field = &s.anyOf
	case "oneOf":
		field = &s.oneOf
	case "prefixItems":
		if c.draft7 {
			return true
		}
		field = &s.prefix
	default:
		return false
	}
	*field = c.schemasOf(s, name, at)
	return true
}

// named compiles a keyword whose value is an object with schemas.
func (c *compiler) named(s *schema, name string, at int32) {
	switch name {
	case "properties":
		s.properties = map[string]*schema{}
		c.each(s, name, at, func(property string, at int32) {
			s.properties[property] = c.compile(s, placeOf(name, property), at, s.resource)
			s.propertyOrder = append(s.propertyOrder, property)
		})
	case "patternProperties":
		c.each(s, name, at, func(source string, at int32) {
			s.patterns = append(s.patterns, patternSchema{c.pattern(s, source), c.compile(s, placeOf(name, source), at, s.resource)})
		})
	case "$defs", "definitions":
		c.each(s, name, at, func(property string, at int32) {
			c.compile(s, placeOf(name, property), at, s.resource)
		})
	case "dependentRequired":
		if !c.draft7 {
			c.each(s, name, at, func(property string, at int32) {
				s.dependentRequired = append(s.dependentRequired, dependency{name: property, required: c.texts(s, name, at)})
			})
		}
	case "dependentSchemas", "dependencies":
		if c.draft7 == (name == "dependencies") {
			c.each(s, name, at, func(property string, at int32) { c.dependency(s, name, property, at) })
		}
	}
}

// dependency compiles what has to hold if an object has a property.
func (c *compiler) dependency(s *schema, name, property string, at int32) {
	if c.draft7 && c.nodes[at].kind == list {
		s.dependentRequired = append(s.dependentRequired, dependency{name: property, required: c.texts(s, name, at)})
		return
	}
	below := c.compile(s, placeOf(name, property), at, s.resource)
	s.dependentSchemas = append(s.dependentSchemas, dependency{name: property, schema: below})
}

// each calls a function for each field of an object.
func (c *compiler) each(s *schema, name string, at int32, do func(name string, at int32)) {
	n := c.nodes[at]
	if n.kind != object {
		c.fail(s, name+" is no object")
		return
	}
	for at := n.from; at < n.to && c.take(perField) && !c.done(); at += 2 {
		do(c.text(c.nodes[at]), at+1)
	}
}

// schemasOf compiles a list of schemas.
func (c *compiler) schemasOf(s *schema, name string, at int32) []*schema {
	n := c.nodes[at]
	if n.kind != list {
		c.fail(s, name+" is no list")
		return nil
	}
	all := make([]*schema, 0, n.len())
	for at := n.from; at < n.to && !c.done(); at++ {
		all = append(all, c.compile(s, placeOf(name, itoa(int(at-n.from))), at, s.resource))
	}
	return all
}

// textOf returns the text of a keyword.
func (c *compiler) textOf(s *schema, name string, at int32) (string, bool) {
	if c.nodes[at].kind != text {
		c.fail(s, name+" is no text")
		return "", false
	}
	return c.text(c.nodes[at]), true
}

// texts returns a list of texts.
func (c *compiler) texts(s *schema, name string, at int32) (texts []string) {
	n := c.nodes[at]
	if n.kind != list {
		c.fail(s, name+" is no list")
		return nil
	}
	for at := n.from; at < n.to && c.take(1); at++ {
		one, ok := c.textOf(s, name, at)
		if !ok {
			return nil
		}
		texts = append(texts, one)
	}
	return texts
}

// types compiles the keyword type.
func (c *compiler) types(s *schema, at int32) {
	n := c.nodes[at]
	names := []string{c.text(n)}
	if n.kind == list {
		names = c.texts(s, "type", at)
	} else if n.kind != text {
		c.fail(s, "type is neither text nor a list")
		return
	}
	for _, name := range names {
		k := kindOf(name)
		if k == 0 {
			c.fail(s, "the type "+quoted(name)+" is not known")
		}
		s.kinds |= k
	}
	if len(names) == 0 {
		s.never = true
	}
}

// choices compiles the keyword enum.
func (c *compiler) choices(s *schema, name string, at int32) *choices {
	n := c.nodes[at]
	if n.kind != list {
		c.fail(s, name+" is no list")
		return nil
	}
	return c.choice(n.from, n.to)
}

// choice makes choices of the values of some nodes.
func (c *compiler) choice(from, to int32) *choices {
	choices := &choices{keys: make(map[string]bool, to-from)}
	var key []byte
	for at, ok := from, true; at < to; at++ {
		if key, ok = c.key(key[:0], c.document, at); !ok {
			return choices
		}
		choices.kinds |= c.nodes[at].kind
		choices.keys[string(key)] = true
		if at > from {
			choices.words += " "
		}
		if len(choices.words) < maxShown {
			choices.words += c.show(c.nodes[at])
		}
	}
	return choices
}
