package judge_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// shop is a server of the SDK.
func shop() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "shop", Version: "2"}, &sdk.ServerOptions{
		Instructions: "be polite", PageSize: 2,
		CompletionHandler: func(_ context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{r.Params.Argument.Value + "da"}, Total: 1}}, nil
		},
	})
	type sum struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	sdk.AddTool(s, &sdk.Tool{Name: "add", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *sdk.CallToolRequest, in sum) (*sdk.CallToolResult, struct {
			Sum int `json:"sum"`
		}, error,
		) {
			return nil, struct {
				Sum int `json:"sum"`
			}{in.A + in.B}, nil
		})
	sdk.AddTool(s, &sdk.Tool{Name: "fail"}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
		return nil, nil, errors.New("no luck")
	})
	s.AddTool(&sdk.Tool{Name: "ship", InputSchema: parsedSchema}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(r.Params.Arguments)}}}, nil
	})
	sdk.AddTool(s, &sdk.Tool{Name: "slow"}, func(ctx context.Context, r *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
		for i := range 3 {
			note := &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3}
			_ = r.Session.NotifyProgress(ctx, note) // fails where the answer is no stream
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "done"}}}, nil, nil
	})
	sdk.AddTool(s, &sdk.Tool{Name: "book"}, book)
	s.AddPrompt(&sdk.Prompt{Name: "greet", Arguments: []*sdk.PromptArgument{{Name: "whom", Required: true}}},
		func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			text := &sdk.TextContent{Text: "greet " + r.Params.Arguments["whom"]}
			return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: text}}}, nil
		})
	read := func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		if r.Params.URI == "note://2" {
			return nil, sdk.ResourceNotFoundError(r.Params.URI)
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{
			{URI: r.Params.URI, MIMEType: "text/plain", Text: "hello"}, {URI: r.Params.URI, Blob: []byte{0, 1}},
		}}, nil
	}
	s.AddResource(&sdk.Resource{Name: "one", URI: "note://1", MIMEType: "text/plain"}, read)
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "note", URITemplate: "note://{id}"}, read)
	return s
}

var parsedSchema = map[string]any{"type": "object", "properties": map[string]any{
	"region": map[string]any{"type": "string", "x-mcp-header": "Region"},
	"box":    map[string]any{"type": "object", "properties": map[string]any{"count": map[string]any{"type": "integer", "x-mcp-header": "Count"}}},
}}

// book asks for a seat, and then for the name.
func book(_ context.Context, r *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
	answer, answered := r.Params.InputResponses["seat"].(*sdk.ElicitResult)
	if !answered {
		schema := map[string]any{"type": "object", "properties": map[string]any{"row": map[string]any{"type": "integer"}}}
		return &sdk.CallToolResult{
			InputRequests: sdk.InputRequestMap{"seat": &sdk.ElicitParams{Message: "which seat?", RequestedSchema: schema}}, RequestState: "opaque \u00fc",
		}, nil, nil
	}
	if answer.Action != "accept" || r.Params.RequestState != "opaque \u00fc" {
		return nil, nil, errors.New(answer.Action + " " + r.Params.RequestState)
	}
	row, _ := answer.Content["row"].(float64)
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "row " + string(rune('0'+int(row)))}}}, nil, nil
}

// visit starts a server of the SDK and returns a client of ours.
func visit(t *testing.T, options *sdk.StreamableHTTPOptions) *peer {
	server := shop()
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, options))
	t.Cleanup(web.Close)
	caller := mcp.Caller{Info: mcp.Info{Name: "tributary", Version: "1"}, Capabilities: mcp.ClientCapabilities{Form: true}}
	return &peer{t: t, endpoint: mcp.Endpoint{URL: web.URL, Version: mcp.Version}, caller: caller}
}

// TestClient does all that a client can do, in the modern era as JSON and as events, and in the legacy era.
func TestClient(t *testing.T) {
	for name, test := range map[string]struct {
		options sdk.StreamableHTTPOptions
		version string
	}{
		"events":            {sdk.StreamableHTTPOptions{Stateless: true}, mcp.Version},
		"JSON":              {sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true}, mcp.Version},
		"legacy":            {sdk.StreamableHTTPOptions{}, mcp.LegacyVersion},
		"legacy, stateless": {sdk.StreamableHTTPOptions{Stateless: true}, "2025-06-18"},
	} {
		t.Run(name, func(t *testing.T) {
			p := visit(t, &test.options)
			if test.version == mcp.Version {
				probe := p.begin()
				if probe.Next != mcp.NextModern || !probe.Discovered.Capabilities.Tools || probe.Discovered.Instructions != "be polite" || probe.Discovered.Server.Name != "shop" {
					t.Fatalf("got %+v", probe)
				}
			} else {
				p.handshake(test.version)
			}
			lists(t, p)
			calls(t, p)
		})
	}
}

