package codemode

import (
	"slices"
	"strings"
	"unicode"
)

const (
	// maxFound is how many bytes and maxFoundTools how many tools the result of a search has.
	maxFound, maxFoundTools = 8 << 10, 10
	// maxWords is how many words of a search are used, and maxTerms how many words of all names and descriptions
	// it looks at. The tools share them.
	maxWords, maxTerms = 16, 20_000
	// maxSearch is how many bytes of what is searched for are looked at.
	maxSearch = 1 << 10
)

// toolTerms are the words of a tool that a search looks at.
type toolTerms struct{ name, description []string }

// Search returns the signatures of the tools whose names and descriptions have some of the words, those
// that fit best first. It has at most 8 KiB.
func (c *Catalog) Search(words string) string {
	found := c.find(terms(words[:min(len(words), maxSearch)]))
	var b strings.Builder
	shown, work := 0, maxWork
	for _, i := range found[:min(len(found), maxFoundTools)] {
		s := c.signature(i, brief, &work)
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
	work := maxWork
	return c.signature(i, full, &work), true
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
	for i, t := range c.allTerms() {
		scores[i] = score(words, t.name, t.description)
		if scores[i] > 0 {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return scores[b] - scores[a] })
	return found
}

// allTerms returns the words of the tools, in the order of the tools.
func (c *Catalog) allTerms() []toolTerms {
	if c.terms == nil {
		share := maxTerms / max(len(c.tools), 1)
		for _, t := range c.tools {
			name, description := terms(t.Name), terms(t.Description)
			name = name[:min(len(name), share)]
			c.terms = append(c.terms, toolTerms{name, description[:min(len(description), share-len(name))]})
		}
	}
	return c.terms
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
