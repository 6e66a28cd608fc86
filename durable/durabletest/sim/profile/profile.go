// Package profile decides what a seed is like: which trouble it has, what its people do, and what
// is odd about them and about its model's server.
package profile

import (
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/model"
)

// Profile is what a seed is like. A seed has a few kinds of trouble and none of the others, so that
// each kind is also seen undisturbed by the rest.
type Profile struct {
	// Tabs is the largest number of tabs, Length the number of decisions before the world comes to
	// rest.
	Tabs, Length int
	// Actions are what people do, Faults the kinds of trouble.
	Actions, Faults dice.Options
	// Calm is the number of decisions to one fault.
	Calm int
	// Planned are the decisions that are made before all others.
	Planned []string
	// Moments are the opportunities that are used when they come, since they do not last.
	Moments []string
	Habits  Habits
	Server  model.Habits
}

// Habits are what the people of some seeds do. Each has dice of its own.
type Habits struct {
	// Tidy says that people clear the conversation after a failure, and load the page again.
	Tidy bool
	// Rush says that several people ask at once, and that one of them submits something in between.
	Rush bool
	// Doubt says that people answer the questions of helpers differently than others just have, and
	// that the acknowledgement of an answer is lost.
	Doubt bool
}

// The kinds of actions and faults, with their weights.
var (
	allActions = dice.Options{
		{"say", 30}, {"stop", 3}, {"regenerate", 3}, {"clear", 1}, {"open", 8}, {"close", 3}, {"reload", 4}, {"drill", 6}, {"intrude", 2}, {"answer", 8},
	}
	allFaults = dice.Options{
		{"evict", 8}, {"retire", 5}, {"crash", 3}, {"deploy", 2}, {"trap", 8}, {"drop", 8}, {"cut", 8}, {"full", 2}, {"jump", 2}, {"shift", 2},
	}
	// methodActions are calls of methods, on seeds whose root has methods.
	methodActions = dice.Options{{"submit", 36}, {"withdraw", 8}, {"schedule", 20}, {"unschedule", 4}}
	// moreFaults were added later. They have dice of their own, so that seeds without them have stayed
	// the same.
	moreFaults = dice.Options{{"lose", 10}, {"sever", 10}, {"outage", 3}, {"giveup", 2}, {"echo", 8}}
	// rareActions are those of a few seeds, rareMethods those that need a root with methods.
	rareActions = dice.Options{{"tidy", 4}, {"meddle", 4}, {"resend", 14}}
	rareMethods = dice.Options{{"again", 16}, {"quitting", 16}}
	// officeActions are what people do on seeds whose root has an office.
	officeActions = dice.Options{{"signal", 30}, {"answer", 20}, {"misfit", 4}, {"late", 4}, {"pause", 8}, {"resume", 8}, {"restart", 10}, {"cancel", 3}, {"undo", 6}, {"settle", 4}}
)

// New returns the profile of a seed.
func New(seed uint32, methodCalls *contract.MethodCalls) Profile {
	d := dice.New(seed, "profile")
	p := Profile{Tabs: 1 + d.Under(3), Length: 60 + d.Under(200), Calm: 8 + d.Under(40)}
	if d.Chance(2) {
		p.Server.Faulty = 2 + d.Under(8)
	}
	p.Actions = d.Some(allActions, 4)
	p.act("say", 10)
	p.Faults = d.Some(allFaults, 3)
	if methodCalls != nil {
		p.Actions = append(p.Actions, d.Some(methodActions, 3)...)
		p.Length += 100
	}
	p.addFaults(dice.New(seed, "more"))
	p.addConnections(dice.New(seed, "connections"))
	p.addHabits(seed, methodCalls)
	if methodCalls != nil && dice.New(seed, "workshop").Chance(3) {
		p.Planned = append(p.Planned, "workshop")
	}
	p.addRare(dice.New(seed, "rare"), methodCalls != nil)
	p.addSilence(dice.New(seed, "silent"))
	p.addOffice(dice.New(seed, "office"), methodCalls != nil)
	p.addCode(dice.New(seed, "code"), methodCalls != nil)
	p.addServers(dice.New(seed, "servers"), methodCalls)
	p.addKills(seed, dice.New(seed, "kills"))
	p.addEnds(seed, dice.New(seed, "ends"))
	p.addCalls(seed, dice.New(seed, "calls"))
	return p
}

// addKills has the process killed inside events, on some seeds. The first seeds have stayed as they were.
func (p *Profile) addKills(seed uint32, d dice.Dice) {
	if seed >= 512 && d.Chance(6) {
		p.fault("kill", 12)
	}
}

// addEnds has the answers of a server end as they should not, on some seeds. The first seeds have stayed as they were.
func (p *Profile) addEnds(seed uint32, d dice.Dice) {
	if seed >= 512 {
		p.Server.Endless, p.Server.EmptyErrors, p.Server.Stuck = d.Chance(5), d.Chance(5), d.Chance(5)
	}
}

// addCalls has a server send the calls of tools, and its errors, as no client likes them, on some seeds. If the ids of calls are counted,
// nobody could tell a call by its id. These are decisions, so that older scripts stay as they were.
func (p *Profile) addCalls(seed uint32, d dice.Dice) {
	if seed >= 512 && !p.Server.CountsCalls {
		for _, habit := range []string{"garbles", "one-index", "odd-errors"} {
			if d.Chance(5) && (habit != "one-index" || !p.Server.Interleaves) {
				p.Planned = append(p.Planned, habit)
			}
		}
	}
}

