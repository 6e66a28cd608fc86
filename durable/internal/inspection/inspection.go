// Package inspection reads an object's storage for developers.
package inspection

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// Inspection is a view of an object's storage for developers.
type Inspection struct {
	Class string `json:"class"`
	Name  string `json:"name"`
	// Now is the object's clock, in milliseconds since 1970.
	Now int64 `json:"now"`
	// Usage is what model calls have used since the object began, with all helpers below it. Own is
	// its own part.
	Usage run.Usage `json:"usage"`
	Own   run.Usage `json:"own"`
	// Helpers are the newest runs whose helpers are kept.
	Helpers []Helper `json:"helpers"`
	// Costs are what the object and those below it have used since they came into memory. A helper
	// that has not been in memory since the root came there is not among them, and is not woken.
	Costs []durable.Cost `json:"costs"`
	// Sections say what code is doing and what people are asked, as far as there is any of it.
	Sections []Table `json:"sections"`
	Tables   []Table `json:"tables"`
}

// Helper is a run and the helper that works for it.
type Helper struct {
	Run   string `json:"run"`
	Class string `json:"class"`
	// Path is the helper's path among the costs.
	Path string `json:"path"`
	// Usage is what the run has used since it began, with all helpers below it.
	Usage run.Usage `json:"usage"`
}

// Table holds the newest rows of one table. A long text is cut, and a blob is shown as its size.
type Table struct {
	Name    string        `json:"name"`
	Columns []string      `json:"columns"`
	Rows    []durable.Row `json:"rows"`
	// Total is how many rows there are.
	Total int64 `json:"total"`
}

// The limits of an inspection.
const (
	// inspectedRows is how many rows of a table are shown, and how many helpers.
	inspectedRows = 50
	// inspectedText is how much of a text is shown, in characters.
	inspectedText = 400
)

// listing is a table and the order of its rows.
type listing struct{ table, order string }

// inspected are the tables that developers look at first, each in a useful order. All other tables
// follow.
var inspected = []listing{
	{"turn", "seq DESC"},
	{"step", "turn DESC, n DESC"},
	{"tool_call", "turn DESC, step DESC, n DESC"},
	{"run", "seq DESC"},
	{"letter", "run"},
	{"caller", "turn DESC"},
	{"waiter", "routine, position"},
	{"milestone_waiter", "routine, position"},
	{"signal", "seq DESC"},
	{"signal_count", "run"},
	{"await", "routine DESC, position DESC"},
	{"inbox", "id"},
	{"inbox_signal", "seq DESC"},
	{"task", "turn DESC"},
	{"ask", "seq DESC"},
	{"question", "seq DESC"},
	{"answered", "seq DESC"},
	{"action", "seq DESC"},
	{"action_waiter", "n DESC"},
	{"action_up", "n DESC"},
	{"action_finished", "at DESC"},
	{"schedule", "due, kind, id"},
	{"spent", "turn DESC"},
	{"message", "place DESC"},
	{"chunk", "stream DESC, first DESC"},
	{"milestone", "stream DESC, n DESC"},
	{"slot", "n"},
	{"answer", "seq DESC"},
	{"offer", "conn"},
	{"early", "conn"},
	{"drill", "conn"},
	{"authorized", "until"},
	{"setting", "key"},
	{"damage", "n DESC"},
}

// Read returns what the storage holds, and what the object and its helpers have cost. Own is what its
// own model calls have used. A caller must not show it outside of a developer's machine:
// the rows hold everything that was ever said, and more than the page shows. Of claims they show the
// subject alone.
//
// The costs are read first, because nothing that follows is counted.
func Read(tx *durable.Tx, class, name string, own run.Usage, shown func() Shown) Inspection {
	i := Inspection{Class: class, Name: name, Now: tx.Now, Own: own, Costs: tx.Costs()}
	i.Usage = own.Add(run.Spent(tx, 0))
	i.Helpers = helpers(tx)
	i.Sections = sections(tx, shown())
	for _, l := range listings(tx) {
		i.Tables = append(i.Tables, inspect(tx, l.table, l.order))
	}
	return i
}

func helpers(tx *durable.Tx) []Helper {
	list := []Helper{}
	for _, row := range tx.SQL(`SELECT id, class, slot, input_tokens, output_tokens, model_calls FROM run
		WHERE slot > 0 ORDER BY seq DESC LIMIT ?`, inspectedRows) {
		list = append(list, Helper{
			Run: row.Text(0), Class: row.Text(1), Path: facet.SlotName(int(row.Int(2))),
			Usage: run.Usage{InputTokens: row.Int(3), OutputTokens: row.Int(4), ModelCalls: row.Int(5)},
		})
	}
	return list
}

// hidden begins the names of the tables of the Model Context Protocol, of which nobody is shown a row: they
// have headers, tokens, sessions and keys. Sections say what can be said of them.
const hidden = "mcp_"

// listings are all tables that are made, except for those that are [hidden]. The names of the platform's
// own tables begin with _cf.
func listings(tx *durable.Tx) []listing {
	var list []listing
	for _, l := range inspected {
		if tx.Made(l.table) {
			list = append(list, l)
		}
	}
	for _, row := range tx.SQL(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND SUBSTR(name, 1, 3) <> '_cf' ORDER BY name`) {
		name := row.Text(0)
		if !strings.HasPrefix(name, hidden) && !slices.ContainsFunc(inspected, func(l listing) bool { return l.table == name }) {
			list = append(list, listing{name, "1"})
		}
	}
	return list
}

func inspect(tx *durable.Tx, table, order string) Table {
	t := Table{Name: table, Rows: []durable.Row{}}
	var shown []string
	for _, row := range tx.SQL(`SELECT name FROM pragma_table_info(?)`, table) {
		name := row.Text(0)
		if name == "claims" { // of claims the subject alone is shown
			t.Columns = append(t.Columns, "subject")
			shown = append(shown, `CASE WHEN JSON_VALID(claims) THEN SUBSTR(CASE JSON_TYPE(claims, '$.sub') WHEN 'text' THEN JSON_EXTRACT(claims, '$.sub') END, 1, ?) END`)
			continue
		}
		t.Columns = append(t.Columns, name)
		shown = append(shown, `CASE TYPEOF(`+name+`) WHEN 'text' THEN SUBSTR(`+name+`, 1, ?) WHEN 'blob' THEN LENGTH(`+name+`) ELSE `+name+` END`)
	}
	args := make([]any, 0, len(shown)+1)
	for range shown {
		args = append(args, inspectedText)
	}
	t.Rows = append(t.Rows, tx.SQL(`SELECT `+strings.Join(shown, ", ")+` FROM `+table+` ORDER BY `+order+` LIMIT ?`, append(args, inspectedRows)...)...)
	t.Total = tx.Number(`SELECT COUNT(*) FROM ` + table)
	return t
}
