package durabletest

import "github.com/tributary-agents/tributary/durable"

// isolate is the state that worlds in the same isolate share: the clock, and the instance in which
// their objects live.
type isolate struct {
	engine Engine
	now    int64
	worlds []*World
	// tidiedAt is when the engine's instances were last checked.
	tidiedAt int64
	// givesUp says that the platform stops repeating a failed alarm at some point.
	givesUp bool
}

func (i *isolate) world(class, object string, vars map[string]string) *World {
	w := &World{
		isolate: i, root: newNode(object, class, ""), client: newNode("client", "", "client: "), claimed: map[durable.ConnID]string{},
		vars: vars, links: map[string]*link{}, replies: map[string]string{}, witness: func(HandledEvent) {},
	}
	w.root.inside = object + "/"
	i.worlds = append(i.worlds, w)
	return w
}

// Beside returns a world around another root of the same deployment, whose objects live in the same
// isolate. The worlds share the clock, the variables, and the instance, which a trap in either
// world ends.
func (w *World) Beside(class, object string) *World {
	return w.world(class, object, w.vars)
}

// Bereft says whether the object in a slot was in memory after its last event, and has lost its
// memory by another object's trap. It is for the witness of that trap.
func (w *World) Bereft(slot string) bool {
	n := w.node(slot)
	return n != nil && n.awake && !w.awake(n)
}

// expire ends the instances whose time is over, and says whether an object has lost its memory.
func (i *isolate) expire() bool {
	if i.tidiedAt == i.now {
		return false
	}
	i.tidiedAt = i.now
	return i.engine.Expire(i.now)
}

// wakeAll reopens at once the busy objects that the end of an instance has discarded, in all worlds
// of the isolate.
func (w *World) wakeAll(heard *node) {
	for _, other := range w.worlds {
		other.wake(heard)
	}
}
