package sim

import "slices"

// This file is about what only some seeds have: providers that are odd but not at fault, and people who do what few
// people do.

// serverHabits are those of a seed's model server.
type serverHabits struct {
	// counts has it count the ids of its calls from nought in each answer.
	counts bool
	// interleaves has the pieces of several calls come by turns.
	interleaves bool
	// resets has a connection break when the answer is whole, in place of its end.
	resets bool
	// dawdles has some answers never end.
	dawdles bool
}

// rareActions are what people do on some seeds, with their weights. Those of rareMethods need a root with methods.
var (
	rareActions = []choice{{"tidy", 4}, {"meddle", 4}, {"resend", 14}}
	rareMethods = []choice{{"again", 16}, {"quitting", 16}}
)

// rare adds, to every fourth seed each, a habit of the model's server or of people.
func (p *profile) rare(d dice, methods bool) {
	p.serverHabits = serverHabits{counts: d.chance(4), interleaves: d.chance(4), resets: d.chance(4)}
	for _, c := range rareActions {
		if d.chance(4) {
			p.actions = append(p.actions, c)
		}
	}
	if p.counts { // an id comes back whose call the model is told of no more; behind a clear it may serve again, as one that is new
		p.actions = append(p.actions, choice{"regenerate", 10})
		p.actions = slices.DeleteFunc(p.actions, func(c choice) bool { return c.name == "clear" || c.name == "tidy" })
	}
	if p.does("meddle") && !slices.Contains(p.planned, "questions") { // a call that waits for a person waits for long
		p.planned = append(p.planned, "questions")
	}
	if p.does("tidy") {
		p.people = max(p.people, 3)
		p.eager = append(p.eager, "tidy")
	}
	if p.does("meddle") {
		p.eager = append(p.eager, "meddle")
	}
	for _, c := range rareMethods {
		if d.chance(4) && methods {
			p.actions = append(p.actions, c)
		}
	}
}

// does says whether people do something on the seed.
func (p *profile) does(action string) bool {
	return slices.ContainsFunc(p.actions, func(c choice) bool { return c.name == action })
}

// silent adds, to every fourth seed each, answers that never end, links that fall silent, and that keep breaking.
func (p *profile) silent(d dice) {
	p.dawdles = d.chance(4) || p.does("tidy") // a helper is at work for long enough to be looked at
	if d.chance(4) {
		p.eager = append(p.eager, "mute")
	}
	if d.chance(4) {
		p.eager = append(p.eager, "shaky")
	}
}
