package sim

import "slices"

// inFlight is what is on its way between the world and those around it: browsers and the model's
// endpoint. Each lane is in order.
type inFlight struct {
	lanes []string
	items map[string][]func()
}

func newInFlight() *inFlight { return &inFlight{items: map[string][]func(){}} }

// post puts something on a lane; f lets it arrive.
func (m *inFlight) post(lane string, f func()) {
	if len(m.items[lane]) == 0 {
		m.lanes = append(m.lanes, lane)
	}
	m.items[lane] = append(m.items[lane], f)
}

// deliver lets the next thing on a lane arrive, and says whether there was one.
func (m *inFlight) deliver(lane string) bool {
	waiting := m.items[lane]
	if len(waiting) == 0 {
		return false
	}
	m.items[lane] = waiting[1:]
	if len(waiting) == 1 {
		m.lose(lane)
	}
	waiting[0]()
	return true
}

// lose drops everything on a lane.
func (m *inFlight) lose(lane string) {
	delete(m.items, lane)
	m.lanes = slices.DeleteFunc(m.lanes, func(l string) bool { return l == lane })
}
