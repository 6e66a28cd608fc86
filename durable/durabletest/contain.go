package durabletest

import "slices"

// This file is the rule by which objects that trap again and again are taken out of the instance
// that they share with their neighbours, as the module's hosts keep it: a tree of objects whose
// events trap twice within a minute lives in one of a few other instances until it has not
// trapped for ten minutes.

// Times in milliseconds, and how many there are of what.
const (
	// trapsAgain is within which time a second trap moves a tree, and wellFor how long it must not
	// trap to come back.
	trapsAgain = 60_000
	wellFor    = 600_000
	// unrest is how many deaths of the shared instance, within the time of trapsAgain, are enough to
	// move a tree at its first trap.
	unrest = 4
	// maxOwn is how many instances there are for trees that trap.
	maxOwn = 3
	// patience is how long an object that is busy may stay in an instance that others have left.
	patience = 60_000
)

// instance stands for a linear memory.
type instance struct{ dead bool }

// holder hands out an instance, and a new one when that has died. left is the one before, where
// objects may still be busy.
type holder struct {
	instance, left *instance
	leftAt         int64
}

func (h *holder) get() *instance {
	if h.instance == nil || h.instance.dead {
		h.instance = &instance{}
	}
	return h.instance
}

// leave lets the next event make a new instance.
func (h *holder) leave(now int64) {
	h.abandon()
	h.left, h.leftAt, h.instance = h.instance, now, nil
}

func (h *holder) abandon() {
	if h.left != nil {
		h.left.dead = true
	}
	h.left = nil
}

// containment says in which holder's instance a tree of objects lives.
type containment struct {
	shared holder
	own    [maxOwn]holder
	// trapped are the trees that have trapped, the longest ago first.
	trapped []trappedTree
	// deaths are when traps ended the shared instance, the last few.
	deaths []int64
}

type trappedTree struct {
	tree string
	last int64
	// holder is the one that the tree was moved to, or nil.
	holder *holder
}

// holder returns the holder of the instance in which a tree's objects are opened.
func (c *containment) holder(tree string) *holder {
	if i := c.find(tree); i >= 0 && c.trapped[i].holder != nil {
		return c.trapped[i].holder
	}
	return &c.shared
}

// tidy forgets the trees that are well, and ends what has been left for long enough.
func (c *containment) tidy(now int64) {
	for i := range c.own {
		if h := &c.own[i]; h.left != nil && now-h.leftAt >= patience {
			h.abandon()
		}
	}
	for len(c.trapped) > 0 && now-c.trapped[0].last >= wellFor {
		h := c.trapped[0].holder
		c.trapped = c.trapped[1:]
		if h != nil && c.tenants(h) == 0 {
			h.leave(now)
		}
	}
}

// died takes note that an event of a tree has ended an instance.
func (c *containment) died(tree string, in *instance, now int64) {
	t := trappedTree{tree: tree, last: now}
	moves := len(c.deaths) == unrest && now-c.deaths[0] < trapsAgain
	if i := c.find(tree); i >= 0 {
		before := c.trapped[i]
		t.holder, moves = before.holder, moves || now-before.last < trapsAgain
		c.trapped = slices.Delete(c.trapped, i, i+1)
	}
	if t.holder == nil && moves {
		t.holder = c.emptiest()
	}
	c.trapped = append(c.trapped, t)
	if in == c.shared.instance {
		c.deaths = append(c.deaths[max(0, len(c.deaths)-unrest+1):], now)
	}
	in.dead = true
}

func (c *containment) find(tree string) int {
	return slices.IndexFunc(c.trapped, func(t trappedTree) bool { return t.tree == tree })
}

func (c *containment) emptiest() *holder {
	best := &c.own[0]
	for i := range c.own {
		if h := &c.own[i]; c.tenants(h) < c.tenants(best) {
			best = h
		}
	}
	return best
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
