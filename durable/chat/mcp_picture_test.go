package chat_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// png is the beginning of a picture, in base64.
const png = "iVBORw0KGgo="

// image is a block of a result.
func image(media, data string) string {
	return fmt.Sprintf(`{"type":"image","mimeType":%q,"data":%q}`, media, data)
}

func blocks(list ...string) string {
	return `{"resultType":"complete","content":[` + strings.Join(list, ",") + `]}`
}

// picturesAt is a server of which each call returns blocks.
func picturesAt(list ...string) serverOf {
	return docs(func(rpc) (int, string) { return 200, blocks(list...) })
}

// told is what the model was told of a call.
func (w *remoteWorld) told() (list []map[string]any) {
	w.t.Helper()
	for _, p := range w.answer1() {
		if p.ToolCallID == "" {
			continue
		}
		var blocks []map[string]any
		if err := json.Unmarshal(p.Output, &blocks); err != nil {
			w.t.Fatalf("%s%s: %v", p.Output, p.ErrorText, err)
		}
		list = append(list, blocks...)
	}
	return list
}

// answer1 returns the parts of the first answer that is stored.
func (w *remoteWorld) answer1() (parts []protocol.Part) {
	w.t.Helper()
	w.lines = nil
	w.do("get /agents/x/room/get-messages")
	list := w.text()
	var messages []protocol.Message
	if err := json.Unmarshal([]byte(list[strings.Index(list, " [")+1:]), &messages); err != nil {
		w.t.Fatalf("%s: %v", list, err)
	}
	for _, m := range messages {
		for _, raw := range m.Parts {
			if p, err := protocol.ReadPart(raw); err == nil && m.Role == protocol.RoleAssistant && p.Type != protocol.PartStepStart {
				parts = append(parts, p)
			}
		}
	}
	return parts
}

// outline is what the parts of the first answer are.
func (w *remoteWorld) outline() string {
	w.t.Helper()
	var kinds []string
	for _, p := range w.answer1() {
		kinds = append(kinds, p.Type+p.MediaType)
	}
	return strings.Join(kinds, " ")
}

// TestPictureOfServerIsShown checks that a picture is a part behind the call's, that the model is told so, and that
// the chunk follows the output's.
func TestPictureOfServerIsShown(t *testing.T) {
	for name, block := range map[string]string{
		"an image":        image("image/png", png),
		"lines of base64": image("image/png", "iVBO\nRw0KGgo=\n"),
		"a blob":          `{"type":"resource","resource":{"uri":"note://1","mimeType":"image/png","blob":"` + png + `"}}`,
	} {
		w := newRemote(t, docsAgent(), picturesAt(`{"type":"text","text":"look"}`, block))
		w.do("connect a", `say a R1 u1: call docs_search {}`, "tick 2s")
		order := regexp.MustCompile(`\\"type\\":\\"(tool-output-available|file|finish-step)\\"`).FindAllStringSubmatch(w.text(), 3)
		if got := fmt.Sprint(order[0][1], " ", order[1][1], " ", order[2][1]); got != "tool-output-available file finish-step" {
			t.Errorf("%s: the chunks are %s", name, got)
		}
		w.wants(`{\"type\":\"file\",\"url\":\"data:image/png;base64,iVBORw0KGgo=\",\"mediaType\":\"image/png\"}`)
		if got, want := w.outline(), "tool-docs_search fileimage/png text"; got != want {
			t.Errorf("%s: the parts are %s, want %s", name, got, want)
		}
		if got := w.told()[1]; got["shown"] != true || got["mimeType"] != "image/png" || got["leftOut"] != nil || len(got) > 4 {
			t.Errorf("%s: the model is told %v", name, got)
		}
	}
}

// watcher notes what its model is told.
type watcher struct {
	obedient
	told *[]model.Request
}

func (w watcher) Begin(tx *durable.Tx, id string, r model.Request) (model.Answer, error) {
	*w.told = append(*w.told, r)
	return w.obedient.Begin(tx, id, r)
}

