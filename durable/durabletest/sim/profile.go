package sim

import "strconv"

// profile is what a seed likes to do. Every seed has a few kinds of trouble and none of
// the others, so that each kind is also seen undisturbed by the rest.
type profile struct {
	// people is how many tabs there are at most, length how many decisions are made
	// before everything may come to rest.
	people, length int
	// faultyModel is in how many answers of the model one fails, 0 for none.
	faultyModel int
	actions     []choice
	faults      []choice
	// planned are the decisions that are made before all others.
	planned []string
	habits
	serverHabits
	// calm is how many decisions there are to one fault.
	calm int
	// eager are the occasions that are taken when they come.
	eager []string
}

var allActions = []choice{
	{"say", 30}, {"stop", 3}, {"regenerate", 3}, {"clear", 1}, {"open", 8}, {"close", 3}, {"reload", 4}, {"drill", 6}, {"intrude", 2}, {"answer", 8},
}

var allFaults = []choice{
	{"evict", 8}, {"retire", 5}, {"crash", 3}, {"deploy", 2}, {"trap", 8}, {"drop", 8}, {"cut", 8}, {"full", 2}, {"jump", 2}, {"shift", 2},
}

func newProfile(seed uint32, methodCalls *MethodCalls) profile {
	d := newDice(seed, "profile")
	p := profile{people: 1 + d.under(3), length: 60 + d.under(200), calm: 8 + d.under(40)}
	if d.chance(2) {
		p.faultyModel = 2 + d.under(8)
	}
	p.actions = some(d, allActions, 4)
	p.actions = append(p.actions, choice{"say", 10})
	p.faults = some(d, allFaults, 3)
	if methodCalls != nil {
		p.actions = append(p.actions, some(d, methodActions, 3)...)
		p.length += 100
	}
	p.more(newDice(seed, "more"))
	p.connections(newDice(seed, "connections"))
	p.learn(seed, methodCalls)
	if methodCalls != nil && newDice(seed, "workshop").chance(3) {
		p.planned = append(p.planned, "workshop")
	}
	p.rare(newDice(seed, "rare"), methodCalls != nil)
	p.silent(newDice(seed, "silent"))
	return p
}

// moreFaults are those that came later. They have dice of their own, so that the seeds which
// have none of them stay as they were.
var moreFaults = []choice{{"lose", 10}, {"sever", 10}, {"outage", 3}, {"giveup", 2}, {"echo", 8}}

// more adds what came later to every second seed.
func (p *profile) more(d dice) {
	if d.chance(2) {
		return
	}
	p.faults = append(p.faults, some(d, moreFaults, 2)...)
	if d.chance(2) {
		p.planned = append(p.planned, "questions")
		p.actions = append(p.actions, choice{"answer", 16})
	}
	if !d.chance(3) {
		return
	}
	for range 1 + d.under(2) {
		p.planned = append(p.planned, "neighbour")
	}
	if d.chance(2) {
		p.planned = append(p.planned, "hostile")
		p.faults = append(p.faults, choice{"hostile", 30})
	}
}

// connections adds, to every third seed each, pages that are frozen as their connections break, and tokens that end.
func (p *profile) connections(d dice) {
	if d.chance(3) {
		p.faults = append(p.faults, choice{"break", 12})
	}
	if d.chance(3) {
		p.planned = append(p.planned, line("tokens", strconv.Itoa(4_000*(1+d.under(20)))))
	}
}

// some keeps one in n of the options, on the average.
func some(d dice, all []choice, n int) []choice {
	var kept []choice
	for _, o := range all {
		if d.under(4) < n {
			kept = append(kept, o)
		}
	}
	return kept
}
