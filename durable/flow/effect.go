package flow

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// ErrDoubtful is the error of an operation that may or may not have had its effect: a request that
// was sent and not answered.
var ErrDoubtful = errors.New("flow: it may or may not have happened")

// Effects is what a journal knows of the effects that code has had outside of its object.
type Effects struct {
	// Begun says that something was begun that can have an effect: a request that is not a question,
	// a helper, a step of its own.
	Begun bool
	// Doubtful says that such an operation has ended in a way that leaves its effect unknown.
	Doubtful bool
}

// Since returns the effects of what was begun behind an await of the code, in its branch and in the
// branches that began there.
func (c *Context) Since(p *Pending) Effects {
	j := p.routine.journal
	from := j.entries[p.position]
	branches := map[int]bool{}
	var found Effects
	for position := p.position + 1; position < j.next; position++ {
		e := j.entries[position]
		if e == nil || !branches[e.branch] && (e.branch != from.branch || e.place <= from.place) {
			continue
		}
		branches[position] = true
		if e.harmless() {
			continue
		}
		found.Begun = true
		found.Doubtful = found.Doubtful || e.doubtful()
	}
	return found
}

// harmless says whether an await can have had no effect outside of the journal, by its name.
func (e *entry) harmless() bool {
	if e.reason == neverStarted {
		return true
	}
	if e.step != nil { // an author's name, which may be any
		return false
	}
	for _, name := range []string{"sleep", "sleep until", "within", "now", "pause"} {
		if e.name == name {
			return true
		}
	}
	for _, prefix := range []string{"random ", "attempt ", "branch ", "step variable ", "receive ", "question ", "action ", "step action "} {
		if strings.HasPrefix(e.name, prefix) {
			return true
		}
	}
	request, isFetch := strings.CutPrefix(e.name, "fetch ")
	method, _, _ := strings.Cut(request, " ")
	return isFetch && slices.Contains(questions, method)
}

// doubtful says whether it is unknown if an await that can have an effect had one.
func (e *entry) doubtful() bool {
	switch {
	case e.ended == 0, e.reason != "":
		return true
	case !strings.HasPrefix(e.name, "fetch "):
		return false
	case e.failure == "":
		var r Response
		return json.Unmarshal(e.result, &r) != nil || r.Repeated && r.Status/100 != 2
	}
	var f FetchError
	return json.Unmarshal(e.result, &f) != nil || !f.Unsent
}

// Exists says whether a routine has a journal: it has begun something, and its owner has not
// forgotten it.
func Exists(tx *durable.Tx, routine string) bool {
	return len(tx.SQL(`SELECT 1 FROM await WHERE routine = ? LIMIT 1`, routine)) > 0
}

// Routine returns the id of the code's routine.
func (c *Context) Routine() string { return c.routine.journal.routine }

// SetKey sets the key that the code of the branch sends to servers, see [KeyOf], and returns the one
// before. "" is for none. Branches that begin behind it have the key too.
func SetKey(c Awaiter, key string) (before string) {
	s := c.context().routine.running()
	before, s.key = s.key, key
	return before
}

// KeyOf returns a key by which a server recognises a request that is made again: the one of
// [SetKey], or that of the step around it, see [Attempt.Key]. Elsewhere it is made by chance, and
// journaled.
func KeyOf(c Awaiter) string {
	r := c.context().routine
	s := r.running()
	if s.key != "" {
		return s.key
	}
	if e := r.journal.stepAround(s.in); e != nil {
		return r.keyOf(e)
	}
	return hex.EncodeToString(Random(c, 16))
}
