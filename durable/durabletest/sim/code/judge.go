package code

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// Call is a call that code has made, and what became of it.
type Call struct {
	Tool  string
	Input json.RawMessage
	// State is that of its part.
	State  string
	Output json.RawMessage
	// Words are the error, or why it was denied.
	Words string
}

// Over says whether the call has ended.
func (c Call) Over() bool { return strings.HasPrefix(c.State, "output-") }

// tooLong is in the error of any code: the time that passes in a world is not that of its code. stopped is
// in the error of code with which the instance was lost several times.
const (
	tooLong = "the code has taken longer than "
	stopped = "this code has stopped the server "
)

// Trouble is what may have gone wrong in the world of a program.
type Trouble struct {
	// Lost says that instances were lost so often that the program may have been given up.
	Lost bool
	// SetBack says that the clock was set back.
	SetBack bool
}

// Judge returns what is wrong about what the model is told of a program, or "". The calls are those that
// it has made.
func (p *Program) Judge(told string, calls []Call, t Trouble) string {
	var out contract.CodeOutput
	if err := json.Unmarshal([]byte(told), &out); err != nil && !strings.Contains(told, `"logs":"`) {
		return err.Error()
	}
	for _, c := range calls {
		if !c.Over() {
			return fmt.Sprintf("its call of %s %s is still %s", c.Tool, c.Input, c.State)
		}
	}
	if strings.Contains(out.Error, "did something else") {
		return out.Error
	}
	if p.wild || strings.Contains(out.Error, tooLong) || t.Lost && strings.Contains(out.Error, stopped) {
		return ""
	}
	switch out.Status {
	case "completed":
		return p.completed(out, calls, t)
	case "failed":
		return p.failed(out, calls)
	}
	return "the status is " + out.Status
}

// completed returns what is wrong about a program that has returned.
func (p *Program) completed(out contract.CodeOutput, calls []Call, t Trouble) string {
	if p.end == fails {
		return "it has returned, and has to fail: " + p.words
	}
	if p.end == large {
		return ""
	}
	if !slices.Equal(out.Logs, p.logs) {
		return fmt.Sprintf("it has written %q, and has to write %q", out.Logs, p.logs)
	}
	items, ok := out.Result.([]any)
	if !ok {
		return "it has returned no list"
	}
	for _, s := range p.steps {
		n := s.items()
		if s.kind == pause && t.SetBack {
			s.ms = 0
		}
		if len(items) < n {
			return "its list is too short"
		}
		if wrong := s.judge(items[:n], calls); wrong != "" {
			return fmt.Sprintf("line %d: %s", s.line, wrong)
		}
		items = items[n:]
	}
	if len(items) > 0 {
		return "its list is too long"
	}
	return ""
}

// failed returns what is wrong about a program that has failed.
func (p *Program) failed(out contract.CodeOutput, calls []Call) string {
	if len(out.Logs) > len(p.logs) || !slices.Equal(out.Logs, p.logs[:len(out.Logs)]) {
		return fmt.Sprintf("it has written %q, and may write %q", out.Logs, p.logs)
	}
	if p.end == fails && strings.Contains(out.Error, p.words) {
		return ""
	}
	for _, s := range p.steps {
		if (s.kind == bare || s.kind == together) && slices.ContainsFunc(s.sites, func(site site) bool {
			return slices.ContainsFunc(site.of(calls), func(c Call) bool {
				return c.State != "output-available" && out.Error == fmt.Sprintf("Error: %s (line %d)", c.Words, s.line)
			})
		}) {
			return ""
		}
	}
	return "nothing explains that it has failed"
}

// items is how many items a step adds.
func (s step) items() int {
	switch s.kind {
	case bare, caught:
		return len(s.sites)
	case left:
		return 0
	}
	return 1
}

// judge returns what is wrong about the items of a step.
func (s step) judge(items []any, calls []Call) string {
	switch s.kind {
	case truth:
		if items[0] != true {
			return fmt.Sprintf("%v is not true", items[0])
		}
	case pause:
		if took, ok := items[0].(float64); !ok || took < float64(s.ms) {
			return fmt.Sprintf("a sleep of %d ms has taken %v", s.ms, items[0])
		}
	case absent:
		if words, ok := items[0].(string); !ok || !strings.Contains(words, "there is no tool") {
			return fmt.Sprintf("a tool that there is not has answered %v", items[0])
		}
	case race:
		if !slices.ContainsFunc(s.sites, func(site site) bool { return site.isItem(items[0], calls, true) }) {
			return fmt.Sprintf("no call of the race has ended with %v", items[0])
		}
	case together, settled:
		all, ok := items[0].([]any)
		if !ok || len(all) != len(s.sites) {
			return fmt.Sprintf("%v is not the list of %d calls", items[0], len(s.sites))
		}
		return s.each(all, calls)
	case bare, caught:
		return s.each(items, calls)
	}
	return ""
}

// isCostly says whether a value is what a server says whose schema takes too long to check: it promises nothing, and is told
// as it is.
func isCostly(item any) bool { return strings.Contains(fmt.Sprint(item), strings.Repeat("n", 20)) }

func (s step) each(items []any, calls []Call) string {
	for i, site := range s.sites {
		if !site.isItem(items[i], calls, s.kind == caught || s.kind == settled) {
			return fmt.Sprintf("the call of %s with %v has not ended with %v", site.tool, site.input, items[i])
		}
	}
	return ""
}

// isItem says whether an item is what became of a call. An error is one only if it is caught.
func (s site) isItem(item any, calls []Call, caught bool) bool {
	made := s.of(calls)
	if isCostly(item) {
		return len(made) > 0 // the part of the call shows it in another form
	}
	return slices.ContainsFunc(made, func(c Call) bool {
		if c.State != "output-available" {
			return caught && item == c.Words
		}
		var output any
		return json.Unmarshal(c.Output, &output) == nil && reflect.DeepEqual(item, output)
	})
}

// of returns the calls that were made at a site.
func (s site) of(calls []Call) (made []Call) {
	for _, c := range calls {
		var input map[string]string
		if c.Tool == s.tool && json.Unmarshal(c.Input, &input) == nil && s.isInput(input) {
			made = append(made, c)
		}
	}
	return made
}

func (s site) isInput(input map[string]string) bool {
	for name, value := range s.input {
		if input[name] != value && !(s.open && strings.HasPrefix(input[name], value)) {
			return false
		}
	}
	return len(input) == len(s.input)
}
