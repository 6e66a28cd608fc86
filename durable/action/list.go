package action

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// MaxPage is how many actions a page of a list has at most.
const MaxPage = 100

// Filter chooses actions. A field that is empty chooses all. Before is the number behind which a
// page goes on, towards older actions, or 0.
type Filter struct {
	Tool, Key, Run, Call string
	// States are no more than there are, see [Filter.Check].
	States []State
	Before int64
	Limit  int
}

// Check says what is wrong with a filter. Each state that it names is a parameter of a statement, of
// which the platform allows a hundred.
func (f Filter) Check() error {
	if len(f.States) > len(States) {
		return fmt.Errorf("the filter names %d states, and there are %d", len(f.States), len(States))
	}
	for _, s := range f.States {
		if !slices.Contains(States, s) {
			return fmt.Errorf("%.40q is no state of an action: there are %q", string(s), States)
		}
	}
	return nil
}

// List returns a page of actions, newest first. It leaves out their inputs, and shortens their
// results to a preview. more says that there are older ones.
func List(tx *durable.Tx, f Filter, preview int) (list []Action, more bool) {
	limit := f.Limit
	if limit <= 0 || limit > MaxPage {
		limit = MaxPage
	}
	where, args := []string{"1"}, []any{preview + 1}
	add := func(condition string, values ...any) {
		where, args = append(where, condition), append(args, values...)
	}
	if f.Before > 0 {
		add("seq < ?", f.Before)
	}
	for _, field := range []struct{ column, value string }{{"tool", f.Tool}, {"key", f.Key}, {"run", f.Run}, {"call", f.Call}} {
		if field.value != "" {
			add(field.column+" = ?", field.value)
		}
	}
	if len(f.States) > 0 {
		var states []any
		for _, s := range f.States {
			states = append(states, string(s))
		}
		add("state IN (?"+strings.Repeat(", ?", len(states)-1)+")", states...)
	}
	rows := tx.SQL(`SELECT seq, key, tool, digest, state, owner, call, run, request, asked_by, approved_by, at, ended_at, attempts, failure, sent,
		NULL, SUBSTR(result, 1, ?) FROM action WHERE `+strings.Join(where, " AND ")+` ORDER BY seq DESC LIMIT ?`, append(args, limit+1)...)
	for _, row := range rows {
		list = append(list, read(row))
	}
	if len(list) > limit {
		return list[:limit], true
	}
	return list, false
}