// TestPictureIsNotToldToModel checks that a model is told of a picture by the tool's output alone, in the turn and in
// the next one.
func TestPictureIsNotToldToModel(t *testing.T) {
	a := docsAgent()
	var told []model.Request
	a.Name, a.Model = "Own", watcher{told: &told}
	w := newRemoteOf(t, picturesAt(image("image/png", png)), a)
	w.do("connect a", `say a R1 u1: docs_search {}`, "tick 2s", `say a R2 u2: docs_search {}`, "tick 2s")
	var kinds []string
	for _, m := range told[len(told)-1].Messages {
		for _, c := range m.Content {
			kinds = append(kinds, fmt.Sprintf("%T", c))
			if r, ok := c.(model.ToolResult); ok && string(r.Output) != `[{"mimeType":"image/png","shown":true,"type":"image"}]` {
				t.Errorf("the model is told %s", r.Output)
			}
		}
	}
	turn := " model.Text model.ToolCall model.ToolResult"
	if got, want := " "+strings.Join(kinds, " "), turn+" model.Text"+turn; got != want {
		t.Errorf("the model is told%s, want%s", got, want)
	}
}

// TestPictureBesideStructuredContent checks that a picture is shown and that the output stays what fits the schema.
func TestPictureBesideStructuredContent(t *testing.T) {
	w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) {
		return 200, `{"resultType":"complete","structuredContent":{"n":1},"content":[` + image("image/webp", png) + `]}`
	}))
	w.do("connect a", `say a R1 u1: call docs_search {}`, "tick 2s")
	w.wants(`it is {\"n\":1}`)
	if got, want := w.outline(), "tool-docs_search fileimage/webp text"; got != want {
		t.Errorf("the parts are %s, want %s", got, want)
	}
}

// TestPicturesThatAreNotShown checks what is left out, and that the model is told why.
func TestPicturesThatAreNotShown(t *testing.T) {
	large := strings.Repeat("AAAA", 100_000)
	for name, test := range map[string]struct {
		blocks []string
		shown  int
		why    string
	}{
		"too large":          {[]string{image("image/png", strings.Repeat("AAAA", 225_000))}, 0, "it has 900022 bytes, at most 900000"},
		"as large as it can": {[]string{image("image/png", strings.Repeat("AAAA", 224_994))}, 1, ""},
		"no base64":          {[]string{image("image/png", "%%%")}, 0, "no base64"},
		"nothing":            {[]string{image("image/png", "")}, 0, "no base64"},
		"a drawing":          {[]string{image("image/svg+xml", png)}, 0, `"image/svg+xml" and has to be one of image/png`},
		"a type with more":   {[]string{image("image/png;base64,AAAA", png)}, 0, "an attachment is"},
		"a sound":            {[]string{`{"type":"audio","mimeType":"audio/wav","data":"AAAA"}`}, 0, "audio/wav"},
		"a file":             {[]string{`{"type":"resource","resource":{"uri":"note://1","mimeType":"application/pdf","blob":"AAAA"}}`}, 0, "application/pdf"},
		"22 of them":         {strings.Split(strings.Repeat(image("image/gif", png)+"\n", 21)+image("image/gif", png), "\n"), 20, "has 20 pictures"},
		"the second one":     {[]string{image("image/png", png), image("image/svg+xml", png), image("image/png", png)}, 2, "has to be one of"},
		"two large ones":     {[]string{image("image/png", large), image("image/png", large)}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRemote(t, docsAgent(), picturesAt(test.blocks...))
			w.do("connect a", `say a R1 u1: call docs_search {}`, "tick 2s")
			if n := strings.Count(w.outline(), "file"); n != test.shown {
				t.Errorf("%d are shown, want %d", n, test.shown)
			}
			left := 0
			for _, block := range w.told() {
				if block["leftOut"] != true {
					continue
				}
				left++
				if why, _ := block["reason"].(string); !strings.Contains(why, test.why) || block["shown"] != nil || block["mimeType"] == "" {
					t.Errorf("the model is told %v, want %q", block, test.why)
				}
			}
			if left != len(test.blocks)-test.shown {
				t.Errorf("the model is told of %d that are left out, want %d", left, len(test.blocks)-test.shown)
			}
		})
	}
}

