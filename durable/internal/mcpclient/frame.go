package mcpclient

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// frameEvery is the shortest time between two frames, in milliseconds, and maxFrame the size of one, in
// bytes.
const (
	frameEvery = 200
	maxFrame   = 512 << 10
)

// The frame of the published client. Its fields are null where there is nothing.
type (
	frame struct {
		Type string `json:"type"`
		MCP  state  `json:"mcp"`
	}
	state struct {
		Servers   map[string]shownServer `json:"servers"`
		Tools     []shownTool            `json:"tools"`
		Prompts   []shownPrompt          `json:"prompts"`
		Resources []shownResource        `json:"resources"`
	}
	shownServer struct {
		Name         string          `json:"name"`
		URL          string          `json:"server_url"`
		AuthURL      *string         `json:"auth_url"`
		State        State           `json:"state"`
		Error        *string         `json:"error"`
		Instructions *string         `json:"instructions"`
		Capabilities json.RawMessage `json:"capabilities"`
		Left         []Left          `json:"left_out,omitempty"`
	}
	shownTool struct {
		Server      string          `json:"serverId"`
		Name        string          `json:"name"`
		Title       string          `json:"title,omitempty"`
		Description string          `json:"description,omitempty"`
		Input       json.RawMessage `json:"inputSchema"`
		Changed     bool            `json:"changed,omitempty"`
		Adjusted    []string        `json:"adjusted,omitempty"`
	}
	shownPrompt struct {
		Server string `json:"serverId"`
		Prompt
	}
	shownResource struct {
		Server string `json:"serverId"`
		Resource
	}
)

// noSchema is shown in place of a schema for which the frame has no room.
var noSchema = json.RawMessage(`{"type":"object"}`)

// Frame returns the frame that tells a browser of a person of the servers. What has no room is left out: first the
// descriptions, then the schemas of tools that the model is not told of, then all schemas, then resources,
// prompts and tools.
func (r *Servers) Frame(tx *durable.Tx, who string) string {
	f := frame{Type: "cf_agent_mcp_servers", MCP: state{Servers: map[string]shownServer{}, Tools: []shownTool{}, Prompts: []shownPrompt{}, Resources: []shownResource{}}}
	for _, s := range r.List(tx) {
		f.MCP.Servers[s.ID] = s.shown(r.signIn.AuthURL(tx, s, who))
		for _, t := range s.Offer.Tools {
			f.MCP.Tools = append(f.MCP.Tools, shownTool{s.ID, t.Name, t.Title, t.Description, t.Input, t.Changed, t.Adjusted})
		}
		for _, p := range s.Offer.Prompts {
			f.MCP.Prompts = append(f.MCP.Prompts, shownPrompt{s.ID, p})
		}
		for _, o := range s.Offer.Resources {
			f.MCP.Resources = append(f.MCP.Resources, shownResource{s.ID, o})
		}
	}
	for _, cut := range []func(){
		func() {},
		func() { f.MCP.shorten(func(t *shownTool) { t.Description, t.Adjusted = "", nil }) },
		func() {
			f.MCP.shorten(func(t *shownTool) {
				if !r.config.Offers(tx, t.Server, t.Name) {
					t.Input = noSchema
				}
			})
		},
		func() { f.MCP.shorten(func(t *shownTool) { t.Input = noSchema }) },
		func() { f.MCP.Resources, f.MCP.Prompts = []shownResource{}, []shownPrompt{} },
	} {
		cut()
		if text := limit.MustMarshal(f); len(text) <= maxFrame {
			return string(text)
		}
	}
	for len(f.MCP.Tools) > 0 {
		f.MCP.Tools = f.MCP.Tools[:len(f.MCP.Tools)/2]
		if text := limit.MustMarshal(f); len(text) <= maxFrame {
			return string(text)
		}
	}
	return string(limit.MustMarshal(f))
}

func (m state) shorten(f func(t *shownTool)) {
	for i := range m.Tools {
		f(&m.Tools[i])
	}
}

func (s *Server) shown(authURL string) shownServer {
	return shownServer{
		Name: s.Name, URL: s.URL, AuthURL: some(authURL), State: s.State, Error: some(s.Failure), Instructions: some(s.Instructions),
		Capabilities: rawOrNull(s.Capabilities), Left: s.Offer.Left,
	}
}

func some(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func rawOrNull(text string) json.RawMessage {
	if text == "" {
		return json.RawMessage("null")
	}
	return json.RawMessage(text)
}

// News says whether all browsers are to be sent the frame. It is false if nothing has changed, or if the frame
// has to wait. It is called at the end of an event.
func (r *Servers) News(tx *durable.Tx) bool {
	switch {
	case !r.changed:
		return false
	case r.sentAt > 0 && tx.Now < r.sentAt+frameEvery:
		r.changed = false
		tx.Schedule(DueFrame, "", r.sentAt+frameEvery)
		return false
	}
	r.changed, r.sentAt = false, tx.Now
	return true
}
