package sim

import (
	"encoding/json"
	"slices"
	"strings"
)

// nothingIsSaidTwice is that what was asked once stands once in the conversation: what people
// and code have asked, and what is said of a milestone.
func nothingIsSaidTwice(s *Sim) {
	root := s.world.Object("")
	if !s.made(root) {
		return
	}
	said := map[string]bool{}
	for _, row := range s.rows(root, `SELECT body FROM message ORDER BY place`) {
		var m struct {
			Parts    []struct{ Type, Text string }
			Metadata struct{ Merged []string }
		}
		if json.Unmarshal([]byte(row.Text(0)), &m) != nil {
			s.fail("I6", "a message is stored as %.200s", row.Text(0))
			return
		}
		// Two pages that missed a clear post a message again, one of them merged into another message.
		if slices.ContainsFunc(m.Metadata.Merged, func(id string) bool { return len(s.rows(root, `SELECT 1 FROM message WHERE id = ?`, id)) > 0 }) {
			continue
		}
		for _, p := range m.Parts {
			if said[p.Text] && once(p.Text) {
				s.fail("I6", "it is said twice: %s", p.Text)
			}
			said[p.Text] = true
		}
	}
}

// once says of a text whether it has words that nobody else has.
func once(text string) bool {
	for _, begin := range []string{"tell me of ", "work out ", "It is time for ", "Found two sources on "} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}