// TestPicturesOfMessageAreBounded checks that calls which return at once share what their message has room for, and
// that the message stays as it was shown.
func TestPicturesOfMessageAreBounded(t *testing.T) {
	a := docsAgent()
	a.Name, a.Model = "Own", obedient{}
	w := newRemoteOf(t, picturesAt(image("image/png", strings.Repeat("AAAA", 175_000))), a)
	w.do("connect a")
	act(t, w.World, "hold")
	w.do(`say a R1 u1: docs_search {};docs_write {};docs_book {}`)
	w.deliverAll(t, -1, "")
	if got, want := w.outline(), "tool-docs_search tool-docs_write tool-docs_book fileimage/png fileimage/png text"; got != want {
		t.Errorf("the parts are %s, want %s", got, want)
	}
	if told := fmt.Sprint(w.told()); !strings.Contains(told, "the message has no room for its 700022 bytes") || strings.Count(told, "shown:true") != 2 {
		t.Errorf("the model is told %s", told)
	}
}

// painter is a model that calls a tool in three steps.
type painter struct{ obedient }

func (painter) Begin(tx *durable.Tx, id string, r model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	if len(r.Messages) > 6 {
		return obeying{[]model.Delta{model.TextDelta{Text: "done"}, model.Finished{Reason: model.Stop}}}, nil
	}
	call := model.ToolCall{ID: "call_" + tx.NewID(), Name: "docs_search", Input: json.RawMessage(`{}`)}
	return obeying{[]model.Delta{model.ToolCallStarted{ID: call.ID, Name: call.Name}, call, model.Finished{Reason: model.ToolCalls}}}, nil
}

// TestPicturesOfStepsAreCounted checks that later steps have the rest of what a message may have, also if the memory
// was lost in between.
func TestPicturesOfStepsAreCounted(t *testing.T) {
	for _, lose := range []bool{false, true} {
		a := docsAgent()
		a.Name, a.Model = "Own", painter{}
		w := newRemoteOf(t, picturesAt(slices.Repeat([]string{image("image/png", png)}, 9)...), a)
		w.lose = lose
		w.do("connect a", "say a R1 u1: paint", "tick 5s")
		for range 4 {
			w.do("get /agents/x/room/get-messages", "tick 1m")
		}
		tool := "tool-docs_search"
		want := tool + strings.Repeat(" fileimage/png", 9) + " " + tool + strings.Repeat(" fileimage/png", 9) + " " + tool + " fileimage/png fileimage/png text"
		if got := w.outline(); got != want {
			t.Errorf("lose %v: the parts are %s, want %s", lose, got, want)
		}
	}
}

// TestPictureSurvivesLoss throws the memory away at every moment: the picture is in the message once, if the tool has
// ended, and the tool was not called again.
func TestPictureSurvivesLoss(t *testing.T) {
	for _, loss := range []string{"crash", "root"} {
		moments := 0
		for at := 0; ; at++ {
			w := newRemote(t, docsAgent(), picturesAt(image("image/png", png)))
			w.do("connect a")
			act(t, w.World, "hold")
			w.do(`say a R1 u1: call docs_write {}`)
			if !w.deliverAll(t, at, loss) {
				break
			}
			moments++
			calls := w.calls()
			switch text, outline := w.text(), w.outline(); {
			case strings.Contains(text, "may or may not have happened"):
			case calls != 1 || outline != "tool-docs_write fileimage/png text":
				t.Fatalf("%s at %d: %d calls, %s", loss, at, calls, outline)
			}
		}
		if moments < 5 {
			t.Errorf("%s: only %d moments", loss, moments)
		}
	}
}

