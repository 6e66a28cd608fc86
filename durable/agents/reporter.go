package agents

import (
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Reporter writes reports. It is a workflow: straight-line code that goes on for as long as it
// takes, through restarts of the server and through questions that nobody answers for a week.
var Reporter = agent.Agent{
	Name: "Reporter", Helper: true, Title: "Report", Icon: "report",
	Program: agent.NewProgram(report),
}

// commissioned begins a report. The conversation is told of its end, also if a helper has begun it.
var commissioned = agent.AgentTool[commission](Reporter, "report", "Has a report written in the background, section by section, and tells you when it is done.",
	agent.Detached("notify"), agent.Timeout(30*24*time.Hour))

type commission struct {
	Topic    string `json:"topic" jsonschema:"what the report is about"`
	Sections int    `json:"sections" jsonschema:"how many sections it has, at most 10"`
}

// audience is what the person who asked for a report is asked about it.
type audience struct {
	Readers string `json:"readers" jsonschema:"who reads the report"`
	Formal  bool   `json:"formal" jsonschema:"formal in tone"`
}

// maxSections is how many sections a report may have.
const maxSections = 10

// report has each section researched, in a step of its own, asks who the report is for, and puts the
// sections together.
func report(c *agent.Context, in commission) (string, error) {
	if in.Sections < 1 || in.Sections > maxSections {
		return "", fmt.Errorf("a report has 1 to %d sections, and not %d", maxSections, in.Sections)
	}
	sections := make([]string, in.Sections)
	for i := range sections {
		progress := agent.Progress{Fraction: float64(i) / float64(in.Sections+1), Phase: fmt.Sprintf("section %d of %d", i+1, in.Sections)}
		if err := c.ReportProgress(progress); err != nil {
			return "", err
		}
		text, err := flow.Do(c, fmt.Sprintf("section %d", i+1), func(a *flow.Attempt) (string, error) { return section(c, a, in.Topic, i) })
		if err != nil {
			return "", err
		}
		sections[i] = text
	}
	readers, err := agent.Ask[audience](c, agent.Question{
		Title: "Who is the report for?", Text: fmt.Sprintf("The %d sections on %s are written.", in.Sections, subject(in.Topic)),
		Default: audience{Readers: "everybody"},
	})
	if err != nil {
		return "", err
	}
	if readers.Denied {
		return "", fmt.Errorf("the report was not wanted any more")
	}
	return flow.Do(c, "publish", func(*flow.Attempt) (string, error) {
		greeting := "For " + readers.Value.Readers
		if readers.Value.Formal {
			greeting = "To the attention of " + readers.Value.Readers
		}
		return fmt.Sprintf("# %s\n\n%s\n\n%s", subject(in.Topic), greeting, strings.Join(sections, "\n\n")), nil
	})
}

// archiveTime is how long the simulated archive takes to answer.
const archiveTime = time.Second

// section asks a researcher for one section. It needs the archive first, which is simulated and
// busy at the first attempt of every second section, so that people see what an attempt that fails
// looks like.
func section(c *agent.Context, a *flow.Attempt, topic string, i int) (string, error) {
	if err := flow.Sleep(c, archiveTime); err != nil {
		return "", err
	}
	if i%2 == 1 && a.Number() == 1 {
		return "", fmt.Errorf("503: the archive is busy")
	}
	found := agent.RunAgent(c, Researcher, question{fmt.Sprintf("%s, part %d", topic, i+1)})
	if !found.OK {
		return "", fmt.Errorf("section %d: %s", i+1, found.Error)
	}
	return fmt.Sprintf("## Part %d\n\n%s", i+1, found.Summary), nil
}
