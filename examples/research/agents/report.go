package agents

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"

	"research/web"
)

// findings is what a Researcher answers with.
type findings struct {
	Facts []finding `json:"facts" jsonschema:"what the pages say about the question, a sentence or two each, the most important first"`
	Open  string    `json:"open" jsonschema:"what was not found, or an empty text"`
}

type finding struct {
	Fact   string `json:"fact"`
	Source string `json:"source" jsonschema:"the url of the page that says so, as fetch_page has returned it"`
}

// report is what the Assistant is told: facts whose sources were read.
type report struct {
	Parts   []part   `json:"parts"`
	Sources []source `json:"sources"`
}

type part struct {
	Question string `json:"question"`
	Facts    []fact `json:"facts"`
	Open     string `json:"open,omitempty"`
	// Dropped is how many facts were left out because the page that they name was not read.
	Dropped int    `json:"dropped,omitempty"`
	Error   string `json:"error,omitempty"`
}

// fact is a fact and the number of its source.
type fact struct {
	Fact   string `json:"fact"`
	Source int    `json:"source"`
}

type source struct {
	Number int    `json:"number"`
	URL    string `json:"url"`
	Title  string `json:"title,omitempty"`
}

// readMilestone is the milestone of a page that was read. Its data is the page without its text.
const readMilestone = "read"

// pagesOf returns the pages that a run has read. They come from the run's milestones, which only the
// code of fetch_page reaches: a model cannot add to them.
func pagesOf(info agent.RunInfo) (pages []web.Page) {
	for _, m := range info.Milestones {
		var p web.Page
		if m.Name == readMilestone && json.Unmarshal(m.Data, &p) == nil {
			pages = append(pages, p)
		}
	}
	return pages
}

// add adds what one researcher has found, apart from facts of pages that it has not read.
func (r *report) add(question string, said findings, read []web.Page, err error) {
	p := part{Question: question, Facts: []fact{}, Open: said.Open}
	if err != nil {
		p.Error = err.Error()
	}
	for _, f := range said.Facts {
		i := slices.IndexFunc(read, func(page web.Page) bool { return samePage(page.URL, f.Source) })
		if i < 0 {
			p.Dropped++
			continue
		}
		p.Facts = append(p.Facts, fact{f.Fact, r.number(read[i])})
	}
	r.Parts = append(r.Parts, p)
}

// samePage compares addresses as they are read.
func samePage(read, named string) bool {
	u, err := web.ParseAddress(named)
	return err == nil && u.String() == read
}

// number returns the number of a source, which is the same for all parts.
func (r *report) number(p web.Page) int {
	i := slices.IndexFunc(r.Sources, func(s source) bool { return s.URL == p.URL })
	if i < 0 {
		i = len(r.Sources)
		r.Sources = append(r.Sources, source{Number: i + 1, URL: p.URL, Title: p.Title})
	}
	return i + 1
}

// finished takes the end of a research in the background. The model is told, and writes the report.
// A person who has cancelled the research knows of it.
func finished(c *agent.Conversation, r agent.RunInfo) error {
	if r.Reason == run.Cancelled {
		return nil
	}
	var asked question
	if err := json.Unmarshal(r.Input, &asked); err != nil {
		return err
	}
	if r.Status != run.Completed {
		return c.Notify("(The research in the background has no result: " + asked.Query + ")\n\n" + r.Failure)
	}
	whole, err := c.Run(r.ID) // with its milestones
	if err != nil {
		return err
	}
	var said findings
	if err := json.Unmarshal(whole.Output, &said); err != nil {
		return err
	}
	found := report{Sources: []source{}}
	found.add(asked.Query, said, pagesOf(whole), nil)
	facts, err := limit.Marshal(found)
	if err != nil {
		return err
	}
	return c.Notify("(The research in the background has finished. Write the report.)\n\n" + string(facts))
}
