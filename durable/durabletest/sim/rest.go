package sim

import (
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/browser"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check/client"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/people"
)

// This file has the rules for a world at rest that look at tabs, or that make something happen.

// nothingIsHeld checks I11: a world at rest holds nothing but its sockets.
func (r *root) nothingIsHeld() {
	helperPages := 0
	for _, t := range r.people.Tabs {
		if t.Path != "" && t.Connected() {
			helperPages++
		}
	}
	r.objects.NothingIsHeld(helperPages)
}

// restSurvivesEviction checks I4: taking the memory of a world at rest shows nothing. An object
// whose last event has trapped has lost its memory and its links already, and reports that when it
// is opened by its next event. So it is opened first.
func (r *root) restSurvivesEviction() {
	for _, slot := range r.world.Slots() {
		if r.trapped[slot] {
			r.world.Open(slot)
		}
	}
	r.settle()
	before := len(r.allLanes())
	r.world.Retire()
	for _, slot := range r.world.Slots() {
		r.world.Open(slot)
	}
	for _, l := range r.allLanes() {
		if len(r.allLanes()) > before && !strings.Contains(l, "drill/") {
			r.view.Fail("I4", "a world at rest was evicted, and sends something on %s", l)
		}
	}
	r.settle()
}

// tabsAreConnected checks that every tab of the root is connected when a world rests, however its
// connections have ended.
func (r *root) tabsAreConnected() {
	for _, t := range r.people.Tabs {
		if t.Path == "" && !t.Connected() {
			r.view.Fail("show", "tab %s does not connect again", t.Name)
		}
	}
}

// tabsShowStorage checks that every tab shows what a new one shows.
func (r *root) tabsShowStorage() {
	tabs := append([]*people.Tab{}, r.people.Tabs...)
	fresh := map[string]*people.Tab{} // one for each path
	for _, t := range tabs {
		if !t.Connected() {
			continue
		}
		if fresh[t.Path] == nil {
			fresh[t.Path] = r.people.OpenFresh(t)
			r.settle()
		}
		if r.hasFailed() {
			return
		}
		r.compare(t, fresh[t.Path])
	}
}

func (r *root) compare(t, fresh *people.Tab) {
	if !fresh.Connected() {
		r.view.Fail("show", "a new tab does not connect to %q", t.Path)
		return
	}
	r.log.Aside("tab %s shows %s, storage says %s", t.Name, browser.Outline(t.Page.Messages), browser.Outline(fresh.Page.Messages))
	r.clients.PagesAgree(page(t), page(fresh))
}

func page(t *people.Tab) client.Page {
	return client.Page{Tab: t.Page, Name: t.Name, Conn: t.Conn, Lost: t.Lost, Clearing: t.Clearing}
}
