package supervisor

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// Restart begins a run that repeats one that is over, from its beginning or from a step of it. by are the
// claims of the code that wants it. The error says why that is not possible.
func (s *Supervisor) Restart(tx *durable.Tx, old run.Run, from, by string) (run.Run, error) {
	if old.Hosted != nil {
		return run.Run{}, hostedByRoot(old.ID)
	}
	r, err := run.Again(tx, old, from, by)
	if err != nil {
		return run.Run{}, err
	}
	Detach(&r)
	r = s.Accept(tx, r, false)
	if r.Status.Final() {
		return r, errors.New(r.Failure)
	}
	run.NoteRestart(tx, old.ID, r)
	s.notifyOrigin(tx, &r, false)
	return r, nil
}
