package run

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Filter chooses runs. A run is chosen if every field that is set fits it.
type Filter struct {
	// Status keeps the runs with one of these statuses. An empty list keeps all.
	Status []Status `json:"status"`
	// Detached keeps only detached runs.
	Detached bool `json:"detached"`
	// Workflow keeps the runs of the helper with this class name.
	Workflow string `json:"workflow"`
	// Label keeps the runs that have this label, with this value.
	Label *Label `json:"label"`
	// Origin keeps the runs that the helper of the run with this id has begun, or a helper below that
	// one, and that this object hosts for it. It is the id of a run on the path of [Run.Origin].
	Origin string `json:"origin"`
	// BegunAfter and BegunBefore keep the runs that began later, or earlier, than a time in
	// milliseconds since 1970. 0 keeps all.
	BegunAfter  int64 `json:"begunAfter"`
	BegunBefore int64 `json:"begunBefore"`
	// Cursor is where the page begins: the cursor that came with the page before, or "" for the first.
	Cursor string `json:"cursor"`
	// Limit is the maximum number; the newest are listed. 0 means [DefaultLimit]. A larger number than
	// [MaxLimit], or for a page than [MaxPage], counts as that.
	Limit int `json:"limit"`
}

// The limits of a list.
const (
	DefaultLimit = 50
	MaxLimit     = 500
	// MaxPage is the maximum size of a page, and how many runs are deleted at once.
	MaxPage = 100
)

// Check says which field of a filter is wrong.
func (f Filter) Check() error {
	for _, s := range f.Status {
		if !s.Final() && follows[s] == nil {
			return fmt.Errorf("status: a run is never %.40q", string(s))
		}
	}
	if f.Label != nil {
		if err := checkLabel(*f.Label); err != nil {
			return fmt.Errorf("label: %w", err)
		}
	}
	_, err := strconv.ParseUint(f.Cursor, 10, 53)
	switch {
	case len(f.Status) > maxStatuses:
		return fmt.Errorf("status: %d statuses, at most %d", len(f.Status), maxStatuses)
	case len(f.Workflow) > limit.ID:
		return fmt.Errorf("workflow: a name of %d bytes, at most %d", len(f.Workflow), limit.ID)
	case len(f.Origin) > limit.ID:
		return fmt.Errorf("origin: an id of %d bytes, at most %d", len(f.Origin), limit.ID)
	case f.BegunAfter < 0:
		return fmt.Errorf("begunAfter: %d is no time", f.BegunAfter)
	case f.BegunBefore < 0:
		return fmt.Errorf("begunBefore: %d is no time", f.BegunBefore)
	case f.Cursor != "" && err != nil:
		return fmt.Errorf("cursor: %.40q did not come with a page", f.Cursor)
	case f.Limit < 0:
		return fmt.Errorf("limit: %d is no number of runs", f.Limit)
	}
	return nil
}

// maxStatuses is how many statuses a filter can name.
const maxStatuses = 16

// chosen is the SQL condition for the runs that a filter chooses. The cursor is the number of the
// last run of the page before, so that it does not matter whether that run is still there.
const chosen = `seq < ? AND (? = 0 OR status IN (SELECT value FROM json_each(?)))
	AND (? = 0 OR handler != '' OR restart LIKE '{"of":%') AND (? = '' OR class = ?) AND begun_at > ? AND (? = 0 OR begun_at < ?)
	AND (? = '' OR EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(labels) THEN labels END) l WHERE l.key = ? AND l.value = ?))
	AND (? = '' OR EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(origin) THEN origin END, '$.path') h WHERE json_extract(h.value, '$.runId') = ?))`

// arguments are the arguments of [chosen].
func (f Filter) arguments() []any {
	before, err := strconv.ParseInt(f.Cursor, 10, 64)
	if err != nil {
		before = Newest
	}
	after := f.BegunAfter
	if after == 0 {
		after = -1
	}
	var label Label
	if f.Label != nil {
		label = *f.Label
	}
	return []any{
		before, len(f.Status), statusList(f.Status), f.Detached, f.Workflow, f.Workflow,
		after, f.BegunBefore, f.BegunBefore, label.Key, label.Key, label.Value, f.Origin, f.Origin,
	}
}

// List returns the runs that a filter chooses, newest first. It has the first 1,000 characters of a
// run's result, and no longer output; [Find] has all of it.
func List(tx *durable.Tx, f Filter) []Run {
	return newest(tx, f, min(cmp.Or(f.Limit, DefaultLimit), MaxLimit))
}

func newest(tx *durable.Tx, f Filter, most int) []Run {
	return all(tx.SQL(`SELECT `+listed+` FROM run WHERE `+chosen+` ORDER BY seq DESC LIMIT ?`, append(f.arguments(), most)...))
}

// Page is [List] for a page, and returns the cursor of the next page, or "" if there is none.
func Page(tx *durable.Tx, f Filter) (runs []Run, cursor string) {
	most := min(cmp.Or(f.Limit, DefaultLimit), MaxPage)
	runs = newest(tx, f, most+1)
	if len(runs) > most {
		runs = slices.Clip(runs[:most])
		cursor = strconv.FormatInt(runs[most-1].Seq, 10)
	}
	return runs, cursor
}

// Deletable returns the runs that a filter chooses and that can be deleted: they are over, and no
// handler has still to be given their end. They are the newest, at most [MaxPage] of them.
func Deletable(tx *durable.Tx, f Filter) []Run {
	return all(tx.SQL(`SELECT `+brief+` FROM run WHERE ended_at > 0 AND id NOT IN (SELECT run FROM letter WHERE state != 'dead')
		AND `+chosen+` ORDER BY seq DESC LIMIT ?`, append(f.arguments(), min(cmp.Or(f.Limit, MaxPage), MaxPage))...))
}
