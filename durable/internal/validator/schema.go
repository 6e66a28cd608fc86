package validator

import "net/url"

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
	// outer is the schema that this one is inside of, and place where it is there, as a JSON pointer. at is its
	// node.
	outer *schema
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
	// size is how many bytes are worked on to resolve a reference against the address.
	size    int
	anchors map[string]anchor
}

type anchor struct {
	schema  *schema
	dynamic bool
}
