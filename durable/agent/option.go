package agent

import (
	"time"

	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/run"
)

// Option says something about a run, where what is usual does not serve.
type Option func(*chat.Spec)

// RunID names the run, in 128 bytes at most. A run that is there already is joined: it is not begun again,
// and both get its result. With another input that is an error. A run that no helper
// has taken, since it was refused or could not be started, has left its id free.
func RunID(id string) Option { return func(s *chat.Spec) { s.ID = id } }

// Order is the run's place among those of its tool call, on the page; without it they
// stand as they were begun.
func Order(n int) Option { return func(s *chat.Spec) { s.Order = &n } }

// Preview is what browsers are shown instead of the input; it becomes JSON, and beyond 16 KiB
// nothing is shown. The preview nil hides the input. Preview panics when v cannot be JSON.
func Preview(v any) Option {
	return func(s *chat.Spec) {
		s.Preview = nil
		if v != nil {
			s.Preview = mustMarshal(v)
		}
	}
}

// Display is how browsers name the run, instead of the helper's title and icon.
func Display(title, icon string) Option {
	return func(s *chat.Spec) { s.Display = display(title, icon) }
}

// Timeout closes the run when it has taken that long. Its time in the queue counts,
// and its time of waiting for a person does not. 0 is as usual: no end, and that of [Detached].
func Timeout(d time.Duration) Option { return func(s *chat.Spec) { s.Timeout = d } }

// Detached has the run begun and not waited for: it outlives the turn, and its end goes to
// the handler of that name among [Agent.Handlers]. What is returned says how it has begun,
// and its id. It may take 24 hours, or what [Timeout] says, and nothing may be heard of it
// for one, or for what [Silence] says; then it is given up. Only an agent that is no helper
// can have detached runs.
func Detached(handler string) Option { return func(s *chat.Spec) { s.Detached = handler } }

// Silence is how long nothing may be heard of a detached run before it is given up: no word
// of its helper, no progress, no milestone.
func Silence(d time.Duration) Option { return func(s *chat.Spec) { s.Silence = d } }

// StopWithTurn has a detached run stopped, too, when a person stops the turn that begins it.
// Once that turn is over, it lives on.
func StopWithTurn() Option { return func(s *chat.Spec) { s.StopWithTurn = true } }

// Narrate has the agent say in the chat that a detached run has reached milestones of these
// names: each once, and without asking the model. What is said is the milestone's data, where
// that is a text. See [Context.Milestone].
func Narrate(milestones ...string) Option {
	return func(s *chat.Spec) { s.Tells.Narrate = append(s.Tells.Narrate, milestones...) }
}

// React is [Narrate], but the model is told of the milestones, and reacts to each in a turn.
func React(milestones ...string) Option {
	return func(s *chat.Spec) { s.Tells.React = append(s.Tells.React, milestones...) }
}

// Terminal has browsers told how the run begins and ends, and nothing of what is in
// between.
func Terminal() Option { return func(s *chat.Spec) { s.Delivery = run.Terminal } }

// NoQueue has the run refused where all places are taken, instead of queued. It can be
// tried again, under the same id too.
func NoQueue() Option { return func(s *chat.Spec) { s.NoQueue = true } }
