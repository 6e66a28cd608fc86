package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// wish asks the agents of this file for an input: its purpose, its size, and the letter that fills
// it.
type wish struct {
	For    string `json:"for"`
	N      int    `json:"n"`
	Letter string `json:"letter"`
}

func (w wish) text() string { return strings.Repeat(w.Letter, w.N) }

// quoted returns a text that has n bytes as JSON.
func (w wish) quoted() string { return strings.Repeat(w.Letter, max(w.N-2, 0)) }

// obedient is an agent whose code returns whatever a client or its model wishes for.
func obedient() []durable.Class {
	worker := agent.Agent{Name: "Worker", Helper: true, Program: obey}
	root := agent.Agent{
		Name:      "Obedient",
		Callbacks: map[string]agent.Callback{"ring": func(*agent.Conversation, agent.Scheduled) error { return nil }},
		Handlers:  map[string]agent.RunHook{"done": func(*agent.Conversation, agent.RunInfo) error { return nil }},
		Methods: map[string]agent.Method{
			"ping": func(*agent.Call) (any, error) { return "pong", nil },
			"wish": func(c *agent.Call) (any, error) {
				var w wish
				if err := c.Arg(0, &w); err != nil {
					return nil, err
				}
				return grant(c, w)
			},
		},
		Tools: []agent.Tool{
			agent.NewTool("wish", "Wishes.", func(c *agent.Context, w wish) (any, error) {
				switch w.For {
				case "output":
					return w.quoted(), nil
				case "error":
					return nil, errors.New(w.text())
				case "await":
					return flow.Step(c, "much", func(*durable.Tx) (string, error) { return w.quoted(), nil })
				case "failing await":
					return flow.Step(c, "much", func(*durable.Tx) (string, error) { return "", errors.New(w.text()) })
				case "question":
					w.N -= len(`{"text":"","schema":{"type":"boolean"}}`)
					return agent.Ask[bool](c, agent.Question{Text: w.text()})
				case "answer":
					return agent.Ask[string](c, agent.Question{Text: "?"})
				case "questions":
					var all []*flow.Branch[agent.Answer[bool]]
					for range w.N {
						all = append(all, flow.Go(c, "ask", func() (agent.Answer[bool], error) {
							return agent.Ask[bool](c, agent.Question{Text: "?"})
						}))
					}
					return all[w.N-1].Wait()
				case "input":
					w.N -= len(`{"q":""}`)
					return agent.RunAgent(c, worker, map[string]string{"q": w.text()}), nil
				case "preview":
					return agent.RunAgent(c, worker, wish{}, agent.Preview(w.quoted())), nil
				case "display", "refused display":
					w.N -= len(`{"name":""}`)
					options := []agent.Option{agent.Preview(nil), agent.Display(w.text(), "")}
					if w.For == "refused display" {
						options = append(options, agent.Detached("nobody"))
					}
					return agent.RunAgent(c, worker, wish{}, options...), nil
				}
				return agent.RunAgent(c, worker, w), nil
			}),
			agent.NewClientTool[struct{}]("where", "Where."),
		},
	}
	return []durable.Class{chat.Class(root, providers...), chat.Class(worker, providers...)}
}

// grant returns what a method makes of a wish.
func grant(c *agent.Call, w wish) (any, error) {
	switch w.For {
	case "result":
		return w.quoted(), nil
	case "piece":
		return nil, c.Emit(w.quoted())
	case "error":
		return nil, errors.New(w.text())
	case "state":
		return nil, c.SetState(w.quoted())
	case "notice":
		return nil, c.Notify(w.text())
	case "narration":
		return nil, c.Narrate(w.text())
	case "submission":
		return c.RunTurn(agent.TurnRequest{Text: w.text(), Mode: "submit"})
	case "submission's id":
		return c.RunTurn(agent.TurnRequest{Text: "hi", ID: w.text()})
	case "payload":
		return c.Schedule(schedule.After(time.Hour), "ring", w.quoted())
	case "schedule's id":
		return c.Schedule(schedule.After(time.Hour), "ring", nil, schedule.ID(w.text()))
	case "signal's name":
		return signalled(c.Signal("nobody", w.text(), nil, ""))
	case "signal's id":
		return signalled(c.Signal("nobody", "go", nil, w.text()))
	case "signal's payload":
		return signalled(c.Signal("nobody", "go", w.quoted(), ""))
	}
	return nil, fmt.Errorf("no wish for %s", w.For)
}

