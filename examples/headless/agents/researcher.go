package agents

import (
	"cmp"
	_ "embed" // The notes.
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/agent"
)

// Researcher is a helper: other agents use it as a tool. It searches the notes of this project.
var Researcher = agent.Agent{
	Name: "Researcher", Helper: true, Title: "Research", Icon: "search",
	Instructions: "You look things up. Search before you answer, and report briefly what you have found.",
	Tools:        []agent.Tool{agent.NewTool("search", "Searches the notes.", search)},
}

// question is what the Researcher is asked, and what it searches for. Its tags are the schema that
// the model is sent.
type question struct {
	Query string `json:"query" jsonschema:"what to find out"`
}

// note is a section of notes.md.
type note struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

//go:embed notes.md
var notes string

// maxFound is how many notes a search finds at most.
const maxFound = 3

// search returns the notes that have the most words of the query. A tool is straight-line Go. If it
// needs a request, the time or another agent, package flow and the [agent.Context] have functions
// whose results survive the loss of the instance. The model is told the text of an error.
func search(_ *agent.Context, in question) ([]note, error) {
	words := strings.Fields(strings.ToLower(in.Query))
	score := func(n note) (score int) {
		text := strings.ToLower(n.Title + " " + n.Text)
		for _, word := range words {
			if len(word) > 2 && strings.Contains(text, word) {
				score++
			}
		}
		return score
	}
	found := slices.DeleteFunc(sections(notes), func(n note) bool { return score(n) == 0 })
	if len(found) == 0 {
		return nil, fmt.Errorf("no note has a word of %q", in.Query)
	}
	slices.SortStableFunc(found, func(a, b note) int { return cmp.Compare(score(b), score(a)) })
	return found[:min(len(found), maxFound)], nil
}

// sections splits a Markdown text at its headings of the second level.
func sections(text string) (notes []note) {
	for _, section := range strings.Split(text, "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		notes = append(notes, note{Title: title, Text: strings.TrimSpace(text)})
	}
	return notes
}
