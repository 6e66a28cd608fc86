package loop

import (
	"strings"

	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/model"
)

// again leaves out what an attempt at a model call repeats. The model was asked to go on behind what it
// had said, and many servers begin with the first word again. Browsers show that already, and it is no
// progress. The zero value leaves nothing out.
type again struct {
	text, thought repeated
}

// repeated is a text that was said, and how far the attempt has repeated it.
type repeated struct {
	said string
	// from is where the repetition began, and to where it ends so far. What is between them is held back.
	from, to int
	// over says that the attempt says something else.
	over bool
}

// newAgain returns the again of the next attempt at the step of a draft.
func newAgain(d *reply.Draft) again {
	var thoughts strings.Builder
	for _, r := range d.Reasoning {
		thoughts.WriteString(r.Text)
	}
	return again{text: repeated{said: string(d.Text)}, thought: repeated{said: thoughts.String()}}
}

// take returns what is to be said of the next piece: nothing while it repeats, and otherwise what was
// held back as well. rest is what is behind the repetition, if the piece ends it.
func (r *repeated) take(piece string) (say string, rest bool) {
	left := r.said[r.to:]
	switch {
	case r.over || r.said == "":
		return piece, false
	case strings.HasPrefix(left, piece):
		r.to += len(piece)
		return "", false
	case strings.HasPrefix(piece, left):
		r.over = true
		return piece[len(left):], true
	}
	return r.release() + piece, false
}

// release returns what was held back.
func (r *repeated) release() string {
	held := r.said[r.from:r.to]
	r.over = true
	return held
}

// leaveOut returns the deltas without what they repeat.
func (a *again) leaveOut(deltas []model.Delta) []model.Delta {
	if a.text.said == "" && a.thought.said == "" {
		return deltas
	}
	var out []model.Delta
	for _, d := range deltas {
		out = append(out, a.next(d)...)
	}
	return out
}

func (a *again) next(d model.Delta) []model.Delta {
	switch d := d.(type) {
	case model.ReasoningDelta:
		return thoughtDelta(a.thinks(d.Text))
	case model.ReasoningEnded:
		return a.thoughtEnds(d)
	case model.TextDelta:
		a.thought.from = a.thought.to // the thought was said before
		say, _ := a.text.take(d.Text)
		return textDelta(say)
	case model.ToolCallStarted, model.Finished:
		a.thought.from = a.thought.to
		return append(a.textEnds(), d)
	}
	return []model.Delta{d}
}

// thinks returns what is to be said of the next piece of a thought. A thought that goes on behind what was
// thought before is another thought, and is told from its beginning.
func (a *again) thinks(piece string) string {
	held := a.thought.said[a.thought.from:a.thought.to]
	say, rest := a.thought.take(piece)
	if rest {
		return held + piece
	}
	return say
}

// thoughtEnds ends a thought. One that the provider wants back belongs to its own answer, whatever it says.
func (a *again) thoughtEnds(d model.ReasoningEnded) []model.Delta {
	held := a.thought.said[a.thought.from:a.thought.to]
	a.thought.from = a.thought.to
	switch {
	case a.thought.over, held == "":
		return []model.Delta{d}
	case len(d.Provider) == 0:
		return nil
	}
	return append(thoughtDelta(held), d)
}

// textEnds returns the text that was held back, if it is not all that was said before: an answer that
// ends may have gone on with words like its first ones.
func (a *again) textEnds() []model.Delta {
	if a.text.over || a.text.to == len(a.text.said) {
		return nil
	}
	return textDelta(a.text.release())
}

func textDelta(text string) []model.Delta {
	if text == "" {
		return nil
	}
	return []model.Delta{model.TextDelta{Text: text}}
}

func thoughtDelta(text string) []model.Delta {
	if text == "" {
		return nil
	}
	return []model.Delta{model.ReasoningDelta{Text: text}}
}