// signalled returns the state of a signal, or the error of one that has none.
func signalled(state run.SignalState, err error) (any, error) {
	if state == "" {
		return nil, err
	}
	return state, nil
}

// obey is the helper's program.
func obey(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	var w wish
	if err := json.Unmarshal(input, &w); err != nil {
		return nil, err
	}
	var err error
	switch w.For {
	case "words":
		return json.RawMessage("null"), c.Say(w.text())
	case "milestone's name":
		err = c.Milestone(w.text(), nil)
	case "milestone's data":
		err = c.Milestone("m", w.quoted())
	case "milestones":
		for i := range w.N {
			if err == nil {
				err = c.Milestone(strconv.Itoa(i), nil)
			}
		}
	case "phase":
		err = c.ReportProgress(agent.Progress{Phase: w.text()})
	case "report":
		err = c.ReportProgress(agent.Progress{Message: w.text()})
	case "report's data":
		err = c.ReportProgress(agent.Progress{Data: w.quoted()})
	}
	if err != nil {
		return nil, err
	}
	return json.RawMessage(`"well done"`), nil
}

// scene is a world with the obedient agent.
type scene struct {
	*testing.T
	world *durabletest.World
}

func newScene(t *testing.T, settings ...string) *scene {
	s := &scene{t, durabletest.NewWorld(durabletest.NewNative(1, obedient()...), "Obedient", "room")}
	if len(settings) == 0 {
		settings = []string{"var MODEL_PROVIDER=openai"}
	}
	s.do(append(settings, "var MODEL_NAME=m", "var MODEL_BASE_URL=http://model.test/v1", "connect a")...)
	s.world.Take()
	return s
}

func (s *scene) do(actions ...string) {
	s.Helper()
	for _, action := range actions {
		if err := s.world.Do(action); err != nil {
			s.Fatalf("%.80s: %v", action, err)
		}
	}
}

func (s *scene) frame(text string) { s.do("frame a " + text) }

// data sends one event of a model's stream.
func (s *scene) data(event string) {
	s.do("data data: " + strings.ReplaceAll(event, `\`, `\\`) + `\n\n`)
}

func (s *scene) ask() { s.do("say a R1 u1: hi", streams) }

// calls has the model call tools. Its arguments are names and inputs in turn.
func (s *scene) calls(calls ...string) {
	s.ask()
	for i := 0; i < len(calls); i += 2 {
		s.data(fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"c%d","function":{"name":%q,"arguments":%s}}]}}]}`, i/2, i/2, calls[i], stringOf(calls[i+1])))
	}
	s.data(`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`)
	s.data(`[DONE]`)
}

