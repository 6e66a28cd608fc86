package demo

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
)

const (
	// maxGist bounds the summary of one result, in bytes.
	maxGist = 200
	// maxGistDepth is how deep the summary of a result goes.
	maxGistDepth = 3
)

// afterResults answers when tools have returned. A helper gives the report that it was asked for,
// and a parent says something short about its helpers.
func afterResults(turn lastTurn, words keywords) script {
	last := turn.results[len(turn.results)-1]
	_, subject := verbAndObject(words.text, knownVerbs)
	found := []string{"subject", cmp.Or(model.Truncate(subject, maxGist), "Your question"), "found", gist(last.Output)}
	switch {
	case searches(last.Name) && !words.chunked():
		return prose(fill(findingsText, found...))
	case last.Name == "inspect_file" && !words.chunked():
		return prose(fill(planText, found...))
	case searches(last.Name), last.Name == "inspect_file":
		return words.chunks(words.number["chunks"])
	case words.chunked():
		return words.chunks(words.number["pchunks"])
	}
	return inPieces(closing(turn.results), words.number["pchunks"], words.number["size"])
}

// searches says whether a tool is that of a researcher.
func searches(tool string) bool { return tool == "web_search" || tool == "search" }

// closing summarises results.
func closing(results []model.ToolResult) string {
	var b strings.Builder
	b.WriteString("Here is what came back:\n")
	for _, r := range results {
		output := r.Output
		if r.Name == codeTool {
			output = returned(output)
		}
		b.WriteString("\n- **" + cmp.Or(r.Name, "tool") + "**: " + gist(output))
	}
	b.WriteString("\n\nI am the demo model, so I pass this on as it is.")
	return b.String()
}

// gist summarises a tool's output in one line.
func gist(output json.RawMessage) string {
	var v any
	if json.Unmarshal(output, &v) != nil {
		v = string(output)
	}
	return model.Truncate(strings.Join(strings.Fields(gistOf(v, maxGistDepth)), " "), maxGist)
}

// gistOf prefers the fields in which tools and helpers put their text, and takes the others in the
// order of their names.
func gistOf(v any, depth int) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return opening(v)
	case []any:
		return gistOfAll(v, depth)
	case map[string]any:
		if said, ok := v["error"].(string); ok && said != "" {
			return "it failed: " + said
		}
		for _, key := range []string{"summary", "text", "answer", "output", "result", "snippet", "title"} {
			if said, ok := v[key].(string); ok && said != "" {
				return opening(said)
			}
		}
		var parts []any
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, v[key])
		}
		return gistOfAll(parts, depth)
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// opening returns the first paragraph of a Markdown text, without the heading or the line that
// announces it.
func opening(text string) string {
	first, rest, more := strings.Cut(strings.TrimSpace(text), "\n\n")
	heading := strings.TrimLeft(first, "#")
	switch {
	case !more:
		return first
	case strings.HasSuffix(first, ":"):
		return first + " " + opening(rest)
	case heading == first:
		return first
	}
	return strings.TrimSpace(heading) + ": " + opening(rest)
}

func gistOfAll(parts []any, depth int) string {
	if depth == 0 {
		return "…"
	}
	var said []string
	for _, part := range parts {
		said = append(said, model.Truncate(gistOf(part, depth-1), maxGist/len(parts)))
	}
	return strings.Join(said, "; ")
}
