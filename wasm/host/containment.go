package host

import (
	"context"
	"errors"
	"slices"
)

const (
	// trapWindow is the time within which a second trap moves a tree out of the shared
	// instance. recoveryTime is how long a tree must not trap before it moves back. Both
	// are in milliseconds.
	trapWindow   = 60_000
	recoveryTime = 10 * 60_000
	// maxDeaths is how many deaths of the shared instance within the trap window are
	// enough to move a tree at its first trap.
	maxDeaths = 4
	// maxOwn is the number of pools for trees that trap, and maxTrapped the number of
	// such trees that are remembered.
	maxOwn     = 3
	maxTrapped = 1000
)

// containment assigns each tree of objects to a pool of instances: the shared one, or one of a few
// for trees that trap repeatedly. The traps of all objects of a tree count together, because a root
// can create any number of helpers.
type containment struct {
	shared *pool
	own    []*pool
	// maxMemory is the limit of all instances' memory together, in bytes.
	maxMemory int
	// trapped are the trees that have trapped, ordered by their last trap, the oldest first.
	trapped []*trapped
	// deaths are the times of the last traps that ended the shared instance.
	deaths []int64
}

// trapped is a tree that has trapped.
type trapped struct {
	tree string
	last int64
	// pool is the one that the tree was moved to, or nil.
	pool *pool
}

// newContainment returns the containment of an isolate. maxMemory bounds the memory of the shared
// instance in bytes, and also that of all instances of trapping trees together.
func newContainment(maxMemory int, make func(maxMemory int) *pool) *containment {
	c := &containment{shared: make(maxMemory), maxMemory: 2 * maxMemory}
	for range maxOwn {
		c.own = append(c.own, make(maxMemory/maxOwn))
	}
	return c
}

// alone returns a containment with one instance and no others, for one object that has
// an instance of its own.
func alone(maxMemory int, make func(maxMemory int) *pool) *containment {
	return &containment{shared: make(maxMemory), maxMemory: 2 * maxMemory}
}

func (c *containment) pools() []*pool { return append([]*pool{c.shared}, c.own...) }

// pool returns the pool in which a tree's objects are opened.
func (c *containment) pool(tree string) *pool {
	if i := c.find(tree); i >= 0 && c.trapped[i].pool != nil {
		return c.trapped[i].pool
	}
	return c.shared
}

// expire ends instances that have drained long enough, and forgets the trees that
// have recovered.
func (c *containment) expire(ctx context.Context, now int64) error {
	var errs []error
	for _, p := range c.pools() {
		errs = append(errs, p.expire(ctx, now))
	}
	for len(c.trapped) > 0 && now-c.trapped[0].last >= recoveryTime {
		errs = append(errs, c.forget(ctx, 0, now))
	}
	return errors.Join(errs...)
}

// checkMemory checks the memory after an event of a tree in a pool. An instance that
// has grown too large is replaced. If all instances together exceed their limit, those
// that are draining end at once.
func (c *containment) checkMemory(ctx context.Context, tree string, p *pool, now int64) error {
	grown, err := p.replaceIfGrown(ctx, now)
	errs := []error{err}
	if grown && p == c.shared {
		errs = append(errs, c.count(ctx, tree, now))
	}
	if c.size() > c.maxMemory {
		for _, p := range c.pools() {
			errs = append(errs, p.endDraining(ctx))
		}
	}
	return errors.Join(errs...)
}

// died records that an event of a tree has ended a pool's instance.
func (c *containment) died(ctx context.Context, tree string, p *pool, now int64) error {
	err := c.count(ctx, tree, now)
	if p == c.shared {
		c.deaths = append(c.deaths[max(0, len(c.deaths)-maxDeaths+1):], now)
	}
	return err
}

// count counts a trap of a tree, and moves the tree if it trapped recently.
func (c *containment) count(ctx context.Context, tree string, now int64) error {
	t := &trapped{tree: tree, last: now}
	move := c.unstable(now)
	if i := c.find(tree); i >= 0 {
		before := c.trapped[i]
		t.pool, move = before.pool, move || now-before.last < trapWindow
		c.trapped = slices.Delete(c.trapped, i, i+1)
	}
	if t.pool == nil && move && len(c.own) > 0 {
		t.pool = slices.MinFunc(c.own, func(a, b *pool) int { return c.treesIn(a) - c.treesIn(b) })
	}
	c.trapped = append(c.trapped, t)
	if len(c.trapped) > maxTrapped {
		return c.forget(ctx, 0, now)
	}
	return nil
}

// unstable says whether the shared instance has died so often that one trap is
// enough to move a tree.
func (c *containment) unstable(now int64) bool {
	return len(c.deaths) == maxDeaths && now-c.deaths[0] < trapWindow
}

// forget moves a tree back to the shared instance.
func (c *containment) forget(ctx context.Context, i int, now int64) error {
	p := c.trapped[i].pool
	c.trapped = slices.Delete(c.trapped, i, i+1)
	if p == nil || c.treesIn(p) > 0 {
		return nil
	}
	return p.replace(ctx, now)
}

func (c *containment) find(tree string) int {
	return slices.IndexFunc(c.trapped, func(t *trapped) bool { return t.tree == tree })
}

// treesIn returns how many trees were moved to a pool.
func (c *containment) treesIn(p *pool) int {
	n := 0
	for _, t := range c.trapped {
		if t.pool == p {
			n++
		}
	}
	return n
}

func (c *containment) size() int {
	total := 0
	for _, p := range c.pools() {
		total += p.size()
	}
	return total
}

// drop ends all instances, and forgets who has trapped.
func (c *containment) drop(ctx context.Context) error {
	var errs []error
	for _, p := range c.pools() {
		errs = append(errs, p.drop(ctx))
	}
	c.trapped, c.deaths = nil, nil
	return errors.Join(errs...)
}
