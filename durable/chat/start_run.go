package chat

import (
	"cmp"
	"errors"

	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/run"
)

// StartRun begins a detached run of a helper. The end of the run goes to the handler that
// spec.Detached names. If a run with this id exists, it is joined. If the run cannot begin,
// StartRun returns an error. StartRun is for code that cannot wait, such as a [Callback] or a
// [Method]. A tool's code uses [ToolContext.StartRun].
func (c *Conversation) StartRun(spec Spec) (RunInfo, error) {
	if spec.Detached == "" {
		return RunInfo{}, errors.New("nobody would wait for the run: it has to be detached, with a handler for its end")
	}
	r := spec.run(cmp.Or(spec.ID, c.tx.NewID()))
	supervisor.Detach(&r)
	if err := supervisor.CheckID(r.ID); err != nil {
		return RunInfo{}, err
	}
	have, joined, err := run.Join(c.tx, r)
	switch {
	case err != nil:
		return RunInfo{}, err
	case joined:
		return infoOf(have), nil
	}
	r = c.object.runs.Accept(c.tx, r, spec.NoQueue)
	if r.Status.Final() {
		return infoOf(r), errors.New(r.Failure)
	}
	return infoOf(r), nil
}
