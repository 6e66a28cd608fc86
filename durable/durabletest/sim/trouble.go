package sim

import (
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/people"
)

// arm makes the next event of an object trap at a statement.
func (r *root) arm(slot string, statement int) {
	object := r.world.Object(slot)
	if object == "" || r.view.Armed != check.NoSlot {
		return
	}
	r.view.Armed, r.view.Before = slot, r.view.Dump(object)
	r.view.Storage(object).FailAt(statement)
}

// armKill has the process killed at a statement inside the next event of an object.
func (r *root) armKill(slot string, statement int) {
	if r.arm(slot, statement); r.view.Armed == slot {
		r.view.Storage(r.world.Object(slot)).KillAt(statement)
	}
}

func (r *root) disarm() {
	if object := r.world.Object(r.view.Armed); r.view.Armed != check.NoSlot && object != "" {
		r.view.Storage(object).Calm()
	}
	r.view.Armed, r.view.Before = check.NoSlot, ""
}

// fill makes the storage of an object full, or ends that.
func (r *root) fill(slot string) {
	object := r.world.Object(slot)
	switch {
	case object == "":
	case r.view.Full[object]:
		r.view.Full[object] = false
		r.view.Storage(object).Calm()
	default:
		r.view.Full[object], r.view.WasFull[object] = true, true
		r.view.Storage(object).Fill()
	}
}

// heal ends all trouble with storage.
func (r *root) heal() {
	r.disarm()
	for object := range r.view.Full {
		r.view.Storage(object).Calm()
	}
	clear(r.view.Full)
}

// beginOutage makes all storage of the isolate full for some time.
func (r *root) beginOutage(ms int64) {
	r.world.GiveUp()
	r.outage = r.world.Now() + ms
	for _, n := range r.everyone() {
		n.view.AlarmsLost = true
	}
	r.fillAll()
}

// fillAll makes all storage full that exists.
func (r *root) fillAll() {
	for _, n := range r.everyone() {
		for _, slot := range n.world.Slots() {
			if object := n.world.Object(slot); !n.view.Full[object] {
				n.fill(slot)
			}
		}
	}
}

// endOutage ends the outage when its time has come. Until then it fills the storage of new objects.
func (r *root) endOutage() {
	switch {
	case r.outage == 0:
	case r.world.Now() < r.outage:
		r.fillAll()
	default:
		r.outage = 0
		for _, n := range r.everyone() {
			n.heal()
		}
	}
}

// maxFailures is by how many ticks an alarm has failed for good.
const maxFailures = 400

// giveUpAlarm makes all storage full until the platform has given the root's alarm up.
func (r *root) giveUpAlarm() {
	if r.world.Alarm() == 0 || r.outage > 0 {
		return
	}
	r.beginOutage(people.Forever)
	for n := 0; r.world.Alarm() > 0 && n < maxFailures && !r.hasFailed(); n++ {
		r.tick()
		r.fillAll()
	}
	r.outage = r.world.Now()
	r.endOutage()
}

// never is more commands than any event has.
const never = 1 << 30

// lose makes the process of an object die when its next event has committed.
func (r *root) lose(slot, rest string) {
	n, whom, _ := strings.Cut(rest, " ")
	if r.losing != check.NoSlot || r.world.Object(slot) == "" {
		return
	}
	r.losing, r.dies, r.view.AlarmsLost = slot, whom, true
	r.world.Lose(slot, number(n))
}

// die ends the process with everything in it, or takes the memory of a helper alone.
func (r *root) die(slot string) {
	r.losing = check.NoSlot
	if slot == "" || r.dies == "everyone" {
		r.crash()
		return
	}
	r.world.Evict(slot)
}

// crash ends the process with everything in it.
func (r *root) crash() {
	for _, n := range r.everyone() {
		n.disarm()
		n.losing = check.NoSlot
		n.world.Crash()
		n.model.AbandonAll()
		n.programs.Crash()
		n.login.Crash()
		n.people.Crash()
	}
	r.enemy().Crash()
}

// mute makes a link fall silent.
func (r *root) mute(lane string) {
	if requester, ok := r.world.Mute(lane); ok {
		r.objects.Muted(requester)
	}
}

// jump sets the clock on the wall, which all roots of the isolate share.
func (r *root) jump(by int64) {
	r.world.Jump(by)
	for _, n := range r.everyone() {
		n.view.Leapt += by
		n.view.SetBack += max(-by, 0)
		n.view.ClockSets++
	}
}
