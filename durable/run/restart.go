package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Restart connects a run with the run that it repeats, and with the run that repeats it.
type Restart struct {
	// Of is the run that this one repeats, and As the last one that repeats it.
	Of string `json:"of,omitempty"`
	As string `json:"as,omitempty"`
	// From is the step before which the journal of that run is copied, or "" for a run that begins
	// anew. Base is the run whose id names what the copied journal has begun.
	From string `json:"from,omitempty"`
	Base string `json:"base,omitempty"`
	// Copied is how many awaits the helper has acknowledged, and Ready says that it has all.
	Copied int  `json:"copied,omitempty"`
	Ready  bool `json:"ready,omitempty"`
	// Last is the greatest number that a restart of this run has been given, or a restart of a restart of it, and so on.
	// Such a run may be forgotten before this one, and its id is not given again.
	Last int `json:"last,omitempty"`
}

// Detached says that no turn and no code waits for the run. A run that repeats another one is
// detached also if that one was not: the turn of that one is over.
func (r Run) Detached() bool { return r.Handler != "" || r.Restart.Of != "" }

// Copying says whether a journal has still to be copied.
func (s Restart) Copying() bool { return s.From != "" && !s.Ready }

func (s Restart) stored() string {
	if s == (Restart{}) {
		return ""
	}
	return string(limit.MustMarshal(s))
}

// readRestart reads what a row says of restarts. A damaged text says nothing.
func readRestart(stored json.RawMessage) (s Restart) {
	if stored == nil || json.Unmarshal(stored, &s) != nil {
		return Restart{}
	}
	return s
}

// Again returns the run that repeats a run that is over, from its beginning or from a step of it.
// The new run has an id that no other restart has had. It belongs to no turn, and works for by, who restarts
// it, with the scopes that the claims of the old one have as well. It does not have the version of the old
// one: it goes on under the code as it is now.
func Again(tx *durable.Tx, r Run, from, by string) (Run, error) {
	switch {
	case !r.Status.Final():
		return Run{}, fmt.Errorf("run %s is %s: cancel it before you restart it", r.ID, r.Status)
	case r.neverBegan():
		return Run{}, fmt.Errorf("run %s has never begun: its id is free", r.ID)
	case isForgotten(tx, r):
		return Run{}, fmt.Errorf("run %s was deleted with its conversation: only its handler has still to be told of its end", r.ID)
	case from != "" && r.Slot == 0:
		return Run{}, fmt.Errorf("the helper of run %s is gone, and the journal of its steps with it", r.ID)
	}
	if have, ok := Find(tx, r.Restart.As); ok && !have.Status.Final() {
		return Run{}, fmt.Errorf("run %s was restarted as %s, which is %s", r.ID, have.ID, have.Status)
	}
	id, err := nextID(tx, r)
	if err != nil {
		return Run{}, err
	}
	again := Run{
		ID: id, Class: r.Class, Handler: r.Handler, IdleTimeout: r.IdleTimeout, Announce: r.Announce, Order: r.Order,
		Input: r.Input, Prompt: r.Prompt, Schema: r.Schema, Preview: r.Preview, Display: r.Display, Visibility: r.Visibility,
		Timeout: r.Timeout, Labels: r.Labels, Claims: claims.Meet(by, r.Claims), Restart: Restart{Of: r.ID}, Origin: r.Origin.Again(),
	}
	if from != "" {
		again.Restart.From, again.Restart.Base = from, r.ID
		if r.Restart.Base != "" {
			again.Restart.Base = r.Restart.Base
		}
	}
	return again, nil
}

// nextID returns the next id of the form ID.N. A restart of ID.N is ID.N too, with a greater number.
func nextID(tx *durable.Tx, r Run) (string, error) {
	first, n := r.ID, 0
	if r.Restart.Of != "" {
		first, n = numbered(r.ID)
	}
	if f, ok := Find(tx, first); ok {
		n = max(n, f.Restart.Last)
	}
	_, as := numbered(r.Restart.As)
	for n = max(n, as) + 1; ; n++ {
		id := first + "." + strconv.Itoa(n)
		if len(id) > limit.ID {
			return "", errors.New("the id of a restart of run " + r.ID + " would be too long")
		}
		if len(tx.SQL(`SELECT 1 FROM run WHERE id = ?`, id)) == 0 {
			return id, nil
		}
	}
}

// numbered splits the id of a restart into that of the run with which the restarts began, and a number.
func numbered(id string) (first string, n int) {
	if at := strings.LastIndexByte(id, '.'); at > 0 {
		if n, err := strconv.Atoi(id[at+1:]); err == nil {
			return id[:at], n
		}
	}
	return id, 0
}

// NoteRestart notes in the row of a run which run repeats it, and the number of that where the restarts began.
func NoteRestart(tx *durable.Tx, of string, as Run) {
	first, n := numbered(as.ID)
	if r, ok := Find(tx, of); ok {
		r.Restart.As = as.ID
		keepRestart(tx, &r)
	}
	if r, ok := Find(tx, first); ok {
		r.Restart.Last = max(r.Restart.Last, n)
		keepRestart(tx, &r)
	}
}

// NoteCopied notes how many awaits of the run that it repeats the helper of a run has, and whether
// these are all.
func NoteCopied(tx *durable.Tx, r *Run, copied int, ready bool) {
	r.Restart.Copied, r.Restart.Ready = copied, ready
	keepRestart(tx, r)
}

func keepRestart(tx *durable.Tx, r *Run) {
	change(tx, `UPDATE run SET restart = ? WHERE seq = ?`, r.Restart.stored(), r.Seq)
}
