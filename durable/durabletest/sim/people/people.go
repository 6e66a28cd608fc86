// Package people is the people of a simulated world and their browsers: the tabs that they open,
// the connections of the tabs, and everything that people do in a tab.
package people

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/browser"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/lane"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/mode"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/transcript"
)

// People are the people of one root.
type People struct {
	Config
	// Tabs are the open tabs.
	Tabs []*Tab
	// Submitted, Ordered and Schedules are the results of calls of methods: submissions, the ids of
	// schedules, and the schedules.
	Submitted []Submission
	Ordered   []string
	Schedules []contract.ScheduleRequest
	// Signals are the signals that were sent.
	Signals []Signal
	// opened and calls count tabs and calls of methods.
	opened, calls int
}

// Config is what people need of their world.
type Config struct {
	World *durabletest.World
	Lanes *lane.Set
	View  *check.View
	Mode  *mode.Mode
	Log   *transcript.Transcript
	// Most is the largest number of tabs, but for those that open while the world comes to rest.
	Most int
	// Took calls a function that delivers an event, and says whether the event was handled without
	// a trap.
	Took func(deliver func()) bool
	// Output returns the result of a tool in the browser, of agents that are not made for the
	// simulator.
	Output func(tool, call string) json.RawMessage
	// Happened says whether the question whether an action has happened is to be answered by yes.
	Happened func(title string) bool
	// Mounted is called with every page that is loaded and its first messages. It may be nil.
	Mounted func(page *browser.Tab, messages []byte)
}

// New returns people without tabs.
func New(c Config) *People { return &People{Config: c} }

// Forever is a time that never comes.
const Forever = 1 << 62

// Tab returns the tab with a name, or nil.
func (p *People) Tab(name string) *Tab {
	i := slices.IndexFunc(p.Tabs, func(t *Tab) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return p.Tabs[i]
}

// Open opens a tab, unless there are as many as people can look at. where is the class and the run
// of a helper, or "".
func (p *People) Open(where string) {
	if len(p.Tabs) >= p.Most && !p.Mode.Settling {
		return
	}
	p.opened++
	t := &Tab{Name: tabName(p.opened)}
	if class, run, ok := strings.Cut(where, " "); ok {
		t.Path = HelperPath(class, run)
	}
	p.add(t)
}

// Greet opens a page of the root that sends a text as it mounts, before its socket is open.
func (p *People) Greet(text string) {
	if len(p.Tabs) >= p.Most && !p.Mode.Settling {
		return
	}
	p.opened++
	p.add(&Tab{Name: tabName(p.opened), greeting: text})
}

// OpenFresh opens another tab on what a tab shows, and returns it.
func (p *People) OpenFresh(t *Tab) *Tab {
	fresh := &Tab{Name: "fresh-" + t.Name, Path: t.Path}
	p.add(fresh)
	return fresh
}

func (p *People) add(t *Tab) {
	p.Tabs = append(p.Tabs, t)
	p.load(t)
}

// HelperPath returns the path of a helper's page.
func HelperPath(class, run string) string {
	return fmt.Sprintf("/sub/%s/%s", class, strings.ReplaceAll(run, "/", "%2F"))
}

// tabName returns short names: a, b, ..., z, aa.
func tabName(n int) string {
	if n <= 26 {
		return string(rune('a' + n - 1))
	}
	return tabName((n-1)/26) + tabName((n-1)%26+1)
}

// Do makes a person do something in a tab.
func (p *People) Do(verb string, t *Tab, text string) {
	page := t.Page
	switch verb {
	case "close":
		p.leave(t)
		p.Tabs = slices.DeleteFunc(p.Tabs, func(have *Tab) bool { return have == t })
		return
	case "reload":
		p.reload(t)
		return
	}
	if page == nil {
		return
	}
	switch verb {
	case "echo":
		if t.Conn != "" && t.probeConn == t.Conn {
			p.send(t, t.probe)
		}
	case "break":
		p.breakOff(t)
		return
	case "drop":
		if t.Conn != "" {
			p.drop(t)
		}
	case "say":
		if t.CanType() {
			page.Send(text)
		}
	case "regenerate":
		if t.Path == "" && !page.Busy() && len(page.Messages) > 0 {
			p.View.Regenerated = true
			page.Regenerate()
		}
	case "stop":
		page.Stop()
	case "answer":
		if id, yes, _ := strings.Cut(text, " "); slices.Contains(page.Asks(), id) && page.Identified {
			page.Approve(id, yes == "yes")
		}
	case "result":
		p.giveResult(t, text)
	case "meddle":
		p.meddle(t, text)
	case "resend":
		if t.Conn != "" && t.requestConn == t.Conn {
			p.send(t, t.chatRequest)
		}
	case "undo", "settle":
		p.callMethod(verb, t, text)
	case "misfit":
		p.misfit(t, text)
	case "late":
		p.answerLate(t, text)
	case "submit", "withdraw", "schedule", "unschedule", "signal", "pause", "resume", "cancel", "restart":
		p.callMethod(verb, t, text)
	case "clear":
		if page.Identified && !page.Stopping() {
			t.Clearing = true
			page.Clear()
		}
	}
	p.Attend(t)
}

// NextDue returns the tab whose timer is due first, or nil.
func (p *People) NextDue() (first *Tab, at int64) {
	for _, t := range p.Tabs {
		if t.Page != nil && t.Page.Due() < Forever && (first == nil || t.Page.Due() < at) {
			first, at = t, t.Page.Due()
		}
	}
	return first, at
}

// Underway returns the lane of a connection that has something on its way, or "".
func (p *People) Underway() string {
	for _, t := range p.Tabs {
		for _, lane := range []string{t.Out(), t.In()} {
			if t.Connected() && p.Lanes.Waits(lane) {
				return lane
			}
		}
	}
	return ""
}
