package demo

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
)

// lastTurn is everything since the user's last message.
type lastTurn struct {
	text    string
	results []model.ToolResult
}

func lastTurnOf(request model.Request) lastTurn {
	var t lastTurn
	for _, m := range request.Messages {
		if m.Role == model.User {
			t = lastTurn{}
		}
		for _, c := range m.Content {
			switch c := c.(type) {
			case model.Text:
				if m.Role == model.User {
					t.text += c.Text
				}
			case model.ToolResult:
				t.results = append(t.results, c)
			}
		}
	}
	return t
}

// choose decides what the demo model answers.
func choose(request model.Request) script {
	turn := lastTurnOf(request)
	if code, ok := codeIn(turn.text); ok {
		return runCode(request, turn.results, code)
	}
	if tool, input, ok := toolIn(turn.text); ok {
		return callNamed(request, turn.results, tool, input)
	}
	words := parseWords(turn.text)
	switch {
	case words.problem != "":
		return prose(fill(badWordText, "problem", words.problem))
	case len(turn.results) > 0 && readsPages(request) && len(request.Output) > 0:
		return fromPage(request, turn)
	case len(turn.results) > 0:
		return afterResults(turn, words)
	case words.tool != "" && words.tool != "none":
		return callByWord(request, words)
	case words.chunked():
		return words.chunks(words.number["chunks"])
	case words.any():
		return prose(topic(request, words.text))
	}
	return answerPlain(request, words.text)
}

// callByWord answers with a call of the tool that the message names by the word tool.
func callByWord(request model.Request, words keywords) script {
	if !hasTool(request, words.tool) {
		return prose(fill(noToolText, "tool", model.Truncate(words.tool, 40)))
	}
	_, object := verbAndObject(words.text, verbs(request))
	return callTool(words.tool, toolInput(request, words.tool, object, words))
}

// kinds are words before a request that say what kind of tool is meant. The tool is named behind
// them: "workflow: report 3", "act: pay 120 to Ada".
var kinds = []string{"workflow:", "act:"}

// answerPlain answers a message that has none of the words.
func answerPlain(request model.Request, text string) script {
	for _, kind := range kinds {
		if rest, ok := cutPrefixFold(strings.TrimSpace(text), kind); ok {
			text = rest
		}
	}
	verb, object := verbAndObject(text, verbs(request))
	if verb != "" && hasTool(request, verb) {
		if _, _, ok := twoThings(object); verb == "compare" && !ok {
			return prose(twoThingsText)
		}
		return callTool(verb, toolInput(request, verb, object, parseWords("")))
	}
	if address := addressIn(text); address != "" && readsPages(request) {
		return callTool(pageTool, toolInput(request, pageTool, address, parseWords("")))
	}
	for _, own := range []string{"web_search", "search", "inspect_file"} {
		if hasTool(request, own) {
			return callTool(own, toolInput(request, own, text, parseWords("")))
		}
	}
	return prose(topic(request, text))
}

func hasTool(request model.Request, name string) bool {
	return slices.ContainsFunc(request.Tools, func(t model.Tool) bool { return t.Name == name })
}

func callTool(name string, input []byte) script {
	return script{call: &model.ToolCall{Name: name, Input: input}}
}

// polite are words before a request that do not change its meaning.
var polite = []string{"please ", "now ", "then ", "can you ", "could you ", "would you ", "hey ", "hello ", "hi "}

// knownVerbs maps the verbs with which people begin a request to the tools that the demo model
// knows.
var knownVerbs = []string{"background", "compare", "plan", "research"}

// verbs returns knownVerbs and the names of the tools that an author has added.
func verbs(request model.Request) []string {
	all := knownVerbs
	for _, t := range added(request) {
		all = append(all[:len(all):len(all)], t.Name)
	}
	return all
}

// verbAndObject splits a text such as "compare A and B", "plan ..." and "research ...". The verb
// names the tool. For any other text the verb is "", and the object is the whole text.
func verbAndObject(text string, verbs []string) (verb, object string) {
	text = strings.Trim(strings.TrimSpace(text), ".!?")
	rest := text
	for again := true; again; {
		again = false
		for _, p := range polite {
			if after, ok := cutPrefixFold(rest, p); ok {
				rest, again = strings.TrimLeft(after, " ,"), true
			}
		}
	}
	for _, v := range verbs {
		after, ok := cutPrefixFold(rest, v)
		if object := strings.TrimLeft(after, " :\n"); ok && object != "" && object != after {
			return v, object
		}
	}
	return "", text
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
