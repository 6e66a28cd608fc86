package codemode

import (
	"slices"
	"strings"
	"unicode"
)

const (
	// maxFound is how many bytes and maxFoundTools how many tools the result of a search has.
	maxFound, maxFoundTools = 8 << 10, 10
	// maxWords is how many words of a search are used.
	maxWords = 16
)

// Search returns the signatures of the tools whose names and descriptions have some of the words, those
// that fit best first. It has at most 8 KiB.
func (c *Catalog) Search(words string) string {
	found := c.find(terms(words))
	var b strings.Builder
	shown := 0
	for _, i := range found[:min(len(found), maxFoundTools)] {
		s := c.signature(i, brief)
		if b.Len()+len(s)+1 > maxFound-restRoom {
			break
		}
		if shown++; shown > 1 {
			b.WriteString("\n")
		}
		b.WriteString(s)
	}
	switch left := c.namesOf(found[shown:]); {
	case len(c.tools) == 0:
		return "There are no tools."
	case len(found) == 0:
		b.WriteString("No tool has these words. There are " + grouped(len(c.tools)) + " tools.")
		writeNames(&b, c.names, maxFound)
	case len(left) > 0:
		b.WriteString("\n" + grouped(len(left)) + " more tools have some of these words.")
		writeNames(&b, left, maxFound)
	}
	return b.String()
}

// Help returns the signature of one tool, with all that is said of it within 8 KiB. The name is the one in
// JavaScript or the tool's own.
func (c *Catalog) Help(name string) (text string, ok bool) {
	name = strings.TrimPrefix(strings.TrimSpace(name), "tools.")
	i := slices.Index(c.names, name)
	if i < 0 {
		i = slices.IndexFunc(c.tools, func(t Tool) bool { return t.Name == name })
	}
	if i < 0 {
		return "", false
	}
	return c.signature(i, full), true
}

func (c *Catalog) namesOf(indices []int) []string {
	names := make([]string, len(indices))
	for n, i := range indices {
		names[n] = c.names[i]
	}
	return names
}

// find returns the indices of the tools that have some of the words, the best first.
func (c *Catalog) find(words []string) []int {
	scores := make([]int, len(c.tools))
	var found []int
	for i, t := range c.tools {
		scores[i] = score(words, terms(t.Name), terms(t.Description))
		if scores[i] > 0 {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return scores[b] - scores[a] })
	return found
}

// score says how well words fit a tool: a word of the name counts more than one of the description, and
// a whole word more than the beginning of one.
func score(words, name, description []string) int {
	total := 0
	for _, w := range words[:min(len(words), maxWords)] {
		total += 4*hit(w, name) + hit(w, description)
	}
	return total
}

func hit(word string, in []string) int {
	best := 0
	for _, have := range in {
		switch {
		case have == word:
			return 2
		case len(word) > 2 && strings.HasPrefix(have, word), len(have) > 2 && strings.HasPrefix(word, have):
			best = 1
		}
	}
	return best
}

// terms returns the words of a text in lower case. A name such as getUser or get_user has two.
func terms(text string) []string {
	var b strings.Builder
	lower := false
	for _, r := range text {
		if unicode.IsUpper(r) && lower {
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}