func lists(t *testing.T, p *peer) {
	var catalogue mcp.Catalogue
	ask := mcp.List{What: mcp.MethodTools}
	for {
		next, err := catalogue.Add(p.call(ask, nil).(mcp.Tools))
		if err != nil {
			t.Fatal(err)
		}
		if ask.Cursor = next; next == nil {
			break
		}
	}
	names := ""
	for _, l := range catalogue.Tools {
		names += l.Tool.Name + " "
	}
	if names != "add book fail ship slow " || len(catalogue.Left) != 0 || catalogue.Tools[0].Tool.Hints.ReadOnly != mcp.Yes || len(catalogue.Tools[3].Params) != 2 {
		t.Errorf("got %s, %v", names, catalogue.Left)
	}
	if got := p.call(mcp.List{What: mcp.MethodPrompts}, nil).(mcp.Prompts); len(got.Prompts) != 1 || !got.Prompts[0].Arguments[0].Required {
		t.Errorf("got %+v", got)
	}
	if got := p.call(mcp.List{What: mcp.MethodResources}, nil).(mcp.Resources); len(got.Resources) != 1 || got.Resources[0].URI != "note://1" {
		t.Errorf("got %+v", got)
	}
	if got := p.call(mcp.List{What: mcp.MethodTemplates}, nil).(mcp.Templates); len(got.Templates) != 1 || got.Templates[0].Template != "note://{id}" {
		t.Errorf("got %+v", got)
	}
	if got := p.call(mcp.GetPrompt{Name: "greet", Arguments: parsed(t, `{"whom":"Ada"}`)}, nil).(mcp.PromptResult); got.Messages[0].Content.Text != "greet Ada" {
		t.Errorf("got %+v", got)
	}
	if got := p.call(mcp.ReadResource{URI: "note://1"}, nil).(mcp.ReadResult); *got.Contents[0].Text != "hello" || *got.Contents[1].Blob != "AAE=" {
		t.Errorf("got %+v", got)
	}
	if e, _ := p.fails(mcp.ReadResource{URI: "note://2"}, nil); e.Code != mcp.CodeInvalidParams && e.Code != mcp.CodeLegacyNoResource {
		t.Errorf("got %v", e)
	}
	if got := p.call(mcp.Complete{Prompt: "greet", Argument: "whom", Begun: "A"}, nil).(mcp.Completion); got.Values[0] != "Ada" {
		t.Errorf("got %+v", got)
	}
}

func calls(t *testing.T, p *peer) {
	if got := p.call(mcp.CallTool{Name: "add", Arguments: parsed(t, `{"a":1,"b":2}`)}, nil).(mcp.CallResult); got.Structured.Get("sum").JSON() != "3" || got.Failed {
		t.Errorf("got %+v", got)
	}
	if got := p.call(mcp.CallTool{Name: "fail"}, nil).(mcp.CallResult); !got.Failed || got.Content[0].Text != "no luck" {
		t.Errorf("got %+v", got)
	}
	if e, _ := p.fails(mcp.CallTool{Name: "dance"}, nil); e.Code != mcp.CodeInvalidParams {
		t.Errorf("got %v", e)
	}
	p.caller.Progress = mcp.TextID("token")
	p.notes = nil
	slow := p.call(mcp.CallTool{Name: "slow"}, nil).(mcp.CallResult)
	p.caller.Progress = mcp.ID{}
	if slow.Content[0].Text != "done" {
		t.Errorf("got %+v", slow)
	}
	for i, note := range p.notes {
		if progress, ok := note.(mcp.Progress); !ok || progress.Done != float64(i+1) || progress.Token != mcp.TextID("token") {
			t.Errorf("got %+v", note)
		}
	}
}

// TestClientProgress shows that the notifications come, where the server sends events.
func TestClientProgress(t *testing.T) {
	p := visit(t, &sdk.StreamableHTTPOptions{Stateless: true})
	p.caller.Progress = mcp.NumberID(5)
	p.call(mcp.CallTool{Name: "slow"}, nil)
	if len(p.notes) != 3 {
		t.Errorf("got %+v", p.notes)
	}
}

