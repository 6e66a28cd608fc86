package validator

import "net/url"

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
	s, _, err := compile(source, MaxSteps)
	return s, err
}

// CompileOffered is [Compile] for the schema of a server's results, with [OfferedSteps].
func CompileOffered(source []byte) (*Schema, error) {
	s, _, err := compile(source, OfferedSteps)
	return s, offered(err)
}

// offered returns the error of something with [OfferedSteps].
func offered(err error) error {
	if err == ErrSteps {
		return ErrOffered
	}
	return err
}

// compile compiles a schema, and also returns what is left of the countdown.
func compile(source []byte, steps int) (*Schema, *countdown, error) {
	c := &compiler{countdown: countdown{left: steps}, schemas: map[int32]*schema{}, resources: map[string]*resource{}}
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
	return &Schema{root: c.schemas[c.root()], draft7: c.draft7, cost: steps - c.left}, &c.countdown, nil
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
	s := &schema{outer: above, place: place, at: at, resource: in}
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