// TestPictureIsReplayed checks that a tab which comes while the answer goes on gets the same chunks, before and behind
// a loss of memory.
func TestPictureIsReplayed(t *testing.T) {
	for _, loss := range []string{"", "evict"} {
		w := newRemote(t, docsAgent(), picturesAt(image("image/png", png)))
		w.do("connect a")
		act(t, w.World, "hold")
		w.do(`say a R1 u1: call docs_search {}`)
		for !strings.Contains(w.text(), `\"type\":\"file\"`) {
			w.serve()
			if lanes := w.Lanes(); len(lanes) > 0 {
				w.Deliver(lanes[0])
			} else {
				w.Tick()
			}
			w.serve()
		}
		if loss != "" {
			act(t, w.World, loss)
		}
		live := regexp.MustCompile(`"body":"(\{\\"type\\":\\"file\\".*?\})","done":false,"seq":(\d+)`).FindStringSubmatch(w.text())
		w.lines = nil
		w.do("connect b", "probe b P1", "ack b R1")
		again := regexp.MustCompile(`send b .*"body":"(\{\\"type\\":\\"file\\".*?\})","done":false,.*"seq":(\d+)`).FindAllStringSubmatch(w.text(), -1)
		if len(again) != 1 || len(live) != 3 || fmt.Sprint(again[0][1:]) != fmt.Sprint(live[1:]) {
			t.Errorf("%s: replayed is %q, live was %q\n%s", loss, again, live, w.text())
		}
	}
}

// TestPictureOfApprovedCall checks that a picture of a call that waited for a person goes to the message of the call.
func TestPictureOfApprovedCall(t *testing.T) {
	for _, loss := range []string{"", "evict"} {
		a := docsAgent()
		a.MCP = &agent.MCP{Servers: []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}, Approve: agent.ApproveWrites}
		w := newRemote(t, a, picturesAt(image("image/png", png)))
		w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 5s")
		id := regexp.MustCompile(`"approvalId\\":\\"(call_[A-Za-z0-9_-]+)`).FindStringSubmatch(w.text())[1]
		if loss != "" {
			w.do(loss, "connect a")
		}
		w.do("approve a "+id, "tick 5s")
		w.wants(`"type":"file","mediaType":"image/png"`)
		if got, want := w.outline(), "tool-docs_write fileimage/png text"; got != want {
			t.Errorf("the parts are %s, want %s", got, want)
		}
	}
}

// TestPictureOfHelper checks that a helper shows a picture in its own run, live and to a tab that comes later, and
// also if a person has approved the call in a turn before.
func TestPictureOfHelper(t *testing.T) {
	for action, option := range map[string]agent.MCP{clerkSearches: {}, clerkWrites: {Approve: agent.ApproveWrites}} {
		w := newRemoteOf(t, picturesAt(image("image/png", png)), family(option)...)
		w.do("connect a", action, "tick 30s")
		if id := regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text()); id != "" {
			w.do("evict", "connect a", "approve a "+id, "tick 30s")
		}
		w.wants(`"done":true,"outcome":"completed"`)
		event := regexp.MustCompile(`send a \{"type":"agent-tool-event".*"kind":"chunk".*\\"type\\":\\"file\\",\\"url\\":\\"data:image/png;base64,iVBORw0KGgo=`)
		if n := len(event.FindAllString(w.text(), -1)); n != 1 {
			t.Errorf("%s: the run shows %d pictures, want 1: %s", action, n, w.text())
		}
		shown := w.text()
		w.lines = nil
		w.do("connect b")
		if n := strings.Count(w.text(), `\"type\":\"file\"`); n != 1 {
			t.Errorf("%s: a tab that comes later is shown %d pictures, want 1", action, n)
		}
		if got := w.outline(); strings.Contains(got, "file") {
			t.Errorf("%s: the root's own answer has the parts %s", action, got)
		}
		w.do("drill d clerk "+regexp.MustCompile(`"runId":"([^"]+)"`).FindStringSubmatch(shown)[1], "tick 1s")
		if n := strings.Count(w.text(), `"type":"file","mediaType":"image/png"`); n != 1 {
			t.Errorf("%s: the helper's conversation has %d pictures, want 1: %s", action, n, w.text())
		}
	}
}

