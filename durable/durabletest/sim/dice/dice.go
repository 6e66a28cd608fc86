// Package dice draws the choices that a seed leaves open.
package dice

import (
	"hash/fnv"

	"github.com/tributary-agents/tributary/durable/durabletest"
)

// Dice draw random choices.
type Dice struct{ random func([]byte) }

// New returns dice that give the same numbers for the same seed and purpose, whatever other dice
// are used.
func New(seed uint32, purpose ...string) Dice {
	h := fnv.New64a()
	_, _ = h.Write([]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24)})
	for _, p := range purpose {
		_, _ = h.Write([]byte(p))
		_, _ = h.Write([]byte{0})
	}
	sum := h.Sum64()
	random := durabletest.Rand(uint32(sum ^ sum>>32))
	random(make([]byte, 8)) // the first numbers of neighbouring seeds are close to each other
	return Dice{random}
}

// Under returns a number from 0 to n-1.
func (d Dice) Under(n int) int {
	var b [4]byte
	d.random(b[:])
	return int((uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])) % uint32(n))
}

// Seed returns a seed for another world.
func (d Dice) Seed() uint32 { return uint32(d.Under(1 << 31)) }

// Chance is true once in n times, and never for 0.
func (d Dice) Chance(n int) bool { return n > 0 && d.Under(n) == 0 }

// Word returns a word of six letters. It is long enough to be used nowhere else in a world.
func (d Dice) Word() string {
	const letters = "bcdfghjklmnpqrstvwxz"
	b := make([]byte, 6)
	for i := range b {
		b[i] = letters[d.Under(len(letters))]
	}
	return string(b)
}

// Options are names to choose from. The chance of each is proportional to its weight.
type Options []struct {
	Name   string
	Weight int
}

// Pick returns the name of one of the options.
func (d Dice) Pick(options Options) string {
	total := 0
	for _, o := range options {
		total += o.Weight
	}
	at := d.Under(total)
	for _, o := range options {
		if at -= o.Weight; at < 0 {
			return o.Name
		}
	}
	panic("dice: no option to pick")
}

// Some returns a part of the options: each is kept n times in four.
func (d Dice) Some(options Options, n int) Options {
	var kept Options
	for _, o := range options {
		if d.Under(4) < n {
			kept = append(kept, o)
		}
	}
	return kept
}

// Have says whether an option is among them.
func (o Options) Have(name string) bool {
	for _, have := range o {
		if have.Name == name {
			return true
		}
	}
	return false
}

// Without returns the options but for some of them.
func (o Options) Without(names ...string) Options {
	var kept Options
next:
	for _, have := range o {
		for _, name := range names {
			if have.Name == name {
				continue next
			}
		}
		kept = append(kept, have)
	}
	return kept
}
