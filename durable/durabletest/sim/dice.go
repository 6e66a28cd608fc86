package sim

import (
	"hash/fnv"

	"github.com/tributary-agents/tributary/durable/durabletest"
)

// dice decide what a seed leaves open.
type dice struct{ random func([]byte) }

// newDice returns dice that fall alike for the same seed and purpose, whatever else is
// thrown.
func newDice(seed uint32, purpose ...string) dice {
	h := fnv.New64a()
	_, _ = h.Write([]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24)})
	for _, p := range purpose {
		_, _ = h.Write([]byte(p))
		_, _ = h.Write([]byte{0})
	}
	sum := h.Sum64()
	random := durabletest.Rand(uint32(sum ^ sum>>32))
	random(make([]byte, 8)) // seeds that are close begin close
	return dice{random}
}

// under returns a number from 0 to n-1.
func (d dice) under(n int) int {
	var b [4]byte
	d.random(b[:])
	return int((uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])) % uint32(n))
}

// seed returns a number that another world can begin with.
func (d dice) seed() uint32 { return uint32(d.under(1 << 31)) }

// chance says yes once in n times.
func (d dice) chance(n int) bool { return n > 0 && d.under(n) == 0 }

// word returns a word that nobody else has.
func (d dice) word() string {
	const letters = "bcdfghjklmnpqrstvwxz"
	b := make([]byte, 6)
	for i := range b {
		b[i] = letters[d.under(len(letters))]
	}
	return string(b)
}

// pick returns one of the names, each as likely as its weight.
func (d dice) pick(options []choice) string {
	total := 0
	for _, o := range options {
		total += o.weight
	}
	at := d.under(total)
	for _, o := range options {
		if at -= o.weight; at < 0 {
			return o.name
		}
	}
	panic("sim: nothing to pick from")
}

// choice is something that can be picked.
type choice struct {
	name   string
	weight int
}
