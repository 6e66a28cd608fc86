package validator

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
		if key, ok = c.key(key[:0], c.document, at); !ok || !c.take(perChoice) {
			return choices
		}
		choices.kinds |= c.nodes[at].kind
		choices.keys[string(key)] = true
		if len(choices.words) < maxShown {
			if at > from {
				choices.words += " "
			}
			choices.words += c.show(c.nodes[at])
		}
	}
	return choices
}
