package sim

import (
	"fmt"
	"strconv"
	"strings"
)

// arm lets the next event of an object trap.
func (s *Sim) arm(slot string, statement int) {
	object := s.world.Object(slot)
	if object == "" || s.armed != unarmed {
		return
	}
	s.armed = slot
	s.checks.before = s.dump(object)
	s.storage(object).FailAt(statement)
}

// unarmed is no slot.
const unarmed = "-"

func (s *Sim) disarm() {
	if object := s.world.Object(s.armed); s.armed != unarmed && object != "" {
		s.storage(object).Calm()
	}
	s.armed, s.checks.before = unarmed, ""
}

// fill lets an object's storage be full, or no more.
func (s *Sim) fill(slot string) {
	object := s.world.Object(slot)
	switch {
	case object == "":
	case s.checks.full[object]:
		s.checks.full[object] = false
		s.storage(object).Calm()
	default:
		s.checks.full[object], s.checks.wasFull[object] = true, true
		s.storage(object).Fill()
	}
}

// heal ends all trouble with storage.
func (s *Sim) heal() {
	s.disarm()
	for object := range s.checks.full {
		s.storage(object).Calm()
	}
	clear(s.checks.full)
}

// beginOutage has nothing be written anywhere for some time.
func (s *Sim) beginOutage(ms int64) {
	s.world.GiveUp()
	s.outage = s.world.Now() + ms
	for _, n := range s.everyone() {
		n.alarmsLost = true
	}
	s.fillAll()
}

// fillAll fills every storage that there is.
func (s *Sim) fillAll() {
	for _, n := range s.everyone() {
		for _, slot := range n.world.Slots() {
			if object := n.world.Object(slot); !n.checks.full[object] {
				n.fill(slot)
			}
		}
	}
}

// endOutage ends it when its time has come.
func (s *Sim) endOutage() {
	switch {
	case s.outage == 0:
	case s.world.Now() < s.outage:
		s.fillAll()
	default:
		s.outage = 0
		for _, n := range s.everyone() {
			n.heal()
		}
	}
}

// maxFailures is how many ticks it takes at most until an alarm has failed for good.
const maxFailures = 400

// giveUpAlarm has nothing be written until the platform has given the root's alarm up.
func (s *Sim) giveUpAlarm() {
	if s.world.Alarm() == 0 || s.outage > 0 {
		return
	}
	s.beginOutage(forever)
	for n := 0; s.world.Alarm() > 0 && n < maxFailures && s.failure == nil; n++ {
		s.tick()
		s.fillAll()
	}
	s.outage = s.world.Now()
	s.endOutage()
}

// lose has the process of an object die when its next event has committed.
func (s *Sim) lose(slot, rest string) {
	n, whom, _ := strings.Cut(rest, " ")
	if s.losing != unarmed || s.world.Object(slot) == "" {
		return
	}
	s.losing, s.dies, s.alarmsLost = slot, whom, true
	s.world.Lose(slot, number(n))
}

// die takes the process with everything in it, or a helper alone.
func (s *Sim) die(slot string) {
	s.losing = unarmed
	if slot == "" || s.dies == "everyone" {
		s.crash()
		return
	}
	s.world.Evict(slot)
}

// never is more commands than anything brings about.
const never = 1 << 30

// sever breaks what a lane is part of: also a request for messages, before or after the object
// has heard it.
func (s *Sim) sever(lane string) {
	name, isRequest := strings.CutSuffix(strings.TrimRight(lane, "<>"), ".get")
	t := s.tab(name)
	switch {
	case !isRequest:
		s.cut(lane)
	case t == nil || len(s.inFlight.items[lane]) == 0:
	case strings.HasSuffix(lane, ">"):
		s.inFlight.lose(lane)
		s.respond(t.request, 502, nil)
	default:
		s.inFlight.lose(lane)
		s.show(t, fmt.Sprintf("%s.%d", t.name, t.mounts), nil)
	}
}

func (s *Sim) chooseLoss(slot string) string {
	whom := "everyone"
	if slot != "" && s.dice.chance(2) {
		whom = "helper"
	}
	return line("lose", slot, strconv.Itoa(s.dice.under(4)*s.dice.under(2)), whom)
}

// chooseBroken breaks the connection of a page that something is on its way to.
func (s *Sim) chooseBroken() string {
	var some []*tab
	for _, t := range s.tabs {
		if t.connected() && len(s.inFlight.items[string(t.conn)+"<"]) > 0 {
			some = append(some, t)
		}
	}
	if len(some) == 0 {
		return "tick"
	}
	return line("break", some[s.dice.under(len(some))].name)
}

// chooseSevered breaks something of a kind, each kind as likely, so that the rare ones are cut
// too.
func (s *Sim) chooseSevered() string {
	var kinds []string
	of := map[string][]string{}
	for _, lane := range s.lanes() {
		k := kindOf(lane)
		if of[k] == nil {
			kinds = append(kinds, k)
		}
		of[k] = append(of[k], lane)
	}
	if len(kinds) == 0 {
		return "tick"
	}
	lanes := of[kinds[s.dice.under(len(kinds))]]
	return line("sever", lanes[s.dice.under(len(lanes))])
}

// kindOf says what is on a lane, and which way it goes.
func kindOf(lane string) string {
	if slot, name, ok := strings.Cut(lane, ":"); ok {
		verb, _, _ := strings.Cut(name, "/")
		return verb + []string{"<", ">"}[min(len(slot), 1)]
	}
	if strings.Contains(lane, "/") {
		return "model"
	}
	return lane[strings.IndexAny(lane, ".<>"):]
}
