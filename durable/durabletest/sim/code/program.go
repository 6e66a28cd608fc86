package code

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// Tool is a tool that code may call. All properties of its input are texts.
type Tool struct {
	Name       string
	Properties []string
	// Values returns a value of a property. It is nil if any text will do.
	Values func(d dice.Dice, property string) string
}

// Program is code that a model has written.
type Program struct {
	// Text is the code.
	Text string
	// steps are what it does, in order. Each adds items to the list that it returns.
	steps []step
	// logs are the lines that it writes to the console.
	logs []string
	// end is how it ends, and words are in the error that it ends with.
	end   ending
	words string
	// wild says that it breaks its own methods, so that nothing follows about its result.
	wild bool
}

// ending says how a program ends, unless a call before fails that it does not catch.
type ending int

const (
	// returns: it returns its list. large: the list is too large to be told.
	returns ending = iota
	large
	// fails: it fails with the words.
	fails
)

// kind is the kind of a step.
type kind int

const (
	// bare: each call adds an item, and a call that fails ends the program.
	bare kind = iota
	// caught: each call adds an item, which is its error if it fails.
	caught
	// together: one item is the list of the outputs, and a call that fails ends the program. settled: one
	// item is the list of the outputs and errors.
	together
	settled
	// race: one item is the output or the error of one of the calls.
	race
	// left: no item. Nobody waits for the calls.
	left
	// truth: the item is true. pause: the item is how long a sleep has taken.
	truth
	pause
	// absent: the item is the error of a call of a tool that there is not.
	absent
)

// step is a part of a program. line is the one in which its calls are made.
type step struct {
	kind kind
	line int
	// ms is how long a pause is, in milliseconds.
	ms    int
	sites []site
}

// site is a call that a program makes. The words in its input are used nowhere else, but for those of
// actions.
type site struct {
	tool  string
	input map[string]string
	// open says that more text, which is not known, stands behind that of each property.
	open bool
}

// js returns the site as a call in JavaScript. more is an expression whose value stands behind the texts.
func (s site) js(more string) string {
	if !s.open {
		return "tools." + s.tool + "(" + quoted(s.input) + ")"
	}
	var fields []string
	for _, name := range slices.Sorted(maps.Keys(s.input)) {
		fields = append(fields, name+": "+quoted(s.input[name])+" + "+more)
	}
	return "tools." + s.tool + "({" + strings.Join(fields, ", ") + "})"
}

func quoted(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic("code: " + err.Error())
	}
	return string(body)
}

// writer writes a program.
type writer struct {
	dice.Dice
	Program
	tools []Tool
	form  form
	lines []string
	// calls is how many calls the program makes at most, and names how many variables it has.
	calls, names int
}

// mostSites is how many calls of tools a program makes.
const mostSites = 10

// Draw returns a program that calls tools.
func Draw(d dice.Dice, tools []Tool) *Program {
	w := &writer{Dice: d, tools: tools, form: form(d.Under(4)), lines: []string{"const out = []"}}
	if w.Chance(24) {
		w.breaks()
		return &w.Program
	}
	if w.Chance(12) {
		w.attack()
	}
	for range 1 + w.Under(4) {
		w.step()
	}
	w.finish()
	w.Text = w.whole()
	return &w.Program
}

// write adds a line.
func (w *writer) write(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
}

// line is the number of the next line.
func (w *writer) line() int {
	if w.form == fenced {
		return len(w.lines) + 2
	}
	return len(w.lines) + 1
}

// name returns the name of a new variable.
func (w *writer) name() string {
	w.names++
	return fmt.Sprint("v", w.names)
}

// site draws a call.
func (w *writer) site() site {
	w.calls++
	t := w.tools[w.Under(len(w.tools))]
	s := site{tool: t.Name, input: map[string]string{}}
	for _, name := range t.Properties {
		if t.Values != nil {
			s.input[name] = t.Values(w.Dice, name)
			continue
		}
		s.input[name] = "about " + w.Word() + w.Word()
	}
	return s
}

func (w *writer) sites(least, more int) (all []site) {
	for range least + w.Under(more) {
		all = append(all, w.site())
	}
	return all
}

// add adds a step that is written in the next line.
func (w *writer) add(k kind, sites ...site) {
	w.steps = append(w.steps, step{kind: k, line: w.line(), sites: sites})
}

// form is one of the forms that code may have.
type form int

const (
	statements form = iota
	arrow
	declared
	fenced
)

// whole returns the lines in the program's form.
func (w *writer) whole() string {
	text := strings.Join(w.lines, "\n")
	switch w.form {
	case arrow: // the first line has to stay the first
		return "async () => { " + text + "\n}"
	case declared:
		return "async function main() { " + text + "\n}"
	case fenced:
		return "```js\n" + text + "\n```"
	}
	return text
}
