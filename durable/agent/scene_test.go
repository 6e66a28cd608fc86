package agent_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// start is when the worlds of these examples begin, in milliseconds since 1970.
const start = 1_700_000_000_000

// talk has a person send a message to the first of some agents. It returns the first line of each
// message that the conversation holds in the end.
func talk(text string, agents ...agent.Agent) []string {
	return messages(play(agents, "connect tab", "say tab R1 u1: "+text, "run", read))
}

// read is the action that asks for the conversation. messages and outcome read its answer.
const read = "get /agents/x/room/get-messages"

// message is a message of the conversation, as far as the examples look at it.
type message struct {
	Role  string
	Parts []struct {
		Text             string
		ToolCallID       string
		State, ErrorText string
		Output           json.RawMessage
	}
}

// conversation returns the messages in the answer to read, which is the last line.
func conversation(lines []string) (messages []message) {
	_, list, _ := strings.Cut(lines[len(lines)-1], "application/json\" ")
	must(json.Unmarshal([]byte(list), &messages))
	return messages
}

// messages returns the first line of each message.
func messages(lines []string) (said []string) {
	for _, m := range conversation(lines) {
		said = append(said, m.Role+": "+firstLine(m.Parts[len(m.Parts)-1].Text))
	}
	return said
}

// outcome says what has become of the conversation's tool call.
func outcome(lines []string) string {
	for _, m := range conversation(lines) {
		for _, p := range m.Parts {
			if p.ToolCallID != "" {
				return strings.TrimSpace(p.State + " " + string(p.Output) + p.ErrorText)
			}
		}
	}
	return "no call"
}

// frames returns the frames of some types that a tab was sent.
func frames(lines []string, types ...string) (found []string) {
	for _, line := range lines {
		_, frame, _ := strings.Cut(line, "send tab ")
		var f struct{ Type string }
		if json.Unmarshal([]byte(frame), &f) == nil && slices.Contains(types, f.Type) {
			found = append(found, frame)
		}
	}
	return found
}

// ask has a person ask the first of some agents something, on the demo model and in a world that
// runs in this process. It decodes the output of the tool that was called.
func ask(text string, output any, agents ...agent.Agent) {
	for _, line := range play(agents, "connect tab", "say tab R1 u1: "+text, "run") {
		_, frame, _ := strings.Cut(line, "send tab ")
		var response struct{ Body string }
		var chunk struct{ Output json.RawMessage }
		if json.Unmarshal([]byte(frame), &response) == nil && json.Unmarshal([]byte(response.Body), &chunk) == nil && chunk.Output != nil {
			must(json.Unmarshal(chunk.Output, output))
		}
	}
}

// play performs actions in a world whose root is the first of some agents, and returns the
// resulting lines. CALL in an action is the id of the last tool call, and QUESTION that of the last
// question.
func play(agents []agent.Agent, actions ...string) (lines []string) {
	var classes []durable.Class
	for _, a := range agents {
		classes = append(classes, chat.Class(a, providers...))
	}
	engine := durabletest.NewNative(1, classes...)
	defer engine.Close()
	w := durabletest.NewWorld(engine, agents[0].Name, "room")
	for _, action := range actions {
		if calls := toolCall.FindAllString(strings.Join(lines, "\n"), -1); calls != nil {
			action = strings.ReplaceAll(action, "CALL", calls[len(calls)-1])
		}
		if asked := askID.FindAllString(strings.Join(lines, "\n"), -1); asked != nil {
			action = strings.ReplaceAll(action, "QUESTION", asked[len(asked)-1])
		}
		must(w.Do(action))
		lines = append(lines, w.Take()...)
	}
	return lines
}

// askID is the form of a question's id.
var askID = regexp.MustCompile(`ask_[\w-]{16}`)

// toolCall is the form of a tool call's id.
var toolCall = regexp.MustCompile(`call_[\w-]{16}`)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// firstLine returns a text up to its first line break.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
