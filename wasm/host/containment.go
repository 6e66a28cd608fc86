package host

import (
	"context"
	"errors"
	"slices"
)

const (
	// again is the time within which a second trap moves a tree out of the shared
	// instance, and well how long it must not trap to come back, in milliseconds.
	again = 60_000
	well  = 10 * 60_000
	// unrest is how many deaths of the shared instance, within the time of again,
	// are enough to move a tree at its first trap.
	unrest = 4
	// maxOwn is how many instances there are for trees that trap, and maxTrapped how
	// many of these trees are known at a time.
	maxOwn     = 3
	maxTrapped = 1000
)

// containment says in which holder's instances a tree of objects lives: in the
// shared one, or in one of a few for those that have trapped again and again. All
// objects of a tree count together, since a root can make any number of helpers.
type containment struct {
	shared *holder
	own    []*holder
	// maxMemory is how much all instances may hold together, in bytes.
	maxMemory int
	// trapped are the trees that have trapped, the longest ago first.
	trapped []*trapped
	// deaths are when traps ended the shared instance, the last few.
	deaths []int64
}

// trapped is a tree that has trapped.
type trapped struct {
	tree string
	last int64
	// holder is the one that the tree was moved to, or nil.
	holder *holder
}

// newContainment returns the containment of an isolate whose shared instance may grow
// to so many bytes. The instances of those that trap may have as much together.
func newContainment(maxMemory int, make func(maxMemory int) *holder) *containment {
	c := &containment{shared: make(maxMemory), maxMemory: 2 * maxMemory}
	for range maxOwn {
		c.own = append(c.own, make(maxMemory/maxOwn))
	}
	return c
}

// alone returns a containment with one instance and no others, for one object that has
// an instance of its own.
func alone(maxMemory int, make func(maxMemory int) *holder) *containment {
	return &containment{shared: make(maxMemory), maxMemory: 2 * maxMemory}
}

func (c *containment) holders() []*holder { return append([]*holder{c.shared}, c.own...) }

// holder returns the holder that a tree's objects are opened by.
func (c *containment) holder(tree string) *holder {
	if i := c.find(tree); i >= 0 && c.trapped[i].holder != nil {
		return c.trapped[i].holder
	}
	return c.shared
}

// tidy ends what has been left for long enough, and forgets the trees that are well.
func (c *containment) tidy(ctx context.Context, now int64) error {
	var errs []error
	for _, h := range c.holders() {
		errs = append(errs, h.expire(ctx, now))
	}
	for len(c.trapped) > 0 && now-c.trapped[0].last >= well {
		errs = append(errs, c.forget(ctx, 0, now))
	}
	return errors.Join(errs...)
}

// weigh takes note of an event of a tree that has happened in a holder's instance.
// What has grown too large is left; where all instances together hold too much,
// those that are being left end at once.
func (c *containment) weigh(ctx context.Context, tree string, h *holder, now int64) error {
	grown, err := h.outgrown(ctx, now)
	errs := []error{err}
	if grown && h == c.shared {
		errs = append(errs, c.count(ctx, tree, now))
	}
	if c.size() > c.maxMemory {
		for _, h := range c.holders() {
			errs = append(errs, h.abandon(ctx))
		}
	}
	return errors.Join(errs...)
}

// died takes note that an event of a tree has ended a holder's instance.
func (c *containment) died(ctx context.Context, tree string, h *holder, now int64) error {
	err := c.count(ctx, tree, now)
	if h == c.shared {
		c.deaths = append(c.deaths[max(0, len(c.deaths)-unrest+1):], now)
	}
	return err
}

// count moves a tree where this was not the first time.
func (c *containment) count(ctx context.Context, tree string, now int64) error {
	t := &trapped{tree: tree, last: now}
	move := c.restless(now)
	if i := c.find(tree); i >= 0 {
		before := c.trapped[i]
		t.holder, move = before.holder, move || now-before.last < again
		c.trapped = slices.Delete(c.trapped, i, i+1)
	}
	if t.holder == nil && move && len(c.own) > 0 {
		t.holder = slices.MinFunc(c.own, func(a, b *holder) int { return c.tenants(a) - c.tenants(b) })
	}
	c.trapped = append(c.trapped, t)
	if len(c.trapped) > maxTrapped {
		return c.forget(ctx, 0, now)
	}
	return nil
}

// restless says whether the shared instance has died so often that one trap is
// enough to be moved.
func (c *containment) restless(now int64) bool {
	return len(c.deaths) == unrest && now-c.deaths[0] < again
}

// forget lets a tree live in the shared instance again.
func (c *containment) forget(ctx context.Context, i int, now int64) error {
	h := c.trapped[i].holder
	c.trapped = slices.Delete(c.trapped, i, i+1)
	if h == nil || c.tenants(h) > 0 {
		return nil
	}
	return h.leave(ctx, now)
}

func (c *containment) find(tree string) int {
	return slices.IndexFunc(c.trapped, func(t *trapped) bool { return t.tree == tree })
}

// tenants returns how many trees were moved to a holder.
func (c *containment) tenants(h *holder) int {
	n := 0
	for _, t := range c.trapped {
		if t.holder == h {
			n++
		}
	}
	return n
}

func (c *containment) size() int {
	total := 0
	for _, h := range c.holders() {
		total += h.size()
	}
	return total
}

func (c *containment) drop(ctx context.Context) error {
	var errs []error
	for _, h := range c.holders() {
		errs = append(errs, h.drop(ctx))
	}
	return errors.Join(errs...)
}
