package codemode

import (
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// shares says how the members of a list or an object share some characters.
type shares struct {
	// count is the number of members, and kept how many of them, from the first on, are shown.
	count, kept int
	// sizes are the sizes of the values of the first members, and level is what each may have at most.
	sizes []int
	level int
	// mark is the member that says how many are not shown.
	mark string
}

// newShares divides most characters among the members of a list or an object.
func newShares(raw json.RawMessage, most int) shares {
	var s shares
	var fixed []int
	for name, value := range members(raw) {
		// More members than this cannot be shown, however short they are.
		if s.count++; len(s.sizes) <= most/2 {
			s.sizes = append(s.sizes, utf8.RuneCount(value))
			fixed = append(fixed, memberOverhead(name))
		}
	}
	const brackets = 2
	for _, least := range leastShares(raw[0], most-brackets) {
		if s.keep(fixed, least, most-brackets) < s.count {
			s.mark = moreMark(raw[0], s.count, s.count)
			s.keep(fixed, least, most-brackets-utf8.RuneCountInString(s.mark))
			s.mark = moreMark(raw[0], s.count-s.kept, s.count)
		}
		if s.kept >= min(s.count, 2) {
			break
		}
	}
	return s
}

// leastShares are what a member gets at least. A list rather has fewer elements that are whole, as long
// as there are two.
func leastShares(bracket byte, room int) []int {
	if bracket == '[' {
		return []int{max(leastElement, room/listParts), leastShare}
	}
	return []int{leastShare}
}

// memberOverhead returns what a member takes apart from its value: its name, a colon and a comma.
func memberOverhead(name json.RawMessage) int {
	if name == nil {
		return 1
	}
	return utf8.RuneCount(name) + 2
}

func moreMark(bracket byte, more, all int) string {
	if bracket == '[' {
		return `"` + cutMark + " " + grouped(more) + " more of " + grouped(all) + ` items"`
	}
	return `"` + cutMark + `":"` + grouped(more) + " more of " + grouped(all) + ` fields"`
}

// keep decides how many members are kept in some room if each may have the same, and at least least
// characters unless it is shorter. Then it raises the level as far as the room allows.
func (s *shares) keep(fixed []int, least, room int) int {
	s.kept = 0
	rest := room
	for n, size := range s.sizes {
		if rest -= fixed[n] + min(size, least); rest < 0 {
			break
		}
		s.kept, room = n+1, room-fixed[n]
	}
	s.level = levelOf(s.sizes[:s.kept], room)
	return s.kept
}

// levelOf returns the number to which sizes have to be limited so that all fit into room.
func levelOf(sizes []int, room int) int {
	sorted := slices.Sorted(slices.Values(sizes))
	largest := 0
	for n, size := range sorted {
		if share := room / (len(sorted) - n); share < size {
			return share
		}
		room, largest = room-size, size
	}
	return largest
}
