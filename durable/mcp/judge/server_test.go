//lint:file-ignore SA1019 sampling and roots are deprecated, and still spoken

package judge_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// library is a server of package mcp, as small as it can be.
type library struct {
	t *testing.T
	// refused counts the refusals by their status.
	mu      sync.Mutex
	refused map[int]int
}

var librarian = mcp.Info{Name: "library", Version: "3"}

func (l *library) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, mcp.MaxMessage+1))
	if err != nil {
		l.t.Error(err)
	}
	post := mcp.Post{Method: r.Method, Header: map[string]string{}, Body: body}
	for name := range r.Header {
		post.Header[strings.ToLower(name)] = r.Header.Get(name)
	}
	received, refusal := mcp.Receive(post)
	if refusal != nil {
		l.refuse(w, refusal)
		return
	}
	if received.Call == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	l.answer(w, post, received)
}

func (l *library) refuse(w http.ResponseWriter, refusal *mcp.Refusal) {
	l.mu.Lock()
	l.refused[refusal.Status]++
	l.mu.Unlock()
	if refusal.Allow != "" {
		w.Header().Set("Allow", refusal.Allow)
	}
	if refusal.Body != nil {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(refusal.Status)
	_, _ = w.Write(refusal.Body)
}

func (l *library) answer(w http.ResponseWriter, post mcp.Post, r mcp.Received) {
	if c, ok := r.Call.(mcp.CallTool); ok && c.Name == "slow" {
		l.stream(w, r)
		return
	}
	result, err := l.result(post, r)
	var failed *mcp.Error
	if errors.As(err, &failed) {
		l.refuse(w, &mcp.Refusal{Status: failed.Status(r.Caller.Version), Body: mcp.EncodeError(r.Message.ID, failed)})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(mcp.EncodeResult(r.Message.ID, r.Caller.Version, librarian, result))
}

// stream answers with events: progress, a comment, and the result.
func (l *library) stream(w http.ResponseWriter, r mcp.Received) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := []byte(mcp.KeepAlive)
	total := 2.0
	for i := range 2 {
		out = mcp.AppendEvent(out, "", mcp.EncodeNote(mcp.Progress{Token: r.Caller.Progress, Done: float64(i + 1), Total: &total}, mcp.ID{}))
	}
	result := mcp.CallResult{Content: []mcp.Content{mcp.TextContent("done")}}
	_, _ = w.Write(mcp.AppendEvent(out, "1", mcp.EncodeResult(r.Message.ID, r.Caller.Version, librarian, result)))
}

func (l *library) result(post mcp.Post, r mcp.Received) (mcp.Result, error) {
	capabilities := mcp.ServerCapabilities{Tools: true, Prompts: true, Resources: true, Completions: true}
	object := parsed(l.t, `{"type":"object"}`)
	switch c := r.Call.(type) {
	case mcp.Discover:
		return mcp.Discovered{Versions: mcp.Versions(), Capabilities: capabilities, Instructions: "be quiet"}, nil
	case mcp.Initialize:
		return mcp.Initialized{Version: r.Caller.Version, Capabilities: capabilities, Server: librarian}, nil
	case mcp.List:
		return list(c, object, parsed(l.t, lendSchema))
	case mcp.CallTool:
		return l.call(post, r, c)
	case mcp.GetPrompt:
		text := mcp.TextContent("about " + c.Arguments.Get("topic").Text())
		return mcp.PromptResult{Messages: []mcp.PromptMessage{{Role: "user", Content: text}}}, nil
	case mcp.ReadResource:
		if c.URI != "book://1" {
			return nil, mcp.NoResource(r.Caller.Version, c.URI)
		}
		return mcp.ReadResult{Contents: []mcp.Contents{mcp.TextContents(c.URI, "text/plain", "once"), mcp.BlobContents(c.URI, "", "AAE=")}}, nil
	case mcp.Complete:
		return mcp.Completion{Values: []string{c.Begun + "!"}}, nil
	case mcp.Ping:
		return mcp.Done{}, nil
	}
	return nil, mcp.NoMethod(r.Message.Method)
}

const lendSchema = `{"type":"object","properties":{"shelf":{"type":"string","x-mcp-header":"Shelf"}}}`

func list(c mcp.List, object, lend mcp.Value) (mcp.Result, error) {
	empty := ""
	switch {
	case c.What == mcp.MethodTools && c.Cursor == nil:
		return mcp.Tools{Tools: []mcp.Tool{{Name: "ask", Input: object}, {Name: "lend", Input: lend, Hints: mcp.Hints{Destructive: mcp.No}}}, Next: &empty}, nil
	case c.What == mcp.MethodTools && *c.Cursor == "":
		return mcp.Tools{Tools: []mcp.Tool{{Name: "slow", Input: object}}}, nil
	case c.What == mcp.MethodPrompts:
		return mcp.Prompts{Prompts: []mcp.Prompt{{Name: "about", Arguments: []mcp.Argument{{Name: "topic"}}}}}, nil
	case c.What == mcp.MethodResources:
		return mcp.Resources{Resources: []mcp.Resource{{URI: "book://1", Name: "one"}}}, nil
	case c.What == mcp.MethodTemplates:
		return mcp.Templates{Templates: []mcp.Resource{{Template: "book://{id}", Name: "book"}}}, nil
	}
	return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "there is no such page"}
}

