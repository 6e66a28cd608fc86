package codemode

import "errors"

const (
	typesRefused   = "write JavaScript without types"
	modulesRefused = "there are no modules: leave out import and export, and use tools, search, help and sleep"
)

// refuse returns an error for tokens that are never JavaScript inside a function: types and modules.
// It says nothing where tokens alone do not tell.
func refuse(tokens []token) error {
	a := annotations{splitter: splitter{tokens: tokens}, levels: []level{{}}}
	for i := range tokens {
		if a.isType(i) {
			return errors.New(typesRefused + lineOf(tokens[i].line))
		}
	}
	for _, s := range statements(tokens) {
		if t := tokens[s.first]; a.isModule(s.first) {
			return errors.New(modulesRefused + lineOf(t.line))
		}
	}
	return nil
}

// level counts what may be followed by a colon within one pair of brackets.
type level struct {
	// bracket is the one that opens it, or "".
	bracket string
	// questions are the conditions, and cases the cases, whose colon has not come.
	questions, cases int
}

// annotations looks for types.
type annotations struct {
	splitter
	levels []level
}

// isType says whether a token shows that the code has types. It is called for each token in turn.
func (a *annotations) isType(i int) bool {
	t := a.at(i)
	if t.pair >= 0 && t.pair < i && len(a.levels) > 1 {
		a.levels = a.levels[:len(a.levels)-1]
	}
	in := &a.levels[len(a.levels)-1]
	found := false
	before, next := a.at(i-1), a.at(i+1)
	switch t.symbol() {
	case "?":
		in.questions++
		found = next.is(": , )")
	case "case":
		if !next.is(": , } =") { // no field of that name
			in.cases++
		}
	case ":":
		found = a.colon(i, in)
	case "as", "satisfies":
		found = a.isCast(i)
	case "interface", "type", "enum", "namespace", "declare":
		found = a.isDeclaration(i)
	case "!": // behind an operand, and not before one
		found = before.endsOperand() && !t.fresh && next.is(". ) ] , ;")
	case "function":
		found = next.kind == word && a.at(i+2).is("<")
	case "[": // string[]
		found = t.pair == i+1 && before.kind == word && before.endsOperand() && !t.fresh
	case "void": // Promise<void>
		found = next.is(">")
	case ">", ">>", ">>>": // new Map<K, V>()
		found = next.is("(") && a.at(i+2).is(")") && !a.at(i+3).is("=>")
	}
	if t.pair > i || t.kind == template && t.pair >= 0 && !t.endsOperand() {
		a.levels = append(a.levels, level{bracket: t.symbol()})
	}
	return found
}

// colon says whether a colon begins a type. Other colons belong to a condition, a case, a label or a
// field.
func (a *annotations) colon(i int, in *level) bool {
	switch {
	case in.questions > 0:
		in.questions--
		return false
	case in.cases > 0:
		in.cases--
		return false
	case in.bracket == "(" || in.bracket == "[":
		return true
	}
	return a.at(i-1).is(")") || a.isDeclared(i-1)
}

// isDeclared says whether a variable's name or pattern that is being declared ends at a token.
func (a *annotations) isDeclared(i int) bool {
	if a.at(i).is("} ]") {
		i = a.at(i).pair
	}
	return a.at(i - 1).is("const let var")
}

// isCast says whether what is behind as or satisfies is a type. Both words may be names of variables.
func (a *annotations) isCast(i int) bool {
	next := a.at(i + 1)
	if a.at(i).fresh || next.fresh || !a.at(i-1).endsOperand() || a.at(i-1).is("class function") {
		return false
	}
	switch {
	case next.kind == word:
		return !next.is("in instanceof of")
	case next.is("["):
		return a.at(i-1).is(")") && !a.endsCondition(i-1) || a.at(i-1).is("]")
	}
	return next.is("{")
}

// endsCondition says whether a bracket closes what is behind if, while, for and with.
func (a *annotations) endsCondition(i int) bool {
	return a.at(a.at(i).pair - 1).is("if while for with await")
}

// isDeclaration says whether a word declares a type: a name follows on its line, and then what only
// such a declaration has.
func (a *annotations) isDeclaration(i int) bool {
	name, behind := a.at(i+1), a.at(i+2)
	if name.kind != word || name.fresh || name.is("in instanceof of extends") {
		return false
	}
	switch a.at(i).text {
	case "type":
		return behind.is("= <")
	case "declare":
		return name.is("const let var function class type interface")
	}
	return behind.is("{ < extends")
}

// isModule says whether a statement is an import or an export.
func (a *annotations) isModule(i int) bool {
	next := a.at(i + 1)
	switch a.at(i).symbol() {
	case "import":
		return next.kind == word || next.kind == text || next.is("{ *")
	case "export":
		return next.is("{ * default const let var function async class")
	}
	return false
}
