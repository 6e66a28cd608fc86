package model

// This file says to which call a fragment belongs. Servers number their calls, name them by an id,
// do both, or do neither; some give all calls the same number, some invent an id for every fragment,
// and some repeat the name. So what has come of a call decides as well:
//
//   - A fragment with the id of a call belongs to it.
//   - Without that, a fragment with the number of a call belongs to the last call of that number,
//     unless it has another id and a name: then it begins a call.
//   - Without a number, an id or a name, a fragment belongs to the last call.
//   - A name for a call that has another name, or whose input is whole, begins a call. An empty object
//     is whole too, except under the same id: some servers send it in front of the input.
//   - A server that tells where its calls begin is believed.
//   - Nothing else begins a call while the input of that name is in the middle.
//
// What belongs to no call begins one without a name. [ToolCallList.End] says that it is invalid, and
// that calls without any input are: the input may be theirs.

// find returns the call that a fragment belongs to, or nil if the fragment begins a new call.
func (l *ToolCallList) find(f ToolCallFragment) *openCall {
	c := l.candidate(f)
	if c == nil || f.Name == "" || c.name == "" {
		return c
	}
	same := f.ID != "" && f.ID == c.theirs
	switch {
	case f.Begins, f.Name != c.name:
		return nil
	case !c.span.closed(), same && (c.input.String() == "{}" || c.repeats(f)):
		return c
	case f.Arguments == "" && (f.Index == nil || *f.Index == c.index):
		return c
	}
	return nil
}

// candidate returns the call that a fragment belongs to by its id and number, or nil.
func (l *ToolCallList) candidate(f ToolCallFragment) *openCall {
	if c := l.last(func(c *openCall) bool { return f.ID != "" && c.theirs == f.ID }); c != nil {
		return c
	}
	if f.Index != nil {
		c := l.last(func(c *openCall) bool { return c.index == *f.Index || f.Name == "" && c.index < 0 })
		if c != nil && (f.ID == "" || c.theirs == "" || f.Name == "" || c.continues(f)) {
			return c
		}
		return nil
	}
	c := l.last(func(*openCall) bool { return true })
	switch {
	case c == nil, f.ID == "" && f.Name == "", c.continues(f):
		return c
	case f.Name == "" && !c.span.closed():
		return c
	}
	return nil
}

// last returns the last call that fits, or nil.
func (l *ToolCallList) last(fits func(*openCall) bool) *openCall {
	for i := len(l.calls) - 1; i >= 0; i-- {
		if fits(l.calls[i]) {
			return l.calls[i]
		}
	}
	return nil
}

// continues says whether a fragment with a name comes while the input of the call with this name is in
// the middle.
func (c *openCall) continues(f ToolCallFragment) bool {
	return f.Name == c.name && c.name != "" && c.span.open()
}

// repeats says whether a fragment is the whole call once more.
func (c *openCall) repeats(f ToolCallFragment) bool {
	return f.Name != "" && f.Name == c.name && f.ID != "" && f.ID == c.theirs && c.span.closed() && f.Arguments == c.input.String() && !f.Begins
}

// span follows the brackets of a JSON text that comes in pieces.
type span struct {
	depth, deepest          int
	begun, quoted, escaping bool
}

func (s *span) add(text string) {
	for i := range len(text) {
		switch c := text[i]; {
		case s.escaping:
			s.escaping = false
		case s.quoted && c == '\\':
			s.escaping = true
		case c == '"':
			s.quoted, s.begun = !s.quoted, true
		case s.quoted:
		case c == '{' || c == '[':
			s.begun = true
			s.depth++
			s.deepest = max(s.deepest, s.depth)
		case c == '}' || c == ']':
			s.depth--
		}
	}
}

// open says that the text has begun and not ended, and closed that it has ended.
func (s *span) open() bool   { return s.begun && !s.closed() }
func (s *span) closed() bool { return s.begun && s.depth <= 0 && !s.quoted }
