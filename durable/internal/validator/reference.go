package validator

import (
	"net/url"
	"strconv"
	"strings"
)

// withoutScheme returns an address without http, and without an empty fragment.
func withoutScheme(address string) string {
	if len(address) > 256 {
		return address
	}
	address = strings.TrimSuffix(address, "#")
	return strings.TrimPrefix(strings.TrimPrefix(address, "http://"), "https://")
}

func itoa(n int) string { return strconv.Itoa(n) }

// placeOf returns the place of a schema that is below a keyword. A long name is not told whole.
func placeOf(keyword, name string) string {
	return keyword + "/" + escape(shorten(name, maxPlace))
}

// escape returns a name as a JSON pointer has it.
func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// path returns where a schema is, for words.
func (s *schema) path() string {
	if s.outer == nil && s.place == "" {
		return "root"
	}
	path, size := "", 0
	for ; s != nil && s.place != ""; s = s.outer {
		if size += len(s.place); size > maxShown {
			return "…" + path
		}
		path = "/" + strings.TrimPrefix(s.place, "/") + path
	}
	return path
}

// identify notes the address and the anchors of a schema.
func (c *compiler) identify(s *schema, n node) {
	if id := c.get(n, "$id"); id >= 0 && !(c.draft7 && c.get(n, "$ref") >= 0) {
		if address, ok := c.textOf(s, "$id", id); ok {
			c.address(s, address)
		}
	}
	if !c.draft7 {
		c.anchor(s, n, "$anchor", false)
		c.anchor(s, n, "$dynamicAnchor", true)
	}
}

// address gives a schema the address that it says.
func (c *compiler) address(s *schema, id string) {
	if c.draft7 && strings.HasPrefix(id, "#") {
		c.name(s, id[1:], false)
		return
	}
	address := c.join(s, id)
	if address == nil {
		return
	}
	if address.Fragment != "" || !address.IsAbs() {
		c.fail(s, "its $id is no absolute address without a fragment")
		return
	}
	written := address.String()
	s.resource = &resource{root: s, address: address, size: 32 * len(written)}
	c.resources[written] = s.resource
}

// maxAddress is how many bytes an address may have. Each reference is resolved against that of its resource, which is
// written out to find the one that it refers to.
const maxAddress = 1 << 10

// join returns an address that is relative to the schema, or nil.
func (c *compiler) join(s *schema, address string) *url.URL {
	if len(address) > maxAddress {
		c.fail(s, quoted(address)+" has more than "+itoa(maxAddress)+" bytes")
		return nil
	}
	if !c.takeBytes(16*len(address) + s.resource.size) {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil {
		c.fail(s, quoted(address)+" is no address")
		return nil
	}
	return s.resource.address.ResolveReference(u)
}

// anchor notes an anchor.
func (c *compiler) anchor(s *schema, n node, keyword string, dynamic bool) {
	at := c.get(n, keyword)
	if at < 0 {
		return
	}
	if name, ok := c.textOf(s, keyword, at); ok && name != "" {
		c.name(s, name, dynamic)
	}
}

func (c *compiler) name(s *schema, name string, dynamic bool) {
	if _, twice := s.resource.anchors[name]; twice {
		c.fail(s, "the anchor "+quoted(name)+" is there twice")
		return
	}
	if s.resource.anchors == nil {
		s.resource.anchors = map[string]anchor{}
	}
	s.resource.anchors[name] = anchor{s, dynamic}
}

// refer notes a reference, which is resolved when all schemas are known.
func (c *compiler) refer(s *schema, keyword string, at int32, dynamic bool) {
	if to, ok := c.textOf(s, keyword, at); ok {
		c.waiting = append(c.waiting, reference{s, to, dynamic})
	}
}

// resolve resolves the references. What one refers to may have more of them.
func (c *compiler) resolve() {
	for len(c.waiting) > 0 && !c.done() {
		r := c.waiting[0]
		c.waiting = c.waiting[1:]
		to, dynamicAnchor := c.target(r)
		switch {
		case to == nil:
			c.fail(r.from, "there is no schema "+quoted(r.to))
		case r.dynamic:
			r.from.dynamicRef, r.from.dynamicAnchor = to, dynamicAnchor
		default:
			r.from.ref = to
		}
	}
}

// target returns the schema that a reference names, or nil. dynamicAnchor is its name if it is a dynamic anchor.
func (c *compiler) target(r reference) (to *schema, dynamicAnchor string) {
	address := c.join(r.from, r.to)
	if address == nil {
		return nil, ""
	}
	fragment := address.Fragment
	address.Fragment, address.RawFragment = "", ""
	in := c.resources[address.String()]
	switch {
	case in == nil:
		return nil, ""
	case fragment == "":
		return c.schemas[c.rootOf(in)], ""
	case fragment[0] == '/':
		return c.pointed(in, fragment), ""
	}
	a := in.anchors[fragment]
	if a.dynamic {
		dynamicAnchor = fragment
	}
	return a.schema, dynamicAnchor
}

// rootOf returns the node of a resource.
func (c *compiler) rootOf(in *resource) int32 {
	if in.root != nil {
		return in.root.at
	}
	return c.root()
}

// pointed returns the schema at a JSON pointer. It is compiled if it stands where no keyword has a schema.
func (c *compiler) pointed(in *resource, pointer string) *schema {
	at := c.rootOf(in)
	s := c.schemas[at]
	for _, step := range strings.Split(pointer[1:], "/") {
		if !c.takeBytes(4 * len(step)) {
			return nil
		}
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		n := c.nodes[at]
		switch n.kind {
		case object:
			at = c.get(n, step)
		case list:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= n.len() || step != strconv.Itoa(i) {
				return nil
			}
			at = n.from + int32(i)
		default:
			return nil
		}
		if at < 0 {
			return nil
		}
		if below := c.schemas[at]; below != nil {
			s = below
		}
	}
	return c.compile(nil, shorten(pointer, maxPlace), at, s.resource)
}
