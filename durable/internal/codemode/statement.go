package codemode

// statement is a statement of the code's own level: tokens from first up to the one before end.
type statement struct {
	first, end int
	kind       statementKind
}

type statementKind uint8

const (
	// other is a statement whose value cannot be returned: a declaration, a loop, a condition.
	other statementKind = iota
	// value is an expression. Its tokens do not contain a semicolon at the end.
	value
	// function is the declaration of a function.
	function
)

// maxNesting is how many statements without brackets may be within each other: if (a) if (b) …
const maxNesting = 100

// splitter finds where statements end. It reads the statements of the language and the ends of lines,
// and looks into no bracket.
type splitter struct {
	tokens []token
	// depth is how many statements are around the one that is read.
	depth int
}

// statements returns the statements on the level of the code itself.
func statements(tokens []token) []statement {
	p := splitter{tokens: tokens}
	var all []statement
	for i := 0; i < len(tokens); {
		if tokens[i].is(";") {
			i++
			continue
		}
		s := p.statement(i)
		s.end = min(max(s.end, i+1), len(tokens))
		all, i = append(all, s), s.end
	}
	return all
}

// nothing is the token before the first and behind the last.
var nothing = token{kind: punctuator, fresh: true, pair: -1}

// at returns a token, or nothing.
func (p splitter) at(i int) *token {
	if i < 0 || i >= len(p.tokens) {
		return &nothing
	}
	return &p.tokens[i]
}

// statement returns the statement that begins at a token. One that is nested too deep has no end.
func (p splitter) statement(i int) statement {
	s := statement{first: i, kind: other}
	if p.depth++; p.depth > maxNesting {
		s.end = len(p.tokens)
		return s
	}
	next := p.at(i + 1)
	switch p.at(i).symbol() {
	case "{":
		s.end = p.behind(i)
		if p.isObject(i) {
			s.kind = value
		}
	case "if":
		s.end = p.statement(p.behind(i + 1)).end
		if p.at(p.pastEnd(s.end)).is("else") {
			s.end = p.statement(p.pastEnd(s.end) + 1).end
		}
	case "for", "while", "with":
		if next.is("await") {
			i++
		}
		s.end = p.statement(p.behind(i + 1)).end
	case "do":
		s.end = p.behind(p.pastEnd(p.statement(i+1).end) + 1)
	case "switch":
		s.end = p.behind(p.behind(i + 1))
	case "try":
		s.end = p.try(i)
	case "function":
		s.end, s.kind = p.functionEnd(i), function
	case "class":
		s.end = p.classEnd(i)
	case "const", "let", "var", "return", "throw", "break", "continue", "debugger", "export":
		s.end = p.expressionEnd(i)
	default:
		return p.labelled(s)
	}
	return s
}

// labelled returns the statement that begins at a token that is no keyword, or one that may also begin
// an expression: async, import.
func (p splitter) labelled(s statement) statement {
	t, next := p.at(s.first), p.at(s.first+1)
	switch {
	case t.is("async") && next.is("function") && !next.fresh:
		s.end, s.kind = p.functionEnd(s.first), function
	case t.kind == word && next.is(":"):
		s.end = p.statement(s.first + 2).end
	default:
		s.end = p.expressionEnd(s.first)
		if !t.is("import") || next.is("( .") {
			s.kind = value
		}
	}
	return s
}

// pastEnd skips the semicolon that ends a statement.
func (p splitter) pastEnd(i int) int {
	if p.at(i).is(";") {
		return i + 1
	}
	return i
}

// behind returns the index behind the bracket that opens at a token, or behind the token.
func (p splitter) behind(i int) int { return max(i, p.at(i).pair) + 1 }

func (p splitter) try(i int) int {
	end := p.behind(i + 1)
	if p.at(end).is("catch") {
		if end++; p.at(end).is("(") {
			end = p.behind(end)
		}
		end = p.behind(end)
	}
	if p.at(end).is("finally") {
		end = p.behind(end + 1)
	}
	return end
}

// functionEnd returns the index behind the body of a function.
func (p splitter) functionEnd(i int) int {
	for i < len(p.tokens) && !p.at(i).is("(") {
		i++
	}
	return p.behind(p.behind(i))
}

// classEnd returns the index behind the body of a class.
func (p splitter) classEnd(i int) int {
	for i < len(p.tokens) && !p.at(i).is("{") {
		i = p.behind(i)
	}
	return p.behind(i)
}

// expressionEnd returns the index behind an expression, or behind a statement that ends like one.
func (p splitter) expressionEnd(i int) int {
	begin := i
	for i < len(p.tokens) && !p.at(i).is(";") {
		if i > begin && p.endsBefore(i) {
			return i
		}
		switch t := p.at(i); {
		case t.is("function"):
			i = p.functionEnd(i)
		case t.is("class"):
			i = p.classEnd(i)
		default:
			i = p.behind(i)
		}
	}
	return i
}

// endsBefore says whether a statement ends at the end of a line before a token. It does if the token
// cannot go on with what is before it.
func (p splitter) endsBefore(i int) bool {
	t, before := p.at(i), p.at(i-1)
	switch {
	case !t.fresh:
		return false
	case before.is("return break continue throw"):
		return true
	case !before.endsOperand():
		return false
	case before.body: // the body of an arrow function, which no operator can follow
		return !t.is(", ) ] } : ;")
	case t.kind == word:
		return !t.is("in instanceof of")
	case t.kind == punctuator:
		return t.is("++ -- ! ~ { #")
	}
	return t.kind == number || t.kind == text || t.kind == expression
}

// isObject says whether the brace at a token opens an object rather than a block: a model that ends
// its code with { total, names } means a value.
func (p splitter) isObject(i int) bool {
	first, second := p.at(i+1), p.at(i+2)
	switch {
	case p.at(i).pair != len(p.tokens)-1 && !p.at(p.behind(i)).is(";"):
		return false
	case first.is("..."):
		return true
	case first.kind == word && second.is(","), first.kind == word && second.is("}") && !first.is("break continue return debugger"):
		return true
	case first.kind == word && second.is(":"):
		return !p.at(i + 3).is("for while do switch {")
	}
	return (first.kind == text || first.kind == number) && second.is(":")
}
