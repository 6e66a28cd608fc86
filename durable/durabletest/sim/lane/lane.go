// Package lane holds everything that is on its way between the objects and their surroundings: the
// browsers and the model's server.
package lane

import "slices"

// Set is the lanes of one world. The items of one lane arrive in order.
type Set struct {
	names []string
	items map[string][]func()
}

// New returns a set without lanes.
func New() *Set { return &Set{items: map[string][]func(){}} }

// Post puts an item on a lane. arrive is called when it is delivered.
func (s *Set) Post(lane string, arrive func()) {
	if len(s.items[lane]) == 0 {
		s.names = append(s.names, lane)
	}
	s.items[lane] = append(s.items[lane], arrive)
}

// Deliver delivers the next item of a lane, and says whether there was one.
func (s *Set) Deliver(lane string) bool {
	waiting := s.items[lane]
	if len(waiting) == 0 {
		return false
	}
	s.items[lane] = waiting[1:]
	if len(waiting) == 1 {
		s.Drop(lane)
	}
	waiting[0]()
	return true
}

// Drop discards everything on a lane.
func (s *Set) Drop(lane string) {
	delete(s.items, lane)
	s.names = slices.DeleteFunc(s.names, func(l string) bool { return l == lane })
}

// Names returns the lanes that have items, in the order in which they got their first one.
func (s *Set) Names() []string { return slices.Clone(s.names) }

// Waits says whether a lane has items.
func (s *Set) Waits(lane string) bool { return len(s.items[lane]) > 0 }