func stringOf(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// method has a client call a method that grants a wish.
func method(purpose string) func(*scene, int, string) {
	return func(s *scene, n int, letter string) {
		s.frame(fmt.Sprintf(`{"type":"rpc","id":"1","method":"wish","args":[{"for":%q,"n":%d,"letter":%q}]}`, purpose, n, letter))
	}
}

// tool has the model call a tool that grants a wish, and runs the turn to its end.
func tool(purpose string) func(*scene, int, string) {
	return func(s *scene, n int, letter string) {
		s.calls("wish", fmt.Sprintf(`{"for":%q,"n":%d,"letter":%q}`, purpose, n, letter))
		s.do("run")
	}
}

// padded sends a frame or an action of n bytes.
func padded(before, after string) func(*scene, int, string) {
	return func(s *scene, n int, letter string) {
		s.do(before + strings.Repeat(letter, n) + after)
	}
}

// post sends a chat request whose body begins with the given text.
func post(s *scene, body string) {
	s.frame(`{"type":"cf_agent_use_chat_request","id":"R1","init":{"method":"POST","body":` + stringOf(body) + `}}`)
}

const (
	rpc   = `{"type":"rpc","id":"1","method":"ping","args":[`
	hello = `{"id":"u1","role":"user","parts":[{"type":"text","text":"hi"}]}`
)

func repeated(element string, n int) string {
	return strings.TrimSuffix(strings.Repeat(element+",", n), ",")
}

// inputs are the kinds of input, by the entries of package limit. told is the message for an input
// beyond the limit, with the number of bytes in place of %d. taken is the result of an input at the
// limit.
var inputs = []struct {
	entry, name string
	most        int
	send        func(s *scene, n int, letter string)
	told, taken string
}{
	{"Frame", "a frame", limit.Frame, func(s *scene, n int, letter string) {
		end := `],"x":"` + `"}`
		s.frame(rpc + `],"x":"` + strings.Repeat(letter, n-len(rpc)-len(end)) + `"}`)
	}, `"success":false,"error":"frame of %d bytes, at most 4194304"`, "pong"},
	{"Depth", "nested arguments", limit.Depth, func(s *scene, n int, _ string) {
		s.frame(rpc + strings.Repeat("[", n-2) + strings.Repeat("]", n-2) + "]}")
	}, `"success":false,"error":"frame is not JSON of the right shape: nested too deep"`, "pong"},
	{"Elements", "elements of a state", limit.Elements, func(s *scene, n int, _ string) {
		s.frame(`{"type":"cf_agent_state","state":[` + repeated("1", n-2) + `]}`)
	}, `frame of %d elements, at most 200000`, ""},
	{"Message", "a message", limit.Message, func(s *scene, n int, letter string) {
		empty := len(hello) - len("hi")
		s.do("say a R1 u1: " + strings.Repeat(letter, n-empty))
	}, `it has %d bytes, at most 1800000`, "fetch "},
	{"Messages", "messages of a list", limit.Messages, func(s *scene, n int, _ string) {
		s.frame(`{"type":"cf_agent_chat_messages","messages":[` + repeated(`{"id":"<","role":"assistant","parts":[]}`, n) + `]}`)
	}, "messages: more than 10000 elements", ""},
	{"Parts", "parts of a message", limit.Parts, func(s *scene, n int, _ string) {
		post(s, `{"messages":[{"id":"u1","role":"user","parts":[`+repeated(`{"type":"text","text":"<"}`, n)+`]}]}`)
	}, "parts: more than 2000 elements", "fetch "},
	{"Fresh", "messages of a push", limit.Fresh, func(s *scene, n int, _ string) {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"id":"u%d","role":"user","parts":[]}`, i))
		}
		s.frame(`{"type":"cf_agent_chat_messages","messages":[` + strings.Join(list, ",") + `]}`)
	}, "more than 256 messages are new or changed", ""},
	{"Fresh", "messages of a request", limit.Fresh, func(s *scene, n int, _ string) {
		post(s, `{"messages":[`+repeated(hello, n)+`]}`)
	}, "%d messages behind the last answer, at most 256", "fetch "},
	{"ID", "an id", limit.ID, padded(`frame a {"type":"cf_agent_chat_request_cancel","id":"`, `"}`), "id longer than 128 bytes", `"outcome":"aborted"`},
	{"Call", "the arguments of a call", limit.Call, func(s *scene, n int, letter string) {
		s.frame(rpc + `"` + strings.Repeat(letter, n-4) + `"]}`)
	}, `"success":false,"error":"args: %d bytes, at most 262144"`, "pong"},
	{"Args", "the number of arguments", limit.Args, func(s *scene, n int, _ string) { s.frame(rpc + repeated("1", n) + "]}") }, "args: more than 64 elements", "pong"},
	{"ClientTools", "tools of a browser", limit.ClientTools, func(s *scene, n int, letter string) {
		post(s, `{"messages":[`+hello+`],"clientTools":[{"name":"t","description":"`+strings.Repeat(letter, n-len(`[{"name":"t","description":""}]`))+`"}]}`)
	}, "client tools of %d bytes, at most 65536", "fetch "},
	{"Tools", "the number of a browser's tools", limit.Tools, func(s *scene, n int, _ string) {
		post(s, `{"messages":[`+hello+`],"clientTools":[`+repeated(`{"name":"<"}`, n)+`]}`)
	}, "%d client tools, at most 128", "fetch "},
	{"State", "a state", limit.State, func(s *scene, n int, letter string) {
		s.frame(`{"type":"cf_agent_state","state":"` + strings.Repeat(letter, n-2) + `"}`)
	}, "state of %d bytes, at most 1000000", ""},
	{"State", "a state of code", limit.State, method("state"), "state: %d bytes, at most 1000000", `"type":"cf_agent_state"`},
	{"Path", "a path", limit.Path, func(s *scene, n int, letter string) {
		s.do("drill b helper " + strings.Repeat(letter, n-len("/agents/x/room/sub/helper/")))
	}, "close b 4414", "close b 4404"},
	{"Path", "a request's path", limit.Path, func(s *scene, n int, letter string) { s.do("get /" + strings.Repeat(letter, n-1)) }, "414", "404"},

	{"Event", "an event of a model", limit.Event, func(s *scene, n int, letter string) {
		s.ask()
		head, end := `{"choices":[],"x":"`, `"}`
		s.data(head + strings.Repeat(letter, n-len("data: ")-len(head)-len(end)) + end)
	}, "the model sent an event larger than 1 MiB", ""},
	{"Body", "an answer in one piece", limit.Body, func(s *scene, n int, letter string) {
		s.do("say a R1 u1: hi", "respond 200 content-type=application/json")
		head, end := `{"choices":[{"index":0,"message":{"content":"hello"},"finish_reason":"stop"}],"x":"`, `"}`
		s.do("data " + head + strings.Repeat(letter, n-len(head)-len(end)) + end)
		_ = s.world.Do("end") // unless the answer was cancelled
	}, "the model's answer is larger than 4 MiB", "hello"},
	{"Answer", "an answer", limit.Answer, func(s *scene, n int, letter string) {
		s.ask()
		for n -= 2 * 32; n > 0; n -= 100_000 { // the answer has two more parts than the text
			s.data(`{"choices":[{"index":0,"delta":{"content":"` + strings.Repeat(letter, min(n, 100_000)) + `"}}]}`)
		}
		s.data(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
		s.data(`[DONE]`)
	}, "the answer grew too long and was cut off here", `"outcome":"completed"`},
	{"Answer", "an answer that comes at once", limit.Answer, func(s *scene, n int, letter string) {
		s.do("say a R1 u1: hi", "respond 200 content-type=application/json")
		n = min(n, 4_000_000)
		s.do(`data {"choices":[{"index":0,"message":{"content":"` + strings.Repeat(letter, n-2*32) + `"},"finish_reason":"stop"}]}`)
		_ = s.world.Do("end")
	}, "the answer grew too long and was cut off here", `"outcome":"completed"`},
	{"ToolInput", "a tool's input", limit.ToolInput, func(s *scene, n int, letter string) {
		s.ask()
		text := `{"x":"` + strings.Repeat(letter, n-8) + `"}`
		for first := true; len(text) > 0; first = false {
			piece := text[:min(len(text), 50_000)]
			text = text[len(piece):]
			name := ""
			if first {
				name = `"name":"where",`
			}
			s.data(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{` + name + `"arguments":` + stringOf(piece) + `}}]}}]}`)
		}
		s.data(`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`)
		s.data(`[DONE]`)
	}, "is larger than 256 KiB", `"outcome":"completed"`},
	{"ToolCalls", "calls of an answer", limit.ToolCalls, func(s *scene, n int, _ string) {
		s.calls(strings.Split(strings.TrimSuffix(strings.Repeat("where|{}|", n), "|"), "|")...)
	}, "the model asked for more than 128 tools at once", `"outcome":"completed"`},
	{"ToolName", "a tool's name", limit.ToolName, func(s *scene, n int, letter string) { s.calls(strings.Repeat(letter, n), "{}") }, "a name of %d bytes, at most 128", "there is no tool named"},

	{"Output", "an output", limit.Output, tool("output"), "the tool returned %d bytes, at most 262144", "tool-output-available"},
	{"Output", "an output of the browser", limit.Output, func(s *scene, n int, letter string) {
		s.calls("where", "{}")
		s.do(`result a c0 "` + strings.Repeat(letter, n-2) + `"`)
	}, "the tool returned %d bytes, at most 262144", "output-available"},
	{"Outputs", "all outputs of a turn", limit.Outputs / limit.Output, func(s *scene, n int, letter string) {
		wish := fmt.Sprintf(`{"for":"output","n":%d,"letter":%q}`, limit.Output, letter)
		s.calls(strings.Split(strings.TrimSuffix(strings.Repeat("wish|"+wish+"|", n), "|"), "|")...)
	}, "the tools of this turn have returned all that they may", "tool-output-available"},
	{"ToolError", "a tool's error", limit.ToolError, tool("error"), "(cut off here, %d bytes in all)", "tool-output-error"},
	{"ToolError", "an error of the browser", limit.ToolError, func(s *scene, n int, letter string) {
		s.calls("where", "{}")
		s.frame(`{"type":"cf_agent_tool_result","toolCallId":"c0","state":"output-error","errorText":"` + strings.Repeat(letter, n) + `"}`)
	}, "(cut off here, %d bytes in all)", "output-error"},
	{"Await", "what an await brings", limit.Await, tool("await"), "what it brought has %d bytes, at most 1500000", "the tool returned 1500000 bytes, at most 262144"},
	{"AwaitError", "an await's failure", limit.AwaitError, tool("failing await"), "(cut off here, ", "tool-output-error"},

	{"Result", "a method's result", limit.Result, method("result"), `"success":false,"error":"result: %d bytes, at most 1900000"`, `"success":true`},
	{"Result", "a piece of a result", limit.Result, method("piece"), `"success":false,"error":"result: %d bytes, at most 1900000"`, `"success":true`},
	{"Words", "a method's error", limit.Words, method("error"), "(cut off here, %d bytes in all)", `"success":false`},
	{"Notice", "a notice", limit.Notice, method("notice"), "a message of %d bytes, not 1 to 65536", `"success":true`},
	{"Notice", "a narration", limit.Notice, method("narration"), "a narration of %d bytes, not 1 to 65536", `"success":true`},
	{"Notice", "a submission", limit.Notice, method("submission"), "a message of %d bytes, not 1 to 65536", `"success":true`},
	{"Submission", "a submission's id", limit.Submission, method("submission's id"), "ids and keys of submissions are 1 to 100 bytes", `"success":true`},
	{"Payload", "a payload", limit.Payload, method("payload"), "a payload of %d bytes, at most 65536", `"success":true`},
	{"ScheduleID", "a schedule's id", limit.ScheduleID, method("schedule's id"), "is no id: up to 256 bytes", `"success":true`},
	{"SignalName", "a signal's name", limit.SignalName, method("signal's name"), "the name of a signal has 1 to 128 bytes", `"result":"unknown"`},
	{"SignalID", "a signal's id", limit.SignalID, method("signal's id"), "the id of a signal has 1 to 128 bytes", `"result":"unknown"`},
	{"SignalPayload", "a signal's payload", limit.SignalPayload, method("signal's payload"), "the payload of a signal: %d bytes, at most 262144", `"result":"unknown"`},

	{"Question", "a question", limit.Question, tool("question"), "it has %d bytes, at most 32768", "tool-approval-request"},
	{"Questions", "questions", limit.Questions, tool("questions"), "64 questions wait for an answer already", "tool-approval-request"},
	{"QuestionAnswer", "an answer to a question", limit.QuestionAnswer, answering(func(id, text string) string {
		return `{"type":"cf_agent_tool_result","toolCallId":"` + id + `","output":"` + text[2:] + `"}`
	}), "the answer has %d bytes, at most 65536", `"state":"output-available"`},
	{"QuestionReason", "why a question is refused", limit.QuestionReason, answering(func(id, text string) string {
		return `{"type":"cf_agent_tool_result","toolCallId":"` + id + `","state":"output-error","errorText":"` + text + `"}`
	}), "the reason has %d bytes, at most 4096", `"state":"output-error"`},

	{"RunInput", "a run's input", limit.RunInput, tool("input"), "the input has %d bytes, at most 262144", "well done"},
	{"RunPreview", "a run's preview", limit.RunPreview, tool("preview"), `"agentType":"Worker","order":0}`, `"agentType":"Worker","inputPreview":"`},
	{"RunDisplay", "a run's display", limit.RunDisplay, tool("display"), `"agentType":"Worker","order":0}`, `"agentType":"Worker","order":0,"display":{"name":"`},
	{"RunDisplay", "a refused run's display", limit.RunDisplay, tool("refused display"), `"agentType":"Worker","order":0}`, `"agentType":"Worker","order":0,"display":{"name":"`},
	{"Summary", "what a helper says", limit.Summary, tool("words"), "(cut off here, ", `"kind":"finished"`},
	{"Milestones", "milestones", limit.Milestones, tool("milestones"), "the run has reached 100 already", "well done"},
	{"MilestoneName", "a milestone's name", limit.MilestoneName, tool("milestone's name"), "a name of %d bytes, not 1 to 128", "well done"},
	{"ReportData", "a milestone's data", limit.ReportData, tool("milestone's data"), "data: %d bytes, at most 4096", "well done"},
	{"Phase", "a phase", limit.Phase, tool("phase"), "a phase of %d bytes, at most 128", "well done"},
	{"ReportWords", "a report", limit.ReportWords, tool("report"), "a message of %d bytes, at most 1024", "well done"},
	{"ReportData", "a report's data", limit.ReportData, tool("report's data"), "data: %d bytes, at most 4096", "well done"},
}

