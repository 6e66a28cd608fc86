package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/browser"
)

// rest checks what has to hold when nothing is under way any more.
func (s *Sim) rest() {
	for _, check := range []func(*Sim){
		everythingIsFinal, timesAreArmed, nothingIsHeld, callersAreAnswered, everyEndIsTold, nothingIsSaidTwice, logsAgree, approvedCallsHaveRun,
		questionsAreShown, thoughtsAreKeptApart, restSurvivesEviction, everybodyIsBack, everybodySeesStorage,
	} {
		if s.failure == nil {
			s.checked++
			check(s)
		}
	}
}

// everythingIsFinal is I6 at the end.
func everythingIsFinal(s *Sim) {
	for _, slot := range s.world.Slots() {
		object := s.world.Object(slot)
		if !s.made(object) {
			continue
		}
		for _, t := range s.turns(object) {
			if !final(t.status) {
				s.fail("I6", "the turn %s of %q rests as %s", t.request, slot, t.status)
			}
		}
		for _, r := range s.runs(object) {
			if !final(r.status) {
				s.fail("I6", "the run %s rests as %s", r.id, r.status)
			}
		}
	}
}

// nothingIsHeld is I11: a world that rests costs nothing but its sockets.
func nothingIsHeld(s *Sim) {
	held := s.world.Holding()
	for i := range held {
		held[i] = strings.TrimPrefix(held[i], ": ")
	}
	drills := 0
	for _, t := range s.tabs {
		if t.path != "" && t.connected() {
			drills++
		}
	}
	var more []string
	for _, h := range held {
		if strings.Contains(h, "drill/") && drills > 0 {
			drills--
			continue
		}
		if _, only := s.coming(); h == "an alarm" && only {
			continue
		}
		more = append(more, h)
	}
	if len(more) > 0 {
		s.fail("I11", "a world that rests holds %s", strings.Join(more, ", "))
	}
}

// restSurvivesEviction is I4: taking the memory of a world that rests shows nothing. An object
// whose last event has trapped has lost its memory already, and with it what came over links.
// It says so when it is opened, by its next event: that is of the trap, and comes first here.
func restSurvivesEviction(s *Sim) {
	for _, slot := range s.world.Slots() {
		if s.checks.trapped[slot] {
			s.world.Open(slot)
		}
	}
	s.settle()
	sent := len(s.lanes())
	s.world.Retire()
	for _, slot := range s.world.Slots() {
		s.world.Open(slot)
	}
	for _, l := range s.lanes() {
		if len(s.lanes()) > sent && !strings.Contains(l, "drill/") {
			s.fail("I4", "a world that rests was evicted, and says something on %s", l)
		}
	}
	s.settle()
}

// everybodySeesStorage is the whole point: every tab shows what a new one is shown.
func everybodySeesStorage(s *Sim) {
	pages := slices.Clone(s.tabs)
	fresh := map[string]*tab{} // one is enough for all that look at the same
	for _, t := range pages {
		if !t.connected() {
			continue
		}
		if fresh[t.path] == nil {
			fresh[t.path] = &tab{name: "fresh-" + t.name, path: t.path}
			s.tabs = append(s.tabs, fresh[t.path])
			s.mount(fresh[t.path])
			s.settle()
		}
		if s.failure != nil {
			return
		}
		s.compare(t, fresh[t.path])
	}
}

func (s *Sim) compare(t, fresh *tab) {
	if fresh.page == nil || !fresh.page.Open() {
		s.fail("show", "a new tab does not get to see %q", t.path)
		return
	}
	for _, page := range []*browser.Tab{t.page, fresh.page} {
		if page.CutOff() && !page.Recovering && (page.Status == browser.Ready || page.Status == browser.Failed) {
			s.fail("show", "tab %s watches what has ended while it was away", t.name)
		} else if page.Busy() || page.Recovering {
			s.fail("show", "tab %s rests as %s, observing %v, recovering %v", t.name, page.Status, page.Observing, page.Recovering)
		}
	}
	s.log.aside(fmt.Sprintf("tab %s shows %s, storage says %s", t.name, outline(t.page.Messages), outline(fresh.page.Messages)))
	want := visible(fresh.page.Messages)
	got := s.sent(t, visible(t.page.Messages), want)
	if shown(got) != shown(want) {
		s.differs(t, got, want)
	}
	for _, id := range sortedKeys(fresh.page.Runs) {
		if got, want := shown(t.page.Runs[id]), shown(fresh.page.Runs[id]); got != want {
			s.fail("show", "tab %s (cleared in vain: %v) shows in a run %s", t.name, t.clearing, difference(got, want))
		}
		s.sameProgress(t, fresh, id)
	}
}

func (s *Sim) differs(t *tab, got, want []*browser.Message) {
	byID := func(a, b *browser.Message) int { return strings.Compare(a.ID, b.ID) }
	if shown(slices.SortedFunc(slices.Values(got), byID)) == shown(slices.SortedFunc(slices.Values(want), byID)) {
		confused := t.page.AskedTwice() || t.lost
		s.fail("show", "tab %s (confused: %v) shows in another order %s, and storage says %s", t.name, confused, outline(got), outline(want))
		return
	}
	held := shown(except(t.page.Held(), got)) == shown(except(t.page.Held(), want))
	s.fail("show", "tab %s (haunted: %v, holds on: %v) shows %s", t.name, t.page.Haunted(), held, difference(shown(got), shown(want)))
}

// except leaves out one message.
func except(id string, messages []*browser.Message) []*browser.Message {
	return slices.DeleteFunc(slices.Clone(messages), func(m *browser.Message) bool { return m.ID == id })
}

// sent leaves out, of what storage does not have, what a connection has taken with it: a
// message on its way to the server, or the word that a message which was typed without a
// connection was not taken. The client goes on showing both.
func (s *Sim) sent(t *tab, messages, stored []*browser.Message) []*browser.Message {
	return slices.DeleteFunc(messages, func(m *browser.Message) bool {
		known := slices.ContainsFunc(stored, func(have *browser.Message) bool { return have.ID == m.ID })
		return !known && strings.HasPrefix(m.ID, t.name+".") && (t.page.Kept(m.ID) || !s.arrived(m.ID))
	})
}

// arrived says whether a message has arrived in a list.
func (s *Sim) arrived(id string) bool {
	return slices.ContainsFunc(s.checks.arrived, func(frame string) bool { return strings.Contains(frame, `\"id\":\"`+id+`\"`) })
}

// outline says in one line which messages there are.
func outline(messages []*browser.Message) string {
	var words []string
	for _, m := range messages {
		words = append(words, fmt.Sprintf("%s(%d)", m.ID, len(m.Parts)))
	}
	return strings.Join(words, " ")
}

// visible leaves out messages in which there is nothing to see: answers that were stopped
// before they had begun are not stored.
func visible(messages []*browser.Message) []*browser.Message {
	return slices.DeleteFunc(append([]*browser.Message{}, messages...), func(m *browser.Message) bool {
		return m.Role == "assistant" && !slices.ContainsFunc(m.Parts, func(p *browser.Part) bool { return p.Type != "step-start" })
	})
}

// shown is what people see of messages and runs: what only says how it came to be, such as
// whether a part was closed, is left out.
func shown(v any) string {
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

// difference is where two texts begin to differ.
func difference(got, want string) string {
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	from := max(at-80, 0)
	cut := func(s string) string { return s[from:min(from+240, len(s))] }
	return fmt.Sprintf("...%s...\nand storage says ...%s...", cut(got), cut(want))
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