func (l *library) call(post mcp.Post, r mcp.Received, c mcp.CallTool) (mcp.Result, error) {
	switch c.Name {
	case "ask":
		return l.ask(r, c)
	case "lend":
		params, err := mcp.Params(parsed(l.t, lendSchema))
		if err != nil {
			return nil, err
		}
		if mcp.Modern(r.Caller.Version) {
			if err := mcp.CheckParams(post.Header, params, c.Arguments); err != nil {
				return nil, err
			}
		}
		return mcp.CallResult{Content: []mcp.Content{mcp.TextContent(c.Arguments.JSON())}, Structured: parsed(l.t, `{"lent":true}`)}, nil
	}
	return nil, &mcp.Error{Code: mcp.CodeInvalidParams, Message: "unknown tool"}
}

// ask needs a form, a model and the roots in one round.
func (l *library) ask(r mcp.Received, c mcp.CallTool) (mcp.Result, error) {
	asks := []mcp.InputRequest{
		{Key: "who", Ask: mcp.Elicit{Message: "who?"}},
		{Key: "how", Ask: mcp.Sample{Messages: []mcp.SampleMessage{{Role: "user", Content: []mcp.Content{mcp.TextContent("how?")}}}, MaxTokens: 5}},
		{Key: "where", Ask: mcp.Roots{}},
	}
	for _, a := range asks {
		if missing, any := r.Caller.Capabilities.Missing(a.Ask.Needs()); any {
			return nil, mcp.MissingCapability(missing)
		}
	}
	state := "state ü"
	if c.Resume.State == nil {
		return mcp.InputRequired{Requests: asks, State: &state}, nil
	}
	words := *c.Resume.State
	for _, response := range c.Resume.Responses {
		switch response.Key {
		case "who":
			answer, err := mcp.ParseElicitResult(response.Value)
			if err != nil {
				return nil, err
			}
			words += ", " + answer.Action + " " + answer.Content.Get("name").Text()
		case "how":
			answer, err := mcp.ParseSampled(response.Value)
			if err != nil {
				return nil, err
			}
			words += ", " + answer.Content[0].Text
		case "where":
			answer, err := mcp.ParseRootList(response.Value)
			if err != nil {
				return nil, err
			}
			words += ", " + fmt.Sprint(len(answer))
		}
	}
	return mcp.CallResult{Content: []mcp.Content{mcp.TextContent(words)}}, nil
}

// open starts the library and connects a client of the SDK.
func open(t *testing.T, version string, options *sdk.ClientOptions) (*sdk.ClientSession, *library) {
	l := &library{t: t, refused: map[int]int{}}
	web := httptest.NewServer(l)
	t.Cleanup(web.Close)
	client := sdk.NewClient(&sdk.Implementation{Name: "sdk", Version: "1"}, options)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: web.URL, DisableStandaloneSSE: true}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session, l
}

