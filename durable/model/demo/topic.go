package demo

import (
	_ "embed" // The demo model's texts.
	"fmt"
	"strings"
	"unicode"

	"github.com/tributary-agents/tributary/durable/model"
)

// These are the demo model's texts. {{name}} is replaced by a value.
var (
	//go:embed hello.md
	helloText string
	//go:embed how.md
	howText string
	//go:embed real.md
	realText string
	//go:embed stop.md
	stopText string
	//go:embed words.md
	wordsText string
	//go:embed markdown.md
	markdownText string
	//go:embed thanks.md
	thanksText string
	//go:embed news.md
	newsText string
	//go:embed other.md
	otherText string
	//go:embed findings.md
	findingsText string
	//go:embed plan.md
	planText string
	//go:embed two-things.md
	twoThingsText string
	//go:embed no-tool.md
	noToolText string
	//go:embed bad-word.md
	badWordText string
)

// topics are searched in order for a phrase that the message contains.
var topics = []struct {
	text    *string
	phrases []string
}{
	{&newsText, []string{"at work in the background"}},
	{&helloText, []string{"what can you do", "who are you", "what are you", "what is this", "help me"}},
	{&realText, []string{"real model", "other model", "another model", "openai", "api key", "provider", "gpt", "claude", "ollama", "llm", "which model"}},
	{&wordsText, []string{"key value", "grammar", "benchmark", "chunks", "script you"}},
	{&stopText, []string{"stop", "cancel", "reload", "resume", "reconnect", "disconnect", "interrupt"}},
	{&markdownText, []string{"markdown", "some code", "a table", "render"}},
	{&howText, []string{"how does it work", "how does this work", "how do you work", "tributary", "architecture", "durable object", "durable objects", "facet", "facets", "wasm", "webassembly", "helper", "helpers"}},
	{&thanksText, []string{"thanks", "thank you", "bye", "goodbye"}},
	{&helloText, []string{"hello", "hi", "hey", "help", "good morning", "good evening"}},
}

// topic returns the prepared text that fits a message best.
func topic(request model.Request, text string) string {
	said := fold(text)
	best := otherText
	if strings.TrimSpace(said) == "" {
		best = helloText
	}
search:
	for _, t := range topics {
		for _, phrase := range t.phrases {
			if strings.Contains(said, " "+phrase+" ") {
				best = *t.text
				break search
			}
		}
	}
	return fill(best, "said", model.Truncate(strings.Join(strings.Fields(text), " "), maxGist), "try", tries(request))
}

// fold returns text in lower case, with one space around each word, and without other characters.
func fold(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return " " + strings.Join(words, " ") + " "
}

// maxOffered is how many tools are offered of those that the demo model does not know.
const maxOffered = 12

// tries returns a list of things to try with the tools of a request.
func tries(request model.Request) string {
	var b strings.Builder
	described := map[string]bool{}
	for _, t := range []struct{ tool, line string }{
		{"compare", "**Compare HTTP/3 and gRPC** puts two helpers to work side by side"},
		{"research", "**Research durable execution** asks one helper"},
		{"background", "**Background: the history of tea** has a helper work while we go on talking"},
		{"plan", "**Plan a weekend in Lisbon** asks a helper of another class"},
		{"report", "**workflow: report 3 on the history of tea** is a workflow: stop the server in the middle, and it goes on"},
		{"pay", "**act: pay 120 to Ada** is an action: it happens once, when you have approved it"},
		{codeTool, "`code: return (await Promise.all([\"tea\", \"ink\"].map(query => tools.web_search({ query })))).flat().length` is code that calls tools: stop the server in the middle, and it goes on"},
		{"", "**Show me some Markdown** shows what the page can render"},
		{"", "**How do I use a real model?** tells which variables to set"},
		{"", "`chunks=300 delay=30` is a long answer: stop it, or reload the page in the middle"},
	} {
		if t.tool == "" || hasTool(request, t.tool) {
			b.WriteString("- " + t.line + "\n")
		}
		described[t.tool] = true
	}
	offered, more := 0, 0
	for _, t := range added(request) {
		switch {
		case described[t.Name]:
		case offered == maxOffered:
			more++
		default:
			offered++
			b.WriteString("- **" + t.Name + "** and what it shall be about calls a tool of yours. " + model.Truncate(t.Description, maxGist) + "\n")
		}
	}
	if more > 0 {
		fmt.Fprintf(&b, "- and %d more tools\n", more)
	}
	return strings.TrimRight(b.String(), "\n")
}

// fill puts values into a text. pairs are names and values.
func fill(text string, pairs ...string) string {
	filled := make([]string, len(pairs))
	for i, p := range pairs {
		filled[i] = p
		if i%2 == 0 {
			filled[i] = "{{" + p + "}}"
		}
	}
	return strings.NewReplacer(filled...).Replace(strings.TrimRight(text, "\n"))
}
