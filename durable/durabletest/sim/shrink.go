package sim

import "slices"

// Shrink leaves out decisions as long as the same check fails, and returns the shortest failure: it
// leaves out half of them at a time first, and single ones last. It gives up after a number of
// tries.
func Shrink(subject Subject, failed Result, tries int) Result {
	best := failed
	for size := len(best.Script.Decisions) / 2; size > 0; {
		smaller := false
		for at := 0; at < len(best.Script.Decisions) && tries > 0; tries-- {
			r := Replay(subject, best.Script.without(at, size), nil)
			if r.Failure == nil || !r.Failure.Like(failed.Failure) {
				at += size
				continue
			}
			best, smaller = r, true
		}
		if tries <= 0 {
			return best
		}
		if !smaller || size > 1 {
			size /= 2
		}
	}
	return best
}

func (s Script) without(at, n int) Script {
	return Script{Seed: s.Seed, Decisions: slices.Delete(slices.Clone(s.Decisions), at, min(at+n, len(s.Decisions)))}
}
