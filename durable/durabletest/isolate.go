package durabletest

// isolate is what worlds beside each other share: the clock, and the instance in which
// their objects live.
type isolate struct {
	engine Engine
	now    int64
	worlds []*World
	// givesUp says that the platform does not repeat an alarm for ever.
	givesUp bool
}

func (i *isolate) world(class, object string, vars map[string]string) *World {
	w := &World{
		isolate: i, root: newNode(object, class, ""),
		vars: vars, links: map[string]*link{}, replies: map[string]string{}, witness: func(Happening) {},
	}
	w.root.inside = object + "/"
	i.worlds = append(i.worlds, w)
	return w
}

// Beside returns a world around another root of the same deployment, whose objects live in
// the same isolate: they share the clock, the variables, and the instance, which a trap of
// either takes.
func (w *World) Beside(class, object string) *World {
	return w.world(class, object, w.vars)
}

// Bereft says whether the object in a slot was in memory after its last event, and has lost
// that by another's trap of which the witness is being told.
func (w *World) Bereft(slot string) bool {
	n := w.node(slot)
	return n != nil && n.awake && !w.awake(n)
}

// wakeAll opens at once what a trap has taken in any world of the isolate, where anything of
// it is under way.
func (w *World) wakeAll(trapped *node) {
	for _, other := range w.worlds {
		other.wake(trapped)
	}
}
