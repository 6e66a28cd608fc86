package agents

import (
	"errors"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Poster posts in each of its steps, and returns what the posts were answered with. Posts that may
// be repeated alternate with posts that a lost instance makes an interrupted attempt of.
var Poster = program("Poster", func(c *agent.Context, in job) ([]string, error) {
	var answers []string
	for i := range in.Steps {
		answer, err := flow.Do(c, fmt.Sprint("post ", i), func(a *flow.Attempt) (string, error) {
			response, err := flow.Fetch(a, flow.Request{
				Method: "POST", URL: fmt.Sprint(in.URL, "/", i), Repeatable: i%2 == 0,
				Header: []durable.Header{{Name: "idempotency-key", Value: a.Key()}},
			})
			return string(response.Body), err
		})
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer)
	}
	return answers, nil
})

// Retrier asks the server until it is answered with 200. A status of the 4xx ends the step. The
// error of an attempt says when it has failed.
var Retrier = program("Retrier", func(c *agent.Context, in job) (string, error) {
	return flow.Do(c, "charge", func(a *flow.Attempt) (string, error) {
		response, err := get(a, in.URL)
		switch {
		case err != nil:
			return "", err
		case response.Status == 200:
			return fmt.Sprint("charged at attempt ", a.Number()), nil
		}
		err = fmt.Errorf("%d at %d", response.Status, flow.Now(a).UnixMilli())
		if response.Status < 500 {
			return "", flow.Permanent(err)
		}
		return "", err
	})
})

// Sleeper sleeps, and returns the time until which it has slept and the time at which it woke.
var Sleeper = program("Sleeper", func(c *agent.Context, in job) ([]int64, error) {
	until := flow.Now(c).Add(time.Duration(in.Ahead) * time.Millisecond)
	err := flow.SleepUntil(c, until)
	return []int64{until.UnixMilli(), flow.Now(c).UnixMilli()}, err
})

// Patient waits for an answer and then for a signal, for half an hour each. It tells the server of
// every error that it catches.
var Patient = program("Patient", func(c *agent.Context, in job) (string, error) {
	const longest = 30 * time.Minute
	caught := func(err error) error {
		if _, lost := get(c, in.URL+"/caught"); lost != nil {
			return lost
		}
		return err
	}
	answer, err := flow.Within(c, longest, func() (agent.Answer[bool], error) {
		return agent.Ask[bool](c, agent.Question{Title: "Go on?"})
	})
	if err != nil {
		return "", caught(err)
	}
	signal, err := flow.Within(c, longest, func() (flow.Signal[string], error) { return flow.Receive[string](c, "word") })
	if err != nil {
		return "", caught(err)
	}
	return fmt.Sprint(answer.Value, " ", signal.Payload), nil
})

// Boss has a Sleeper work.
var Boss = program("Boss", func(c *agent.Context, in job) (string, error) {
	result := agent.RunAgent(c, Sleeper, in)
	if !result.OK {
		return "", errors.New(result.Error)
	}
	return result.Summary, nil
})

// Reporter asks the server for five parts of a report, and a person after the second one.
var Reporter = program("Reporter", func(c *agent.Context, in job) (string, error) {
	var report string
	for i := range 5 {
		if i == 2 {
			title, err := agent.Ask[string](c, agent.Question{Title: "Which title?"})
			if err != nil {
				return "", err
			}
			report += title.Value + ":"
		}
		part, err := flow.Do(c, fmt.Sprint("part ", i+1), func(a *flow.Attempt) (string, error) {
			response, err := get(a, fmt.Sprint(in.URL, "/part", i+1))
			return string(response.Body), err
		})
		if err != nil {
			return "", err
		}
		report += part
	}
	return report, nil
})

// Doorman asks two questions, and then receives a word.
var Doorman = program("Doorman", func(c *agent.Context, _ job) (string, error) {
	var said []any
	for _, title := range []string{"May Ann come in?", "May Bo come in?"} {
		answer, err := agent.Ask[bool](c, agent.Question{Title: title})
		if err != nil {
			return "", err
		}
		said = append(said, answer.Value, " ")
	}
	word, err := flow.Receive[string](c, "word")
	return fmt.Sprint(append(said, word.Payload)...), err
})

// Secretary receives words, and returns them with their ids.
var Secretary = program("Secretary", func(c *agent.Context, in job) ([]string, error) {
	var book []string
	for range in.Steps {
		word, err := flow.Receive[string](c, "word")
		if err != nil {
			return nil, err
		}
		book = append(book, word.ID+"="+word.Payload)
	}
	return book, nil
})

// Foreman has a Secretary work in a run that outlives its own. It has a handler of its own beside one
// that the Assistant has too.
var Foreman = agent.Agent{
	Name: "Foreman", Helper: true,
	Program: agent.NewProgram(func(c *agent.Context, in job) (string, error) {
		begun := agent.RunAgent(c, Secretary, in, agent.Detached(in.Handler), agent.RunID(in.Run))
		if !begun.OK {
			return "", errors.New(begun.Error)
		}
		return "begun", nil
	}),
	Handlers: map[string]agent.RunHook{"ended": ended, "own": ended},
	Methods:  map[string]agent.Method{"ends": ends, "runs": agent.ListRuns},
}

// program makes a helper that runs a program.
func program[Out any](name string, run func(c *agent.Context, in job) (Out, error)) agent.Agent {
	return agent.Agent{Name: name, Helper: true, Program: agent.NewProgram(run)}
}
