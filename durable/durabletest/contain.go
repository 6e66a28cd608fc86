package durabletest

import "slices"

// This file moves objects that trap repeatedly out of the instance that they share with others, by
// the same rule as the module's hosts: a tree of objects whose events trap twice within a minute
// lives in one of a few other instances until it has not trapped for ten minutes.

// Times are in milliseconds. The others are numbers of instances or deaths.
const (
	// trapWindow is the time within which a second trap moves a tree. recoveryTime is how long a
	// tree must not trap before it moves back.
	trapWindow   = 60_000
	recoveryTime = 600_000
	// maxDeaths is how many deaths of the shared instance within trapWindow are enough to move a
	// tree at its first trap.
	maxDeaths = 4
	// maxOwn is the number of instances for trees that trap.
	maxOwn = 3
	// drainTimeout is how long a busy object may stay in an instance that is draining.
	drainTimeout = 60_000
)

// instance stands for a linear memory.
type instance struct{ dead bool }

// instancePool hands out an instance, and a new one after that has died. draining is the previous
// instance, in which objects may still be busy.
type instancePool struct {
	instance, draining *instance
	drainingSince      int64
}

func (p *instancePool) get() *instance {
	if p.instance == nil || p.instance.dead {
		p.instance = &instance{}
	}
	return p.instance
}

// replace makes the next event create a new instance.
func (p *instancePool) replace(now int64) {
	p.endDraining()
	p.draining, p.drainingSince, p.instance = p.instance, now, nil
}

func (p *instancePool) endDraining() {
	if p.draining != nil {
		p.draining.dead = true
	}
	p.draining = nil
}

// containment assigns each tree of objects to a pool, as the module's hosts do.
type containment struct {
	shared instancePool
	own    [maxOwn]instancePool
	// trapped are the trees that have trapped, ordered by their last trap, the oldest first.
	trapped []trappedTree
	// deaths are the times of the last traps that ended the shared instance.
	deaths []int64
}

type trappedTree struct {
	tree string
	last int64
	// pool is the one that the tree was moved to, or nil.
	pool *instancePool
}

// pool returns the pool in which a tree's objects are opened.
func (c *containment) pool(tree string) *instancePool {
	if i := c.find(tree); i >= 0 && c.trapped[i].pool != nil {
		return c.trapped[i].pool
	}
	return &c.shared
}

// expire forgets the trees that have recovered, and ends instances that have drained long enough.
func (c *containment) expire(now int64) {
	for i := range c.own {
		if p := &c.own[i]; p.draining != nil && now-p.drainingSince >= drainTimeout {
			p.endDraining()
		}
	}
	for len(c.trapped) > 0 && now-c.trapped[0].last >= recoveryTime {
		p := c.trapped[0].pool
		c.trapped = c.trapped[1:]
		if p != nil && c.treesIn(p) == 0 {
			p.replace(now)
		}
	}
}

// died records that an event of a tree has ended an instance.
func (c *containment) died(tree string, in *instance, now int64) {
	t := trappedTree{tree: tree, last: now}
	moves := len(c.deaths) == maxDeaths && now-c.deaths[0] < trapWindow
	if i := c.find(tree); i >= 0 {
		before := c.trapped[i]
		t.pool, moves = before.pool, moves || now-before.last < trapWindow
		c.trapped = slices.Delete(c.trapped, i, i+1)
	}
	if t.pool == nil && moves {
		t.pool = c.leastUsed()
	}
	c.trapped = append(c.trapped, t)
	if in == c.shared.instance {
		c.deaths = append(c.deaths[max(0, len(c.deaths)-maxDeaths+1):], now)
	}
	in.dead = true
}

func (c *containment) find(tree string) int {
	return slices.IndexFunc(c.trapped, func(t trappedTree) bool { return t.tree == tree })
}

func (c *containment) leastUsed() *instancePool {
	best := &c.own[0]
	for i := range c.own {
		if p := &c.own[i]; c.treesIn(p) < c.treesIn(best) {
			best = p
		}
	}
	return best
}

// treesIn returns how many trees were moved to a pool.
func (c *containment) treesIn(p *instancePool) int {
	n := 0
	for _, t := range c.trapped {
		if t.pool == p {
			n++
		}
	}
	return n
}