// act adds an action.
func (p *Profile) act(name string, weight int) {
	p.Actions = append(p.Actions, dice.Options{{name, weight}}...)
}

// fault adds a kind of trouble.
func (p *Profile) fault(name string, weight int) {
	p.Faults = append(p.Faults, dice.Options{{name, weight}}...)
}

// addFaults adds more kinds of trouble to every second seed, and neighbours to some.
func (p *Profile) addFaults(d dice.Dice) {
	if d.Chance(2) {
		return
	}
	p.Faults = append(p.Faults, d.Some(moreFaults, 2)...)
	if d.Chance(2) {
		p.Planned = append(p.Planned, "questions")
		p.act("answer", 16)
	}
	if !d.Chance(3) {
		return
	}
	for range 1 + d.Under(2) {
		p.Planned = append(p.Planned, "neighbour")
	}
	if d.Chance(2) {
		p.Planned = append(p.Planned, "hostile")
		p.fault("hostile", 30)
	}
}

// addConnections adds pages that are frozen as their connections break, and tokens that end, each
// to every third seed.
func (p *Profile) addConnections(d dice.Dice) {
	if d.Chance(3) {
		p.fault("break", 12)
	}
	if d.Chance(3) {
		p.Planned = append(p.Planned, fmt.Sprint("tokens ", 4_000*(1+d.Under(20))))
	}
}

// addHabits adds the habits of people.
func (p *Profile) addHabits(seed uint32, methodCalls *contract.MethodCalls) {
	p.Habits.Tidy = dice.New(seed, "tidy").Chance(5)
	if p.Habits.Doubt = dice.New(seed, "doubt").Chance(5); p.Habits.Doubt {
		p.act("answer", 20)
		p.Tabs, p.Length = max(p.Tabs, 2), p.Length+150
		p.Planned = append(p.Planned, "plans")
	}
	overtakes := methodCalls != nil && slices.Contains([]string{"latest", "merge", "debounce"}, methodCalls.Policy)
	if p.Habits.Rush = overtakes && dice.New(seed, "rush").Chance(2); p.Habits.Rush {
		p.Tabs = 4
		p.Planned = append(p.Planned, "open", "open", "open")
	}
}

// addRare adds rare habits of the model's server and rare actions of people, each to every fourth
// seed.
func (p *Profile) addRare(d dice.Dice, methods bool) {
	p.Server.CountsCalls, p.Server.Interleaves, p.Server.Resets = d.Chance(4), d.Chance(4), d.Chance(4)
	for _, a := range rareActions {
		if d.Chance(4) {
			p.act(a.Name, a.Weight)
		}
	}
	// If the ids of calls are counted, an id comes back after its call is no longer sent to the model.
	// After a clear the id may belong to a new call.
	if p.Server.CountsCalls {
		p.act("regenerate", 10)
		p.Actions = p.Actions.Without("clear", "tidy")
	}
	if p.Actions.Have("meddle") && !slices.Contains(p.Planned, "questions") { // a call that waits for a person waits for a long time
		p.Planned = append(p.Planned, "questions")
	}
	if p.Actions.Have("tidy") {
		p.Tabs = max(p.Tabs, 3)
		p.Moments = append(p.Moments, "tidy")
	}
	if p.Actions.Have("meddle") {
		p.Moments = append(p.Moments, "meddle")
	}
	for _, a := range rareMethods {
		if d.Chance(4) && methods {
			p.act(a.Name, a.Weight)
		}
	}
}

// addSilence adds answers that never end, links that fall silent, and links that keep breaking,
// each to every fourth seed.
func (p *Profile) addSilence(d dice.Dice) {
	p.Server.Dawdles = d.Chance(4) || p.Actions.Have("tidy") // so that a helper works for long enough
	if d.Chance(4) {
		p.Moments = append(p.Moments, "mute")
	}
	if d.Chance(4) {
		p.Moments = append(p.Moments, "shaky")
	}
}

// addOffice adds an office to every second seed whose root has methods.
func (p *Profile) addOffice(d dice.Dice, methods bool) {
	if !methods || !d.Chance(2) {
		return
	}
	p.Planned = append(p.Planned, "office")
	p.Actions = append(p.Actions, officeActions...)
	p.act("say", 40) // so that there is work for the office
	p.Length += 150
}

// addCode adds a tool that runs code to every fourth seed whose root has methods.
func (p *Profile) addCode(d dice.Dice, methods bool) {
	if !methods || !d.Chance(4) {
		return
	}
	p.Planned = append(p.Planned, "code")
	p.act("say", 20)
	p.act("answer", 16)
}

// addServers adds work for servers, and programs that use the root. In every second of these worlds there
// is code, and in all whose servers code alone reaches.
func (p *Profile) addServers(d dice.Dice, methodCalls *contract.MethodCalls) {
	if methodCalls == nil || !methodCalls.Servers {
		return
	}
	if (d.Chance(2) || methodCalls.TellCode) && !slices.Contains(p.Planned, "code") {
		p.Planned = append(p.Planned, "code")
	}
	p.act("say", 40)
	p.act("answer", 20)
	p.Moments = append(p.Moments, "program", "sign")
	if d.Chance(2) {
		p.Moments, p.Planned = append(p.Moments, "above"), append(p.Planned, "delegates")
	}
	p.Length += 150
}