// TestClientParams shows that the SDK takes our headers, and that it notices when one is missing.
func TestClientParams(t *testing.T) {
	p := visit(t, &sdk.StreamableHTTPOptions{Stateless: true})
	params := []mcp.Param{{Header: "Region", Path: []string{"region"}}, {Header: "Count", Path: []string{"box", "count"}}}
	for _, arguments := range []string{
		`{"region":"us-west1","box":{"count":42}}`, `{"region":"s\u00fcd \u4e16","box":{"count":-7}}`, `{"region":" padded ","box":{}}`, `{"region":"a\r\nb"}`,
		`{"region":"=?base64?YQ==?="}`, `{"region":""}`, `{"region":null}`, `{}`,
	} {
		call := mcp.CallTool{Name: "ship", Arguments: parsed(t, arguments)}
		if got := p.call(call, params).(mcp.CallResult); got.Content[0].Text != arguments {
			t.Errorf("got %s, want %s", got.Content[0].Text, arguments)
		}
	}
	call := mcp.CallTool{Name: "ship", Arguments: parsed(t, `{"region":"a"}`)}
	if e, status := p.fails(call, nil); e.Code != mcp.CodeHeader || status != 400 {
		t.Errorf("got %d, %v", status, e)
	}
}

// TestClientInput answers a question by a repeated call, and in the legacy era on the open stream.
func TestClientInput(t *testing.T) {
	p := visit(t, &sdk.StreamableHTTPOptions{Stateless: true})
	call := mcp.CallTool{Name: "book"}
	required := p.call(call, nil).(mcp.InputRequired)
	form, ok := required.Requests[0].Ask.(mcp.Elicit)
	if !ok || form.Message != "which seat?" || !form.Schema.Get("properties").Get("row").Exists() || *required.State != "opaque \u00fc" {
		t.Fatalf("got %+v", required)
	}
	answer := mcp.ElicitResult{Action: mcp.Accept, Content: parsed(t, `{"row":4}`)}
	again, _ := mcp.Repeat(call, mcp.Resume{Responses: []mcp.InputResponse{mcp.Respond("seat", answer)}, State: required.State})
	if got := p.call(again, nil).(mcp.CallResult); got.Content[0].Text != "row 4" {
		t.Errorf("got %+v", got)
	}

	legacy := visit(t, &sdk.StreamableHTTPOptions{})
	legacy.handshake(mcp.LegacyVersion)
	legacy.ask = func(ask mcp.Ask) mcp.Answer {
		if e, ok := ask.(mcp.Elicit); !ok || e.Message != "which seat?" {
			t.Errorf("got %+v", ask)
		}
		return answer
	}
	if got := legacy.call(call, nil).(mcp.CallResult); got.Content[0].Text != "row 4" {
		t.Errorf("got %+v", got)
	}
	if response := legacy.send(legacy.endpoint.Close()); response.StatusCode != 204 {
		t.Errorf("the session ends with %d", response.StatusCode)
	}
	if _, status := legacy.exchange(call, nil); status != 404 {
		t.Errorf("got %d for a session that has ended", status)
	}
}

// TestClientVersions shows which errors the SDK answers with, and what a client makes of them.
func TestClientVersions(t *testing.T) {
	p := visit(t, &sdk.StreamableHTTPOptions{Stateless: true})
	p.endpoint.Version = "2099-01-01"
	answer, status := p.exchange(mcp.Discover{}, nil)
	probe, err := mcp.ReadProbe(p.endpoint.Version, false, status, answer)
	if err != nil || probe.Next != mcp.NextAgain || probe.Version != mcp.Version || status != 400 {
		t.Errorf("got %+v, %v, %d", probe, err, status)
	}

	p.endpoint.Version = mcp.Version
	if e, status := p.fails(mcp.Ping{}, nil); e.Code != mcp.CodeNoMethod || status != 404 {
		t.Errorf("got %d, %v", status, e)
	}

	old := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server {
		return sdk.NewServer(&sdk.Implementation{Name: "old", Version: "1"}, &sdk.ServerOptions{SupportedProtocolVersions: []string{"2025-06-18"}})
	}, nil))
	defer old.Close()
	p.endpoint.URL = old.URL
	if probe := p.begin(); probe.Next != mcp.NextHandshake || !strings.HasPrefix(p.endpoint.Version, "2025-") {
		t.Errorf("got %+v, %s", probe, p.endpoint.Version)
	}
}
