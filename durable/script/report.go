package script

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What a report may be. Code of a model that has come to the prelude's own functions writes a report as
// it likes, so a host takes none for what it says. wasm/quickjs/README.md has the rule, the prelude keeps
// to it, and wasm/shim/report.ts has the same numbers.
const (
	// MostReport is the length of a report in bytes, and MostValue that of a value.
	MostReport, MostValue = 8 << 20, 24 << 20
	// mostCalls and mostLines are how many calls and lines a box may report in its life.
	mostCalls, mostLines = 10_000, 201
	// mostName, mostInput, mostLine and mostWords are the texts of a report, in UTF-16 units.
	mostName, mostInput, mostLine, mostWords = 200, 1 << 20, 500, 5000
)

// The limits that [Spent] names.
const (
	SpentWork   = "work"
	SpentMemory = "memory"
	SpentStack  = "stack"
	SpentEngine = "engine"
)

// Reports reads the reports of one box for its host, and counts what the box has reported in its life.
type Reports struct{ calls, lines int }

// Read reads a report, which is a text that a box has handed out. It is not ok if the text is not exactly
// what the prelude would write at this point.
func (b *Reports) Read(text string) (r Result, ok bool) {
	p := parser{rest: text, bad: len(text) > MostReport || !utf8.ValidString(text)}
	p.token(`{"state":`)
	r.State = State(p.number())
	p.token(`,"calls":[`)
	for first := true; p.more(first); first = false {
		r.Calls = append(r.Calls, b.call(&p))
	}
	p.token(`,"lines":[`)
	for first := true; p.more(first); first = false {
		b.lines++
		p.require(b.lines <= mostLines)
		r.Lines = append(r.Lines, p.text(mostLine))
	}
	p.token(`,"words":`)
	r.Words = p.text(mostWords)
	p.token(`}`)
	p.require(p.rest == "" && consistent(r))
	return r, !p.bad
}

// call reads a call. The numbers of a box begin at 1, and leave none out.
func (b *Reports) call(p *parser) (c Call) {
	p.token(`{"number":`)
	c.Number = int64(p.number())
	p.token(`,"name":`)
	c.Name = p.text(mostName)
	p.token(`,"json":`)
	c.JSON = p.text(mostInput)
	p.token(`}`)
	b.calls++
	p.require(c.Number == int64(b.calls))
	p.require(b.calls <= mostCalls)
	return c
}

// ReadValue says whether a text that a box has handed out may be what its script has returned. The module
// looks whether it is JSON.
func ReadValue(text string) bool { return len(text) <= MostValue && utf8.ValidString(text) }

// consistent says whether the words of a report belong to its state. Whether a box is gone, and how
// much work it has left, is known to its host alone.
func consistent(r Result) bool {
	switch r.State {
	case Waits, Done:
		return r.Words == ""
	case Failed:
		return true
	case Spent:
		return r.Words == SpentMemory || r.Words == SpentStack
	}
	return false
}

// parser reads a text from its beginning. After the first thing that is not what is wanted it is bad,
// and reads nothing more.
type parser struct {
	rest string
	bad  bool
}

func (p *parser) require(ok bool) { p.bad = p.bad || !ok }

// token reads a part that is always the same.
func (p *parser) token(want string) {
	rest, found := strings.CutPrefix(p.rest, want)
	p.rest = rest
	p.require(found)
}

// more says whether a list has another element, and reads what stands before it, or behind the list.
func (p *parser) more(first bool) bool {
	switch rest, ended := strings.CutPrefix(p.rest, "]"); {
	case ended:
		p.rest = rest
		return false
	case !first:
		p.token(",")
	}
	return !p.bad
}

// number reads a number of at most five digits.
func (p *parser) number() int {
	n := 0
	for n < len(p.rest) && n < 6 && p.rest[n] >= '0' && p.rest[n] <= '9' {
		n++
	}
	digits := p.rest[:n]
	p.rest = p.rest[n:]
	p.require(n > 0 && n < 6 && (n == 1 || digits[0] != '0'))
	number, _ := strconv.Atoi(digits) // there are at most six, and none is zero
	return number
}

// text reads a quoted text of at most most units. A unit takes six bytes at most.
func (p *parser) text(most int) (text string) {
	n := quotedLen(p.rest, 6*most+2)
	if p.bad || n == 0 || json.Unmarshal([]byte(p.rest[:n]), &text) != nil || units(text) > most {
		p.bad = true
		return ""
	}
	p.rest = p.rest[n:]
	return text
}

// quotedLen returns the length of the quoted text that a text begins with, or 0 if there is none of at
// most most bytes.
func quotedLen(s string, most int) int {
	s = s[:min(len(s), most)]
	if s == "" || s[0] != '"' {
		return 0
	}
	for at := 1; at < len(s); at++ {
		switch s[at] {
		case '"':
			return at + 1
		case '\\':
			at++
		}
	}
	return 0
}

// units returns the length of a text in UTF-16 units.
func units(text string) (n int) {
	for _, r := range text {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