// TestPictureOfHelperInALaterTurn checks that a picture of a call that a helper's earlier message has made goes to that
// message and to the run, and not to the message of the turn that makes the call. Memory is lost at every moment, and
// a tab in the helper's conversation has the turn replayed.
func TestPictureOfHelperInALaterTurn(t *testing.T) {
	servers := []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}
	clerk := agent.Agent{Name: "Clerk", Helper: true, Model: obedient{}, MCP: &agent.MCP{Servers: servers, Approve: agent.ApproveWrites}}
	boss := agent.Agent{Name: "Boss", Model: obedient{}, Tools: []agent.Tool{delegate("delegate", clerk)}}
	replays := 0
	for _, loss := range []string{"helpers", "all"} {
		moments := 0
		for at := 0; ; at++ {
			w := newRemoteOf(t, picturesAt(image("image/png", png)), boss, clerk)
			w.do("connect a", clerkWrites, "tick 1s", "tick 1s", "tick 1s", "tick 1s")
			run := regexp.MustCompile(`"runId":"([^"]+)"`).FindStringSubmatch(w.text())[1]
			id := regexp.MustCompile(`approvalId\\*":\\*"([A-Za-z0-9_-]+)`).FindStringSubmatch(w.text())[1]
			act(t, w.World, "hold")
			w.do("approve a " + id)
			w.onLoss = func() {
				act(t, w.World, "drill d clerk "+run)
				for n := 0; n < 20 && len(w.Lanes()) > 0; n++ {
					w.Deliver(w.Lanes()[0])
				}
				w.lines = append(w.lines, w.Take()...)
				if offer := regexp.MustCompile(`send d \{"type":"cf_agent_stream_resuming","id":"([^"]+)"`).FindStringSubmatch(w.text()); offer != nil {
					act(t, w.World, "ack d "+offer[1])
				}
			}
			if !w.deliverAll(t, at, loss) {
				break
			}
			moments++
			text := w.text()
			if strings.Contains(text, "may or may not have happened") {
				continue
			}
			replays += strings.Count(text, `"replayComplete":true`)
			if at := regexp.MustCompile(`send d \{"type":"cf_agent_use_chat_response".*"type\\":\\"file`).FindString(text); at != "" {
				t.Fatalf("%s at %d: the helper's tab gets %s", loss, moments, at)
			}
			live := regexp.MustCompile(`send a(?:,c)? \{"type":"agent-tool-event","parentToolCallId":"[^"]+","sequence":\d+,"event":\{"kind":"chunk".*"type\\":\\"file`)
			if n := len(live.FindAllString(text, -1)); n != 1 {
				t.Fatalf("%s at %d: the run shows %d pictures, want 1\n%s", loss, at, n, text)
			}
			w.lines = nil
			w.do("drill e clerk " + run)
			w.deliverAll(t, -1, "")
			parts := regexp.MustCompile(`"type":"(tool-docs_write|file|text|step-start)",`).FindAllStringSubmatch(lineOf(w.text(), "send e "), -1)
			if got := fmt.Sprint(parts); strings.Count(got, "file") != 2 || strings.Index(got, "file") < strings.Index(got, "tool") {
				t.Fatalf("%s at %d: the helper's messages have %s, want one picture behind the call", loss, at, got)
			}
		}
		if moments < 5 || replays == 0 {
			t.Errorf("%s: only %d moments, %d replays", loss, moments, replays)
		}
	}
}

// TestPicturesForCodeAreLeftOut checks that code is told of a picture in words, and that its message shows none.
func TestPicturesForCodeAreLeftOut(t *testing.T) {
	a := docsAgent()
	a.MCP = &agent.MCP{Servers: []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}, Tell: agent.TellCode}
	a.Tools = []agent.Tool{agent.Code()}
	w := newRemote(t, a, picturesAt(image("image/png", png)))
	w.do("connect a", `say a R1 u1: call code {"code":"return await tools.docs_search({})"}`, "tick 5s")
	w.wants(`\"leftOut\":true`, `\"reason\":\"only a call of the model shows files\"`)
	if got := w.outline(); strings.Contains(got, "file") {
		t.Errorf("the parts are %s", got)
	}
}

// TestHookDropsPictures checks that a call that a hook fails shows no picture.
func TestHookDropsPictures(t *testing.T) {
	a := docsAgent()
	a.Hooks.AfterCall = func(_ *agent.Conversation, call *agent.ToolCall) error {
		call.Failure = "not for you"
		return nil
	}
	w := newRemote(t, a, picturesAt(image("image/png", png)))
	w.do("connect a", `say a R1 u1: call docs_search {}`, "tick 5s")
	w.wants("not for you")
	if got, want := w.outline(), "tool-docs_search text"; got != want {
		t.Errorf("the parts are %s, want %s", got, want)
	}
}