// TestServer does all that a server can be asked, in both eras.
func TestServer(t *testing.T) {
	for _, version := range []string{mcp.Version, mcp.LegacyVersion, "2025-06-18"} {
		t.Run(version, func(t *testing.T) {
			progress := make(chan float64, 2)
			session, l := open(t, version, &sdk.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
					progress <- r.Params.Progress
				},
			})
			if got := session.InitializeResult(); got.ProtocolVersion != version || got.ServerInfo.Name != "library" {
				t.Errorf("got %+v", got)
			}
			served(t, session)
			params := &sdk.CallToolParams{Name: "slow"}
			params.SetProgressToken("token")
			got, err := session.CallTool(t.Context(), params)
			if err != nil || got.Content[0].(*sdk.TextContent).Text != "done" {
				t.Errorf("got %+v, %v", got, err)
			}
			if sum := <-progress + <-progress; sum != 3 { // the SDK does not keep their order
				t.Errorf("got %v", sum)
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.refused[400] != 0 || l.refused[406] != 0 || l.refused[415] != 0 {
				t.Errorf("refused %v", l.refused)
			}
		})
	}
}

func served(t *testing.T, session *sdk.ClientSession) {
	names := ""
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names += tool.Name + " "
	}
	if names != "ask lend " { // the SDK takes an empty cursor for the end, against the protocol
		t.Errorf("got %s", names)
	}
	for _, shelf := range []string{"a", "größe", " b ", "a\nb", "=?base64?YQ==?="} {
		got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "lend", Arguments: map[string]any{"shelf": shelf}})
		if err != nil || got.StructuredContent.(map[string]any)["lent"] != true {
			t.Errorf("%q: got %+v, %v", shelf, got, err)
		}
	}
	if got, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "about", Arguments: map[string]string{"topic": "Go"}}); err != nil || got.Messages[0].Content.(*sdk.TextContent).Text != "about Go" {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "book://1"}); err != nil || got.Contents[0].Text != "once" || len(got.Contents[1].Blob) != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := session.ListResourceTemplates(t.Context(), nil); err != nil || got.ResourceTemplates[0].URITemplate != "book://{id}" {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := session.ListResources(t.Context(), nil); err != nil || got.Resources[0].Name != "one" {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := session.ListPrompts(t.Context(), nil); err != nil || got.Prompts[0].Arguments[0].Name != "topic" {
		t.Errorf("got %+v, %v", got, err)
	}
	complete := &sdk.CompleteParams{Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "about"}, Argument: sdk.CompleteParamsArgument{Name: "topic", Value: "G"}}
	if got, err := session.Complete(t.Context(), complete); err != nil || got.Completion.Values[0] != "G!" {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "dance"})
	var failed *jsonrpc.Error
	if !errors.As(err, &failed) || failed.Code != mcp.CodeInvalidParams {
		t.Errorf("got %v", err)
	}
}

// TestServerInput has the SDK answer a form, a request for a model's answer, and one for roots.
func TestServerInput(t *testing.T) {
	session, _ := open(t, mcp.Version, &sdk.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"name": r.Params.Message}}, nil
		},
		CreateMessageHandler: func(context.Context, *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
			return &sdk.CreateMessageResult{Role: "assistant", Model: "m", Content: &sdk.TextContent{Text: "so"}}, nil
		},
	})
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "ask"})
	if err != nil {
		t.Fatal(err)
	}
	words := got.Content[0].(*sdk.TextContent).Text
	for _, part := range []string{"state ü", ", accept who?", ", so", ", 0"} {
		if !strings.Contains(words, part) {
			t.Errorf("got %q, want %q in it", words, part)
		}
	}

	unable, l := open(t, mcp.Version, nil)
	_, err = unable.CallTool(t.Context(), &sdk.CallToolParams{Name: "ask"})
	var failed *jsonrpc.Error
	if !errors.As(err, &failed) || failed.Code != mcp.CodeCapability || !strings.Contains(string(failed.Data), "elicitation") {
		t.Errorf("got %v", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused[400] != 1 {
		t.Errorf("refused %v", l.refused)
	}
}
