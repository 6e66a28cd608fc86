package run

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// without returns the columns with something else in the place of some of them.
func without(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(columns) }

var (
	// brief are the columns without what can be large: what the helper was asked, and what
	// came of it.
	brief = without("input, prompt, schema", "'', '', ''", "summary, output, failure", "'', '', ''")
	// cancelled are those with the words that the helper is told.
	cancelled = without("input, prompt, schema", "'', '', ''", "summary, output", "'', ''")
	// shown are those of which browsers are told.
	shown = without("input, prompt, schema", "'', '', ''", "summary, output", "CASE status WHEN 'completed' THEN summary ELSE '' END, ''")
	// bare are those of [brief] without what can be said of a run besides its name.
	bare = without("input, prompt, schema, preview, display", "'', '', '', '', ''", "summary, output, failure", "'', '', ''", "progress", "''")
	// listed are the columns with what came of the run where that is short.
	listed = without("input, prompt, schema", "'', '', ''", "summary, output, failure",
		"SUBSTR(summary, 1, 1000), CASE WHEN LENGTH(output) > 1000 THEN '' ELSE output END, SUBSTR(failure, 1, 1000)")
)

// Find returns a run by its id.
func Find(tx *durable.Tx, id string) (Run, bool) {
	for _, row := range tx.SQL(`SELECT `+columns+` FROM run WHERE id = ?`, id) {
		return scan(row), true
	}
	return Run{}, false
}

// Every returns all runs that are kept, oldest first. Like every list but [Shown] and
// [List], it leaves out what they were asked, and what came of them.
func Every(tx *durable.Tx) []Run {
	return all(tx.SQL(`SELECT ` + brief + ` FROM run ORDER BY seq`))
}

// Newest is a number beyond those of all runs.
const Newest = 1<<53 - 1

// Shown returns those of [Every] that began before the run with a number, newest first and
// at most limit, with how they ended. It leaves out those that a person has cleared: one
// whose end is still owed to a handler is kept until that has taken it.
func Shown(tx *durable.Tx, before int64, limit int) []Run {
	return all(tx.SQL(`SELECT `+shown+` FROM run WHERE seq < ? AND id NOT IN (SELECT run FROM letter WHERE last = 1)
		ORDER BY seq DESC LIMIT ?`, before, limit))
}

// UnfinishedBefore returns those of the [Unfinished] that began before the run with a
// number, newest first, with nothing that can be large.
func UnfinishedBefore(tx *durable.Tx, before int64) []Run {
	return all(tx.SQL(`SELECT `+bare+` FROM run WHERE ended_at = 0 AND seq < ? ORDER BY seq DESC`, before))
}

// Filter chooses runs.
type Filter struct {
	// Status keeps those of these statuses; none are all.
	Status []Status `json:"status"`
	// Detached keeps those that are detached.
	Detached bool `json:"detached"`
	// Limit is how many, the newest of them; 0 is [DefaultLimit].
	Limit int `json:"limit"`
}

// The limits of a list.
const (
	DefaultLimit = 50
	MaxLimit     = 500
)

// List returns the runs that a filter chooses, newest first. Of what came of a run it has
// the first 1,000 characters, and no output that is longer: [Find] has all of it.
func List(tx *durable.Tx, f Filter) []Run {
	if f.Limit <= 0 {
		f.Limit = DefaultLimit
	}
	return all(tx.SQL(`SELECT `+listed+` FROM run WHERE (? = 0 OR status IN (SELECT value FROM json_each(?)))
		AND (? = 0 OR handler != '') ORDER BY seq DESC LIMIT ?`, len(f.Status), statusList(f.Status), f.Detached, min(f.Limit, MaxLimit)))
}

// Active returns the runs that hold a slot and are not final, oldest first: what a
// parent goes on with in a new life.
func Active(tx *durable.Tx) []Run {
	return all(tx.SQL(`SELECT ` + brief + ` FROM run WHERE slot > 0 AND ended_at = 0 ORDER BY seq`))
}

// Unfinished returns the runs that are not final: those that wait for a slot first, so
// that stopping one lets none of the others in.
func Unfinished(tx *durable.Tx) []Run {
	return all(tx.SQL(`SELECT ` + brief + ` FROM run WHERE ended_at = 0 ORDER BY slot > 0, seq`))
}

// OfTurn returns those of the [Unfinished] that belong to a turn.
func OfTurn(tx *durable.Tx, turn int64) []Run {
	return all(tx.SQL(`SELECT `+brief+` FROM run WHERE turn = ? AND ended_at = 0 ORDER BY slot > 0, seq`, turn))
}

// StoppedWith returns those of the [Unfinished] that are detached and stopped with a turn.
func StoppedWith(tx *durable.Tx, turn int64) []Run {
	return all(tx.SQL(`SELECT `+brief+` FROM run WHERE stops_with = ? AND stops_with > 0 AND ended_at = 0 ORDER BY slot > 0, seq`, turn))
}

// ToCancel returns the runs whose helpers have still to be told that they are
// cancelled, oldest first.
func ToCancel(tx *durable.Tx) []Run {
	return all(tx.SQL(`SELECT ` + cancelled + ` FROM run WHERE cancel_due = 1 ORDER BY seq`))
}

// statusList is the JSON array of some statuses.
func statusList(statuses []Status) string {
	list, err := json.Marshal(append([]Status{}, statuses...)) // a list, never null
	if err != nil {
		panic("run: " + err.Error())
	}
	return string(list)
}
