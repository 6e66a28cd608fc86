package run

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// without returns the columns with some of them replaced.
func without(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(columns) }

var (
	// brief are the columns without the large ones: the helper's input and the run's result.
	brief = without("input, prompt, schema", "'', '', ''", "summary, output, failure", "'', '', ''")
	// cancelled are the brief columns with the failure text that the helper is told.
	cancelled = without("input, prompt, schema", "'', '', ''", "summary, output", "'', ''")
	// shown are the columns that browsers see.
	shown = without("input, prompt, schema", "'', '', ''", "summary, output", "CASE status WHEN 'completed' THEN summary ELSE '' END, ''")
	// bare are the columns of [brief] without everything that describes a run besides its name.
	bare = without("input, prompt, schema, preview, display", "'', '', '', '', ''", "summary, output, failure", "'', '', ''", "progress", "''")
	// listed are the columns with the run's result if it is short.
	listed = without("input, prompt, schema", "'', '', ''", "summary, output, failure",
		"SUBSTR(summary, 1, 1000), CASE WHEN LENGTH(output) > 1000 THEN '' ELSE output END, SUBSTR(failure, 1, 1000)")
)

// Find returns a run by its id.
func Find(tx *durable.Tx, id string) (Run, bool) { return find(tx, columns, id) }

// FindBrief is [Find] without the input and the result, which can be large. It is for work that is
// done with every chunk, and reads the row of a run that goes on unchanged only once.
func FindBrief(tx *durable.Tx, id string) (Run, bool) {
	c := durable.Kept[unchanged](tx)
	if r, ok := c.runs[id]; ok {
		return r, true
	}
	r, ok := find(tx, brief, id)
	if ok && !r.Status.Final() {
		if c.runs == nil {
			c.runs = map[string]Run{}
		}
		c.runs[id] = r
	}
	return r, ok
}

func find(tx *durable.Tx, columns, id string) (Run, bool) {
	for _, row := range tx.SQL(`SELECT `+columns+` FROM run WHERE id = ?`, id) {
		return scan(row), true
	}
	return Run{}, false
}

// Every returns all runs that are kept, oldest first. Like every list except [Shown], [List] and
// [Page], it leaves out inputs and results.
func Every(tx *durable.Tx) []Run {
	return all(tx.SQL(`SELECT ` + brief + ` FROM run ORDER BY seq`))
}

// Newest is a number above those of all runs.
const Newest = 1<<53 - 1

// Shown returns the runs of [Every] that began before the run with a number, newest first and at
// most limit, with their results. It leaves out runs that a person has cleared. A cleared run stays
// stored until the handler of its delivery has taken it.
func Shown(tx *durable.Tx, before int64, limit int) []Run {
	return all(tx.SQL(`SELECT `+shown+` FROM run WHERE seq < ? AND NOT EXISTS (SELECT 1 FROM letter WHERE run = id AND last = 1)
		ORDER BY seq DESC LIMIT ?`, before, limit))
}

// ShownAmong returns the runs of [Shown] with some numbers, oldest first.
func ShownAmong(tx *durable.Tx, numbers []int64) []Run {
	return all(tx.SQL(`SELECT `+shown+` FROM run WHERE seq IN (SELECT value FROM json_each(?)) AND id NOT IN (SELECT run FROM letter WHERE last = 1)
		ORDER BY seq`, string(limit.MustMarshal(numbers))))
}

// UnfinishedBefore returns the runs of [Unfinished] that began before the run with a number, newest
// first, without the columns that can be large.
func UnfinishedBefore(tx *durable.Tx, before int64) []Run {
	return all(tx.SQL(`SELECT `+bare+` FROM run WHERE ended_at = 0 AND seq < ? ORDER BY seq DESC`, before))
}

// Active returns the runs that hold a slot and are not final, oldest first. A parent resumes them
// in a new life.
func Active(tx *durable.Tx) []Run {
	return all(tx.SQL(`SELECT ` + brief + ` FROM run WHERE slot > 0 AND ended_at = 0 ORDER BY seq`))
}

// Place says how far the logs of all unfinished runs have come.
func Place(tx *durable.Tx) int64 {
	return tx.Number(`SELECT COUNT(*) + COALESCE(SUM(next), 0) FROM run WHERE ended_at = 0`)
}

// Unfinished returns the runs that are not final. Runs that wait for a slot come first, so that
// stopping the list in order starts none of them.
func Unfinished(tx *durable.Tx) []Run {
	return all(tx.SQL(`SELECT ` + brief + ` FROM run WHERE ended_at = 0 ORDER BY slot > 0, seq`))
}

// OfTurn returns the runs of [Unfinished] that belong to a turn.
func OfTurn(tx *durable.Tx, turn int64) []Run {
	return all(tx.SQL(`SELECT `+brief+` FROM run WHERE turn = ? AND ended_at = 0 ORDER BY slot > 0, seq`, turn))
}

// StoppedWith returns the runs of [Unfinished] that are detached and stop with a turn.
func StoppedWith(tx *durable.Tx, turn int64) []Run {
	return all(tx.SQL(`SELECT `+brief+` FROM run WHERE stops_with = ? AND stops_with > 0 AND ended_at = 0 ORDER BY slot > 0, seq`, turn))
}

// UnacknowledgedCancels returns the runs whose helpers have not acknowledged the cancellation.
func UnacknowledgedCancels(tx *durable.Tx) []Run {
	return all(tx.SQL(`SELECT ` + cancelled + ` FROM run WHERE cancel_due = 1 ORDER BY seq`))
}

// statusList returns the JSON array of some statuses.
func statusList(statuses []Status) string {
	return string(limit.MustMarshal(append([]Status{}, statuses...))) // a list, never null
}
