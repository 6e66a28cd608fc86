package guest

// eachCollection is how many bytes cross the boundary before the next forced garbage collection.
const eachCollection = 1 << 20

// collector forces a garbage collection after an event that was large, or after many small ones. By
// itself, Go keeps the garbage of one large event while the next one makes its own, and linear
// memory never shrinks: five clients whose frames of some megabytes were refused grew it to 93 MB,
// of which 15 MB were live. The collector measures the bytes that cross the boundary instead of
// allocations, because asking Go for those costs more.
type collector struct {
	collect func()
	crossed int
}

// cross counts bytes that cross the boundary, in either direction.
func (c *collector) cross(n int) { c.crossed += n }

// rest collects garbage if enough bytes have crossed. No event is running then.
func (c *collector) rest() {
	if c.crossed < eachCollection {
		return
	}
	c.crossed = 0
	c.collect()
}