// answering answers a question of a tool with a frame.
func answering(frame func(id, text string) string) func(*scene, int, string) {
	return func(s *scene, n int, letter string) {
		s.calls("wish", `{"for":"answer","n":0,"letter":""}`)
		_, id, _ := strings.Cut(strings.Join(s.world.Take(), "\n"), "ask_")
		s.frame(frame("ask_"+id[:strings.IndexAny(id, "\"\\")], strings.Repeat(letter, n)))
	}
}

// elsewhere are the entries that another test checks, with the name of the test.
var elsewhere = map[string]string{
	"Row":       "TestSQLiteSizes",
	"Subject":   "TestSignalSaysWhoHasSentIt",
	"Chunk":     "TestHelperThatSaysTooMuchAtOnceIsStopped",
	"Thought":   "TestThoughtIsBounded",
	"Remark":    "TestRemarkIsBounded",
	"RunSchema": "TestLongSchemaIsRefused",
	"HookWords": "TestWordsOfAHookAreBounded",

	"Signals":     "TestSignalsAreKeptUpToTheirLimits",
	"SignalBytes": "TestSignalsAreKeptUpToTheirLimits",
	"File":        "TestPicturesThatAreNotShown",
	"Steps":       "TestStepsBeyondTheLimitAreNotShown",
	"StepName":    "TestStepsBeyondTheLimitAreNotShown",
	"StepError":   "TestErrorOfAStepIsBounded",
	"Labels":      "TestLabels", "LabelKey": "TestLabels", "LabelValue": "TestLabels",
}

