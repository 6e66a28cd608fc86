package flow

import (
	"encoding/hex"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about the rows of steps with attempts. The branch of a step has the pause before an
// attempt and the attempt, which is its time limit. The branch of the attempt has what the author's
// code awaits.

// step is what an entry has if it is a step with attempts.
type step struct {
	// nth is the number among the steps of its name.
	nth int
	// attempts is how many attempts have ended and are counted, and lost how many are not.
	attempts, lost int
	// wasLost says that the last attempt was lost.
	wasLost bool
	// doubt says that an attempt has failed and may have had an effect all the same.
	doubt bool
	// salt makes keys differ between objects, which do not know their names. Only a step that is not
	// inside of another one has it.
	salt []byte
}

// last returns the number of the last attempt.
func (s *step) last() int {
	if s.wasLost && s.lost > 0 {
		return s.attempts + 1
	}
	return max(s.attempts, 1)
}

// stepAround returns the innermost step that a branch is inside of, or nil.
func (j *journal) stepAround(branch int) *entry {
	for branch != Main {
		e := j.entries[branch]
		if e == nil {
			return nil
		}
		if e.step != nil {
			return e
		}
		branch = e.branch
	}
	return nil
}

// path names an await by its place and the places of the branches around it. An attempt has no part
// in it, so what is inside of a step has the same path in each attempt.
func (j *journal) path(e *entry) string {
	path := strconv.Itoa(e.place)
	for branch := e.branch; branch != Main; {
		around := j.entries[branch]
		if around == nil {
			break
		}
		if attempted := j.entries[around.branch]; attempted != nil && attempted.step != nil {
			around = attempted
		}
		path = strconv.Itoa(around.place) + "/" + path
		branch = around.branch
	}
	return path
}

// keyOf returns the key of a step.
func (r *Routine) keyOf(e *entry) string {
	outermost := e
	for around := e; around != nil; around = r.journal.stepAround(around.branch) {
		outermost = around
	}
	hash := fnv.New128a() // the salt makes it good enough: nobody can choose what is hashed
	_, _ = hash.Write([]byte(string(outermost.step.salt) + r.options.Inbox + "\n" + r.journal.path(e)))
	return hex.EncodeToString(hash.Sum(nil))
}

// beginStep writes the row of a new step.
func (j *journal) beginStep(tx *durable.Tx, e *entry) {
	if j.steps == nil {
		j.steps = map[string]int{}
		for _, have := range j.entries {
			if have.step != nil {
				j.steps[have.name] = max(j.steps[have.name], have.step.nth)
			}
		}
	}
	j.steps[e.name]++
	e.step = &step{nth: j.steps[e.name], salt: []byte{}}
	if !e.inside {
		e.step.salt = make([]byte, 16)
		tx.Random(e.step.salt)
	}
	tx.SQL(`INSERT INTO await (routine, position, branch, place, name, nth, salt, seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		e.key.Routine, e.key.Position, e.branch, e.place, e.name, e.step.nth, e.step.salt, j.seen)
}

// failAttempt stores that an attempt has failed. The awaits inside of the step are deleted.
func (j *journal) failAttempt(tx *durable.Tx, e *entry, words string) {
	reason := Reason("")
	switch {
	case e.step.wasLost:
		reason = lost
	case e.step.doubt:
		reason = inDoubt
	}
	tx.SQL(`UPDATE await SET attempts = ?, lost = ?, reason = ?, error = ?, next = ? WHERE routine = ? AND position = ?`,
		e.step.attempts, e.step.lost, string(reason), words, j.next, j.routine, e.key.Position)
	j.removeInside(tx, e)
	j.ended = 0
	for _, have := range j.entries {
		j.ended = max(j.ended, have.ended)
	}
}

// endStep stores the end of a step. The awaits inside of it are deleted.
func (j *journal) endStep(tx *durable.Tx, e *entry, result []byte, reason Reason, failure, last string) {
	tx.SQL(`UPDATE await SET attempts = ?, lost = ?, error = ?, next = ? WHERE routine = ? AND position = ?`,
		e.step.attempts, e.step.lost, last, j.next, j.routine, e.key.Position)
	j.complete(tx, e, result, reason, failure)
	j.removeInside(tx, e)
}

// lastError returns what the last attempt of a step has failed with, or "".
func (j *journal) lastError(tx *durable.Tx, e *entry) string {
	if e.step.attempts+e.step.lost == 0 {
		return ""
	}
	for _, row := range tx.SQL(`SELECT error FROM await WHERE routine = ? AND position = ?`, j.routine, e.key.Position) {
		return row.Text(0)
	}
	return ""
}

// insideOf returns the awaits that were begun inside of a step, the last first.
func (j *journal) insideOf(e *entry) (all []*entry) {
	for branches := []int{e.key.Position}; len(branches) > 0; {
		list := j.branches[branches[0]]
		branches = branches[1:]
		for _, have := range list {
			branches = append(branches, have.key.Position)
		}
		all = append(all, list...)
	}
	return lastFirst(all)
}

// lostInside says whether a request inside of a step was lost with its instance.
func (j *journal) lostInside(e *entry) bool {
	return slices.ContainsFunc(j.insideOf(e), func(have *entry) bool { return have.ended > 0 && have.reason == lost })
}

// doubtInside says whether something that was begun inside of a step, and has failed, may have had
// an effect all the same.
func (j *journal) doubtInside(e *entry) bool {
	return slices.ContainsFunc(j.insideOf(e), func(have *entry) bool { return !have.harmless() && have.doubtful() })
}

// removeInside deletes the awaits inside of a step.
func (j *journal) removeInside(tx *durable.Tx, e *entry) {
	var positions []int
	for _, have := range j.insideOf(e) {
		positions = append(positions, have.key.Position)
		delete(j.entries, have.key.Position)
		delete(j.branches, have.branch)
		j.bytes -= len(have.result)
		j.inside--
		if have.step != nil {
			j.steps = nil
		}
	}
	if len(positions) > 0 {
		tx.SQL(`DELETE FROM await WHERE routine = ? AND position IN (SELECT value FROM json_each(?))`,
			j.routine, string(limit.MustMarshal(positions)))
	}
}

// cancelInside cancels what was begun inside of a step and has not ended, and ends its branches.
func (r *Routine) cancelInside(e *entry, why Reason) {
	for _, have := range r.journal.insideOf(e) {
		r.cancel(have, why)
	}
}

// cancelStep ends a step whose branch is cancelled.
func (r *Routine) cancelStep(e *entry, why Reason) {
	if e.ended > 0 {
		return
	}
	r.cancelInside(e, why)
	r.journal.endStep(r.tx, e, nil, why, why.text(), r.journal.lastError(r.tx, e))
}
