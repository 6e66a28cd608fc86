// Package draw chooses what a run of the tests takes of lists that would take too long: faults, moments of loss, folders
// of scripts. The variable TRIBUTARY_DRAW decides it: build.sh sets it to the hash of the commit, so that one commit
// always runs the same and each commit runs something else. With "all", everything is run. Without it, the choice is
// always the same.
package draw

import (
	"hash/fnv"
	"iter"
	"os"
	"testing"
)

// Variable is the name of the environment variable.
const Variable = "TRIBUTARY_DRAW"

// everything is its value with which nothing is left out.
const everything = "all"

// All says that nothing is left out.
func All() bool { return os.Getenv(Variable) == everything }

// Below draws a number below n for a name.
func Below(name string, n int) int {
	h := fnv.New64a()
	_, _ = h.Write([]byte(os.Getenv(Variable) + "\x00" + name)) // a hash takes everything
	sum := h.Sum64()
	return int((sum ^ sum>>32) % uint64(n)) // the low bits of FNV alone are poor
}

// OneIn says whether what has the name is run, where one of n is.
func OneIn(n int, name string) bool { return All() || Below(name, n) == 0 }

// One returns one element of a list, or all of them if nothing is left out.
func One[T any](name string, list []T) []T {
	if All() {
		return list
	}
	at := Below(name, len(list))
	return list[at : at+1]
}

// Long leaves a test out with -short, and says why it takes long.
func Long(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: " + why)
	}
}

// The distances of two moments. They are prime, so that they do not fall in with what a test repeats.
const (
	distance      = 7
	shortDistance = 31
)

// Moments yields the moments at which a test loses something: 0, 1, 2, and so on if nothing is left out, and otherwise
// every seventh of them, from one on that is drawn by the test's name. With -short they are fewer. The test ends the loop at
// a moment that it no longer reaches, which is not smaller than the number of moments that there are.
func Moments(t testing.TB) iter.Seq[int] {
	t.Helper()
	first, step := 0, 1
	if !All() {
		step = distance
		if testing.Short() {
			step = shortDistance
		}
		first = Below(t.Name(), step)
		t.Logf("lost at moment %d and each %d moments later", first, step)
	}
	return func(yield func(int) bool) {
		for at := first; yield(at); at += step {
		}
	}
}
