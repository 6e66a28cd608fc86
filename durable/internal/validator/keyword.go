package validator

import "math"

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
