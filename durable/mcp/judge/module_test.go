package judge_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tributary-agents/tributary/durable/durabletest/httphost"
	"github.com/tributary-agents/tributary/durable/durabletest/onmodule"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file has the SDK use the module that is deployed, under wazero, and be used by it.

// hosted serves an object of the module.
func hosted(t *testing.T, class string, transport http.RoundTripper) (h *httphost.Host, address string) {
	t.Helper()
	h = httphost.New(httphost.Config{
		Engine: onmodule.Engine(t, onmodule.Main("./everything")), Class: class, Name: "x",
		Vars: map[string]string{"TRIBUTARY_ENV": "development"}, Transport: transport, Log: func(words string) { t.Log(words) },
	})
	web := httptest.NewServer(h)
	t.Cleanup(func() {
		h.Close()
		web.Close()
	})
	return h, web.URL + "/agents/x/x/mcp"
}

func connect(t *testing.T, address, version string, options *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "sdk", Version: "1"}, options)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: address, DisableStandaloneSSE: true}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// text calls a tool and returns the texts of its result.
func text(t *testing.T, session *sdk.ClientSession, tool string, arguments any) string {
	t.Helper()
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, c := range got.Content {
		if said, ok := c.(*sdk.TextContent); ok {
			words = append(words, said.Text)
		}
	}
	if got.IsError {
		words = append(words, "(it has failed)")
	}
	return strings.Join(words, " ")
}

// TestModuleServes has the client of the SDK use the agent with everything, in both eras.
func TestModuleServes(t *testing.T) {
	for _, version := range []string{mcp.Version, mcp.LegacyVersion} {
		t.Run(version, func(t *testing.T) {
			_, address := hosted(t, "Everything", nil)
			session := connect(t, address, version, nil)
			if got := session.InitializeResult(); got.ProtocolVersion != version || got.ServerInfo.Name != "Everything" {
				t.Errorf("got %+v", got)
			}
			var names []string
			for tool, err := range session.Tools(t.Context(), nil) {
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, tool.Name)
			}
			if !slices.IsSorted(names) || !slices.Contains(names, "greet") || !slices.Contains(names, "ask") {
				t.Errorf("got %q", names)
			}
			if got := text(t, session, "greet", map[string]any{"name": "Ann"}); got != "Hello, Ann!" {
				t.Errorf("got %q", got)
			}
			if got := text(t, session, "test_error_handling", nil); !strings.Contains(got, "(it has failed)") {
				t.Errorf("got %q", got)
			}
			read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "test://template/7/data"})
			if err != nil || !strings.Contains(read.Contents[0].Text, "Data for ID: 7") {
				t.Errorf("got %+v, %v", read, err)
			}
			prompt, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "test_prompt_with_arguments", Arguments: map[string]string{"arg1": "a", "arg2": "b"}})
			if err != nil || !strings.Contains(prompt.Messages[0].Content.(*sdk.TextContent).Text, "arg1='a'") {
				t.Errorf("got %+v, %v", prompt, err)
			}
		})
	}
}

// TestModuleReports has the client of the SDK read a stream of progress.
func TestModuleReports(t *testing.T) {
	_, address := hosted(t, "Everything", nil)
	told := make(chan float64, 8)
	session := connect(t, address, mcp.Version, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { told <- r.Params.Progress },
	})
	params := &sdk.CallToolParams{Name: "test_tool_with_progress"}
	params.SetProgressToken("token")
	got, err := session.CallTool(t.Context(), params)
	if err != nil || got.Content[0].(*sdk.TextContent).Text != "Tool with progress executed." {
		t.Fatalf("got %+v, %v", got, err)
	}
	if sum := <-told + <-told + <-told; sum < 1.5 { // the SDK does not keep their order
		t.Errorf("the progress is %v in all", sum)
	}
}

// TestModuleAsks has the person of the SDK's client answer a question, and the object lose its memory
// between the question and the answer.
func TestModuleAsks(t *testing.T) {
	h, address := hosted(t, "Everything", nil)
	session := connect(t, address, mcp.Version, &sdk.ClientOptions{
		ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			h.Kill()
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ann"}}, nil
		},
	})
	if got := text(t, session, "test_input_required_result_elicitation", nil); got != "Hello, Ann!" {
		t.Errorf("got %q", got)
	}
}

// books is a server of the SDK. It counts calls, and keeps the values of a header.
type books struct {
	mu    sync.Mutex
	calls map[string]int
	sent  map[string]bool
}

func (b *books) ServeHTTP(handler http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		b.sent[r.Header.Get("Authorization")] = true
		b.mu.Unlock()
		handler.ServeHTTP(w, r)
	}
}

func (b *books) count(tool string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls[tool]++
}

// to sends every request to a server, whatever its address is.
type to struct{ address *url.URL }

// RoundTrip implements [http.RoundTripper].
func (t to) RoundTrip(r *http.Request) (*http.Response, error) {
	r.URL.Scheme, r.URL.Host, r.Host = t.address.Scheme, t.address.Host, ""
	return http.DefaultTransport.RoundTrip(r)
}

type lent struct {
	Title string `json:"title"`
}

// TestModuleUses has the agent of the module use a server of the SDK, in both eras: a client of the SDK
// calls the agent, which calls the server.
func TestModuleUses(t *testing.T) {
	for name, stateless := range map[string]bool{"stateless": true, "with sessions": false} {
		t.Run(name, func(t *testing.T) {
			b := &books{calls: map[string]int{}, sent: map[string]bool{}}
			web := httptest.NewServer(b.ServeHTTP(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return b.server() }, &sdk.StreamableHTTPOptions{Stateless: stateless})))
			t.Cleanup(web.Close)
			address, err := url.Parse(web.URL)
			if err != nil {
				t.Fatal(err)
			}
			h, front := hosted(t, "User", to{address})
			session := connect(t, front, mcp.Version, nil)
			if got := text(t, session, "relay", map[string]any{"tool": "lend", "input": map[string]any{"title": "Emma"}}); got != `{"title":"Emma, lent"}` {
				t.Errorf("got %q", got)
			}
			h.Kill()
			if got := text(t, session, "relay", map[string]any{"tool": "fail", "input": map[string]any{}}); !strings.Contains(got, "there is no such book") || !strings.Contains(got, "sdk") {
				t.Errorf("got %q", got)
			}
			if got := text(t, session, "read", nil); got != `["once","about Go"]` {
				t.Errorf("got %q", got)
			}
			b.mu.Lock()
			defer b.mu.Unlock()
			if fmt.Sprint(b.calls) != "map[fail:1 lend:1]" || fmt.Sprint(b.sent) != "map[Bearer kept:true]" {
				t.Errorf("the server was called %v with %v", b.calls, b.sent)
			}
		})
	}
}

func (b *books) server() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "books", Version: "1"}, nil)
	sdk.AddTool(s, &sdk.Tool{Name: "lend"}, func(_ context.Context, _ *sdk.CallToolRequest, in lent) (*sdk.CallToolResult, lent, error) {
		b.count("lend")
		return nil, lent{in.Title + ", lent"}, nil
	})
	sdk.AddTool(s, &sdk.Tool{Name: "fail"}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
		b.count("fail")
		return nil, nil, fmt.Errorf("there is no such book")
	})
	s.AddResource(&sdk.Resource{URI: "book://1", Name: "one"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: "book://1", Text: "once"}}}, nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "about"}, func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: "about " + r.Params.Arguments["topic"]}}}}, nil
	})
	return s
}
