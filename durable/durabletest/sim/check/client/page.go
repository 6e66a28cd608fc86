package client

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/browser"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
)

// Page is a connected tab in a world at rest.
type Page struct {
	*browser.Tab
	Name string
	Conn durable.ConnID
	// Lost says that something that it had sent was lost.
	Lost bool
	// Clearing says that its request to clear the conversation has not arrived.
	Clearing bool
}

// PagesAgree checks that a page that was there all the time shows what a fresh one shows.
func (r *Rules) PagesAgree(page, fresh Page) {
	for _, p := range []Page{page, fresh} {
		if p.CutOff() && !p.Recovering && (p.Status == browser.Ready || p.Status == browser.Failed) {
			r.Fail("show", "tab %s watches what has ended while it was away", page.Name)
		} else if p.Busy() || p.Recovering {
			r.Fail("show", "tab %s rests as %s, observing %v, recovering %v", page.Name, p.Status, p.Observing, p.Recovering)
		}
	}
	want := visible(fresh.Messages)
	got := r.withoutLost(page, visible(page.Messages), want)
	if seen(got) != seen(want) {
		r.differs(page, got, want)
	}
	for _, id := range slices.Sorted(maps.Keys(fresh.Runs)) {
		if got, want := seen(page.Runs[id]), seen(fresh.Runs[id]); got != want {
			r.Fail("show", "tab %s (cleared in vain: %v) shows in a run %s", page.Name, page.Clearing, check.Difference(got, want))
		}
		r.sameReports(page, fresh, id)
	}
}

func (r *Rules) differs(page Page, got, want []*browser.Message) {
	byID := func(a, b *browser.Message) int { return strings.Compare(a.ID, b.ID) }
	if seen(slices.SortedFunc(slices.Values(got), byID)) == seen(slices.SortedFunc(slices.Values(want), byID)) {
		confused := page.AskedTwice() || page.Lost
		r.Fail("show", "tab %s (confused: %v) shows in another order %s, and storage says %s", page.Name, confused, browser.Outline(got), browser.Outline(want))
		return
	}
	held := seen(except(page.Held(), got)) == seen(except(page.Held(), want))
	r.Fail("show", "tab %s (haunted: %v, holds on: %v) shows %s", page.Name, page.Haunted(), held, check.Difference(seen(got), seen(want)))
}

// except returns the messages but for one.
func except(id string, messages []*browser.Message) []*browser.Message {
	return slices.DeleteFunc(slices.Clone(messages), func(m *browser.Message) bool { return m.ID == id })
}

// withoutLost returns the messages of a page without those that were lost with a connection: a
// message on its way to the server, or one typed without a connection, of which the page has not
// heard that it was refused. The client goes on showing both.
func (r *Rules) withoutLost(page Page, messages, stored []*browser.Message) []*browser.Message {
	return slices.DeleteFunc(messages, func(m *browser.Message) bool {
		known := slices.ContainsFunc(stored, func(have *browser.Message) bool { return have.ID == m.ID })
		return !known && strings.HasPrefix(m.ID, page.Name+".") && (page.Kept(m.ID) || !r.hasArrived(m.ID))
	})
}

// hasArrived says whether a message has arrived in a list of messages.
func (r *Rules) hasArrived(id string) bool {
	return slices.ContainsFunc(r.Arrived, func(frame string) bool { return strings.Contains(frame, `\"id\":\"`+id+`\"`) })
}

// visible returns the messages in which there is something to see: an answer that was stopped
// before it had begun is not stored.
func visible(messages []*browser.Message) []*browser.Message {
	return slices.DeleteFunc(append([]*browser.Message{}, messages...), func(m *browser.Message) bool {
		return m.Role == "assistant" && !slices.ContainsFunc(m.Parts, func(p *browser.Part) bool { return p.Type != "step-start" })
	})
}

// seen returns what people see of messages and runs, as text to compare. It leaves out how that
// came to be, such as whether a part was closed.
func seen(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var loose any
	if err := json.Unmarshal(body, &loose); err != nil {
		panic(err)
	}
	return fmt.Sprint(plain(loose))
}

func plain(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		kind, _ := v["type"].(string)
		delete(v, "toolName")
		if kind == "text" || kind == "reasoning" {
			delete(v, "state")
		}
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}
