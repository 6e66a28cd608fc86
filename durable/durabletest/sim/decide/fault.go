package decide

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// fault chooses trouble.
func (c *Chooser) fault() string {
	slots := c.World.Slots()
	slot := slots[c.dice.Under(len(slots))]
	switch fault := c.dice.Pick(c.Profile.Faults); fault {
	case "evict", "full":
		return line(fault, slot)
	case "trap", "kill":
		return line(fault, slot, strconv.Itoa(c.dice.Under(12)))
	case "drop", "echo":
		if len(c.People.Tabs) > 0 {
			return line(fault, c.anyTab().Name)
		}
		return nothing
	case "break":
		return c.breakOff()
	case "cut":
		return c.cut()
	case "lose":
		return c.loss(slot)
	case "sever":
		return c.sever()
	case "outage":
		return line(fault, strconv.Itoa(1_000*(10+c.dice.Under(300))))
	case "hostile":
		return c.attack()
	case "jump":
		return line(fault, strconv.Itoa(c.dice.Under(120_000)-20_000))
	default:
		return fault
	}
}

// loss makes a process die after a number of commands.
func (c *Chooser) loss(slot string) string {
	whom := "everyone"
	if slot != "" && c.dice.Chance(2) {
		whom = "helper"
	}
	return line("lose", slot, strconv.Itoa(c.dice.Under(4)*c.dice.Under(2)), whom)
}

// breakOff breaks a connection that has something on its way to its page.
func (c *Chooser) breakOff() string {
	var some []string
	for _, t := range c.People.Tabs {
		if t.Connected() && c.Lanes.Waits(t.In()) {
			some = append(some, t.Name)
		}
	}
	if len(some) == 0 {
		return nothing
	}
	return line("break", some[c.dice.Under(len(some))])
}

// cut breaks a link between objects, or an answer of the model.
func (c *Chooser) cut() string {
	lanes := c.lanes()
	if len(lanes) == 0 {
		return nothing
	}
	return line("cut", lanes[c.dice.Under(len(lanes))])
}

// sever breaks a lane. Each kind of lane has the same chance, so that the rare ones are broken too.
func (c *Chooser) sever() string {
	var kinds []string
	lanesOf := map[string][]string{}
	for _, lane := range c.lanes() {
		k := c.kindOf(lane)
		if lanesOf[k] == nil {
			kinds = append(kinds, k)
		}
		lanesOf[k] = append(lanesOf[k], lane)
	}
	if len(kinds) == 0 {
		return nothing
	}
	lanes := lanesOf[kinds[c.dice.Under(len(kinds))]]
	return line("sever", lanes[c.dice.Under(len(lanes))])
}

// kindOf returns what a lane carries, and its direction. The stream that hands over a run is a kind
// of its own.
func (c *Chooser) kindOf(lane string) string {
	if slot, name, ok := strings.Cut(lane, ":"); ok {
		verb, _, _ := strings.Cut(name, "/")
		if verb == "tail" && !c.isTail(lane) {
			verb = "start"
		}
		return verb + []string{"<", ">"}[min(len(slot), 1)]
	}
	if strings.Contains(lane, "/") {
		return "model"
	}
	return lane[strings.IndexAny(lane, ".<>"):]
}

func sortedIDs[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