// TestEveryInputIsHeldToItsLimit tests every entry of the table of limits. An input at the limit is
// accepted. For an input beyond it, or of six times the size in markup, the sender gets an error.
// Nothing traps, and the object goes on.
func TestEveryInputIsHeldToItsLimit(t *testing.T) {
	for _, in := range inputs {
		for _, size := range []struct {
			name, letter string
			n            int
		}{{"at the limit", "x", in.most}, {"at the limit in markup", "<", in.most}, {"one beyond", "x", in.most + 1}, {"six times in markup", "<", 6 * in.most}} {
			t.Run(in.name+"/"+size.name, func(t *testing.T) {
				s := newScene(t)
				in.send(s, size.n, size.letter)
				out := strings.Join(s.world.Take(), "\n")
				told := strings.ReplaceAll(in.told, "%d", strconv.Itoa(size.n))
				isTold := strings.Contains(out, told) || strings.Contains(out, strings.ReplaceAll(told, `"`, `\"`))
				if size.n > limit.Frame { // the frame around the input is too large by itself
					isTold = isTold || strings.Contains(out, "bytes, at most 4194304")
				}
				switch {
				case strings.Contains(out, "trap"):
					t.Fatalf("it traps: %.400s", out)
				case size.n == in.most && (isTold || !strings.Contains(out, in.taken)):
					t.Errorf("%d are not taken: %.600s", size.n, out)
				case size.n > in.most && !isTold:
					t.Errorf("nobody is told %q: %.600s … %.600s", told, out, out[max(0, len(out)-600):])
				}
				s.frame(rpc + "]}")
				if out := strings.Join(s.world.Take(), "\n"); !strings.Contains(out, "pong") {
					t.Errorf("the object does not answer any more: %.300s", out)
				}
			})
		}
	}
}

// TestEveryLimitIsWalked checks that every entry of the table has a case and a comment.
func TestEveryLimitIsWalked(t *testing.T) {
	tests := allTests(t)
	for entry, name := range elsewhere {
		if !strings.Contains(tests, "\nfunc "+name+"(") {
			t.Errorf("%s is held by %s, which there is not", entry, name)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "../limit/limit.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	walked := map[string]bool{}
	for _, in := range inputs {
		walked[in.entry] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for _, name := range spec.Names {
			if !walked[name.Name] && elsewhere[name.Name] == "" {
				t.Errorf("%s has no case", name)
			}
			if !strings.Contains(spec.Doc.Text(), name.Name) {
				t.Errorf("%s has no comment that names it", name)
			}
		}
		return true
	})
}

// allTests returns the text of all tests of the core.
func allTests(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	files, err := filepath.Glob("../*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	deeper, err := filepath.Glob("../*/*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, deeper...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
