package run

import "github.com/tributary-agents/tributary/durable"

// unchanged are runs that [FindBrief] has read since a row of a run has changed.
type unchanged struct{ runs map[string]Run }

// Bytes implements [durable.Copy].
func (c *unchanged) Bytes() (n int) {
	for _, r := range c.runs {
		n += 512 + len(r.Preview) + len(r.Display)
	}
	return n
}

// change runs a statement that changes rows of runs. No other function runs one.
func change(tx *durable.Tx, statement string, args ...any) []durable.Row {
	clear(durable.Kept[unchanged](tx).runs)
	return tx.SQL(statement, args...)
}

// noteNext notes which chunk a run expects next. No row says it.
func noteNext(tx *durable.Tx, r Run) {
	c := durable.Kept[unchanged](tx)
	if kept, ok := c.runs[r.ID]; ok {
		kept.Next = r.Next
		c.runs[r.ID] = kept
	}
}
