package flow

import "github.com/tributary-agents/tributary/durable"

// current are the routines whose journals in memory know of all awaits that have ended.
type current struct{ routines map[string]bool }

// Bytes implements [durable.Copy].
func (c *current) Bytes() (n int) {
	for id := range c.routines {
		n += 64 + len(id)
	}
	return n
}

// isCurrent says whether the rows have no end that the journal does not know.
func (j *journal) isCurrent(tx *durable.Tx) bool {
	return durable.Kept[current](tx).routines[j.routine]
}

// makeCurrent notes that the journal has read all ends.
func (j *journal) makeCurrent(tx *durable.Tx) {
	c := durable.Kept[current](tx)
	if c.routines == nil {
		c.routines = map[string]bool{}
	}
	c.routines[j.routine] = true
}

// outdate notes that rows of a routine have changed.
func outdate(tx *durable.Tx, routine string) {
	delete(durable.Kept[current](tx).routines, routine)
}
