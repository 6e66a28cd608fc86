package validator

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// pattern is a regular expression. It is run here and not by package regexp, because that does not count.
type pattern struct {
	source  string
	program *syntax.Prog
	// anchored says that a match begins where the text does.
	anchored bool
}

const (
	// maxPattern is how many bytes a pattern has, maxProgram how many instructions it is compiled to, and
	// maxGroups how many groups may be inside of each other.
	maxPattern, maxProgram, maxGroups = 4 << 10, 4_000, 100
	// What is taken for a pattern: for itself, for each byte, for each class that Unicode names, for each range of a class
	// without regard to case that may be all of Unicode, and for each instruction.
	perPattern, perPatternByte, perUnicodeClass, perFoldedRange, perInstruction = 100, 12, 3_000, 100_000, 6
)

// pattern compiles a regular expression.
func (c *compiler) pattern(s *schema, source string) *pattern {
	p := &pattern{source: source}
	if len(source) > maxPattern {
		c.fail(s, "a pattern has more than "+itoa(maxPattern)+" bytes")
		return p
	}
	steps, groups := parsing(source)
	if groups > maxGroups {
		c.fail(s, "a pattern has more than "+itoa(maxGroups)+" groups inside of each other")
		return p
	}
	if !c.take(steps) {
		return p
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		c.fail(s, "pattern: "+shorten(err.Error(), maxShown))
		return p
	}
	size := instructions(tree)
	if size > maxProgram {
		c.fail(s, "the pattern "+quoted(source)+" repeats too much")
		return p
	}
	if !c.take(perInstruction * size) {
		return p
	}
	if p.program, err = syntax.Compile(tree.Simplify()); err != nil {
		c.fail(s, "pattern: "+shorten(err.Error(), maxShown))
		return p
	}
	p.anchored = p.program.StartCond()&syntax.EmptyBeginText != 0
	return p
}

// parsing returns the steps of parsing a pattern, before it is parsed, and how many groups are inside of each
// other at most.
func parsing(source string) (steps, groups int) {
	steps = perPattern + perPatternByte*len(source)
	folds, open := folds(source), 0
	for i := range len(source) {
		switch source[i] {
		case '(':
			open++
			groups = max(groups, open)
		case ')':
			open--
		case '\\':
			if i+1 < len(source) && source[i+1]|0x20 == 'p' {
				steps += perUnicodeClass
			}
		case '-':
			if folds && isWide(source, i) {
				steps += perFoldedRange
			}
		}
	}
	return steps, groups
}

// folds says whether a pattern may match without regard to case.
func folds(source string) bool {
	for {
		_, after, found := strings.Cut(source, "(?")
		if !found {
			return false
		}
		flags, _, _ := strings.Cut(after, ")")
		flags, _, _ = strings.Cut(flags, ":")
		if strings.Contains(flags, "i") {
			return true
		}
		source = after
	}
}

// isWide says whether a range of a class, whose dash is at i, may have more than the characters of ASCII.
func isWide(source string, i int) bool {
	if i == 0 || i+1 == len(source) {
		return false
	}
	before, after := source[i-1], source[i+1]
	return before == '}' || before >= utf8.RuneSelf || after == '\\' || after >= utf8.RuneSelf
}

// instructions returns how many instructions an expression is compiled to, at most. Repetitions are written out.
func instructions(e *syntax.Regexp) int {
	const many = 1 << 20
	size := 2 + len(e.Sub)
	if e.Op == syntax.OpLiteral {
		size = len(e.Rune)
	}
	for _, below := range e.Sub {
		size += instructions(below)
	}
	if e.Op == syntax.OpRepeat {
		size = (size - 1) * max(e.Max, e.Min+1)
	}
	return min(size, many)
}

// machine runs patterns: all ways through a program at once, one character after another.
type machine struct {
	// now and next are the instructions for the next characters, and open those to look at.
	now, next, open []uint32
	// marks say at which character an instruction was last looked at.
	marks []int
	mark  int
	// steps are instructions that were not taken from the countdown yet.
	steps int
}

// matches says whether a text matches a pattern anywhere.
func (v *check) matches(p *pattern, s string) bool {
	m := &v.machine
	if p.program == nil || !v.take(2) {
		return false
	}
	if n := len(p.program.Inst); n > len(m.marks) {
		m.marks = make([]int, n)
	}
	m.next, m.steps = m.next[:0], 0
	before, at := rune(-1), 0
	for {
		after, size := rune(-1), 0
		if at < len(s) {
			after, size = utf8.DecodeRuneInString(s[at:])
		}
		m.now, m.next = m.next, m.now[:0]
		if at == 0 || !p.anchored {
			m.now = append(m.now, uint32(p.program.Start))
		}
		matched := m.follow(p.program, syntax.EmptyOpContext(before, after))
		if !v.take(m.steps / instructionsAStep) {
			return false
		}
		m.steps %= instructionsAStep
		if matched || size == 0 || len(m.next) == 0 && p.anchored {
			return matched
		}
		m.now, m.next = m.next, m.now[:0]
		for _, at := range m.now {
			i := &p.program.Inst[at]
			if m.steps++; i.MatchRune(after) {
				m.next = append(m.next, i.Out)
			}
		}
		before, at = after, at+size
	}
}

// follow follows what needs no character, from the instructions in now, and puts those that need one into next.
func (m *machine) follow(p *syntax.Prog, holds syntax.EmptyOp) (matched bool) {
	m.mark++
	for k := range m.now {
		m.open = append(m.open[:0], m.now[k])
		for len(m.open) > 0 {
			at := m.open[len(m.open)-1]
			m.open = m.open[:len(m.open)-1]
			if m.steps++; m.marks[at] == m.mark {
				continue
			}
			m.marks[at] = m.mark
			switch i := &p.Inst[at]; i.Op {
			case syntax.InstAlt, syntax.InstAltMatch:
				m.open = append(m.open, i.Arg, i.Out)
			case syntax.InstEmptyWidth:
				if syntax.EmptyOp(i.Arg)&^holds == 0 {
					m.open = append(m.open, i.Out)
				}
			case syntax.InstCapture, syntax.InstNop:
				m.open = append(m.open, i.Out)
			case syntax.InstMatch:
				return true
			case syntax.InstFail:
			default:
				m.next = append(m.next, at)
			}
		}
	}
	return false
}
