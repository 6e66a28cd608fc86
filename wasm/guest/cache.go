package guest

import (
	"container/list"

	"github.com/tributary-agents/tributary/durable"
)

// cache holds the objects of an instance, the most recently used first, and the sum of their loads.
type cache struct {
	budget int
	byID   map[uint32]*list.Element
	order  *list.List
	bytes  int
}

// entry is one object with its load after its last step. The load does not change between two
// steps.
type entry struct {
	handle uint32
	object durable.Object
	load   durable.Load
}

func newCache(budget int) *cache {
	return &cache{budget: budget, byID: map[uint32]*list.Element{}, order: list.New()}
}

// get returns an object and makes it the most recently used. It returns nil if there is none.
func (c *cache) get(handle uint32) *entry {
	el, ok := c.byID[handle]
	if !ok {
		return nil
	}
	c.order.MoveToFront(el)
	return el.Value.(*entry)
}

func (c *cache) add(handle uint32, object durable.Object) *entry {
	e := &entry{handle: handle, object: object}
	c.byID[handle] = c.order.PushFront(e)
	return e
}

func (c *cache) remove(handle uint32) {
	el, ok := c.byID[handle]
	if !ok {
		return
	}
	e := el.Value.(*entry)
	c.bytes -= e.load.Bytes
	c.order.Remove(el)
	delete(c.byID, handle)
	if d, ok := e.object.(durable.Dropper); ok {
		d.Drop()
	}
}

// weigh updates an object's load after its step. While the budget is exceeded, it drops other idle
// objects, the least recently used first.
func (c *cache) weigh(e *entry) {
	c.bytes -= e.load.Bytes
	e.load = e.object.Load()
	c.bytes += e.load.Bytes
	for el := c.order.Back(); el != nil && c.bytes > c.budget; {
		idle, prev := el.Value.(*entry), el.Prev()
		if idle != e && !idle.load.Busy {
			c.remove(idle.handle)
		}
		el = prev
	}
}
