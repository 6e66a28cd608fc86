package sim

import (
	"fmt"
	"strconv"
	"strings"
)

// Script is a seed and the decisions that are made in its world, one a line. A failure is kept as a
// script.
type Script struct {
	Seed      uint32
	Decisions []string
}

func (s Script) String() string {
	return fmt.Sprintf("seed %d\n%s\n", s.Seed, strings.Join(s.Decisions, "\n"))
}

// ParseScript reads the text of [Script.String]. It skips empty lines and lines that begin with #.
func ParseScript(text string) (Script, error) {
	var s Script
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || line[0] == '#':
		case word == "seed":
			n, err := strconv.ParseUint(rest, 10, 32)
			if err != nil {
				return s, fmt.Errorf("sim: seed %q: %w", rest, err)
			}
			s.Seed = uint32(n)
		default:
			s.Decisions = append(s.Decisions, line)
		}
	}
	return s, nil
}
