package guest

// eachCollection is how many bytes cross the boundary between two collections of garbage that
// are not left to Go's own pace.
const eachCollection = 1 << 20

// collector has garbage collected behind an event that was large, or many that were not. Left
// to its own pace, Go lets the garbage of one large event stand while the next one makes its own,
// and linear memory never shrinks: five clients with frames of some megabytes, which are
// refused, made it 93 MB large of 15 MB that were alive. What crosses the boundary is measured in
// place of what is allocated, because asking Go for that costs more.
type collector struct {
	collect func()
	crossed int
}

// cross takes note of bytes that cross the boundary, in either direction.
func (c *collector) cross(n int) { c.crossed += n }

// rest collects if enough has crossed. No event is running.
func (c *collector) rest() {
	if c.crossed < eachCollection {
		return
	}
	c.crossed = 0
	c.collect()
}
