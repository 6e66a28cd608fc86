package agent

import (
	"errors"

	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
)

// ServerInfo is what the method mcpServers returns of a server. Its JSON is public.
type ServerInfo struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	URL  string `json:"url"`
	// Declared says that the server is the agent's own, and cannot be removed.
	Declared bool `json:"declared,omitempty"`
	// State is not-connected, connecting, discovering, ready, authenticating or failed, and Error says
	// what has failed.
	State string `json:"state"`
	Error string `json:"error,omitempty"`
	// AuthURL is the link by which a person signs in, while the state is authenticating. It begins with a
	// slash. If the person is known who has asked, nobody else is told it.
	AuthURL string `json:"authUrl,omitempty"`
	// Version is that of the protocol, "" before the server was asked.
	Version string `json:"version,omitempty"`
	// ReadAt is when the server has said what it offers, in milliseconds since 1970, or 0.
	ReadAt int64 `json:"readAt,omitempty"`
	// Tools are the names of its tools, and Changed those of the tools that have changed.
	Tools   []string `json:"tools"`
	Changed []string `json:"changed,omitempty"`
	// Adjusted lists, for each tool whose schema was changed, the changes in words: what was added, folded into one, renamed
	// or left out. A provider refuses a request for one schema that it does not take.
	Adjusted map[string][]string `json:"adjusted,omitempty"`
	// LeftOut are tools that cannot be used, at most 16.
	LeftOut []LeftOutTool `json:"leftOut,omitempty"`
}

// LeftOutTool is a tool of a server that is not used, and why.
type LeftOutTool struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

func serverInfoOf(s *mcpclient.Server) ServerInfo {
	i := ServerInfo{
		ID: s.ID, Name: s.Name, URL: s.URL, Declared: s.Declared, State: string(s.State), Error: s.Failure,
		Version: s.Version, ReadAt: s.ReadAt, Tools: []string{},
	}
	for _, t := range s.Offer.Tools {
		i.Tools = append(i.Tools, t.Name)
		if t.Changed {
			i.Changed = append(i.Changed, t.Name)
		}
		if t.Adjusted != nil {
			if i.Adjusted == nil {
				i.Adjusted = map[string][]string{}
			}
			i.Adjusted[t.Name] = t.Adjusted
		}
	}
	for _, left := range s.Offer.Left {
		i.LeftOut = append(i.LeftOut, LeftOutTool(left))
	}
	return i
}

// Method implements [author.Servers].
func (s *servers) Method(name string) any {
	if s.IsOfRoot() && name != "mcpServers" { // these are for the root
		return nil
	}
	switch name {
	case "addMcpServer":
		return Method(s.add)
	case "removeMcpServer":
		return Method(s.remove)
	case "mcpServers":
		return Method(s.list)
	case "reconnectMcpServer":
		return Method(s.reconnect)
	}
	return nil
}

// Methods implements [author.Servers].
func (s *servers) Methods() []string {
	if !s.editable {
		return []string{"mcpServers", "reconnectMcpServer"}
	}
	return []string{"addMcpServer", "mcpServers", "reconnectMcpServer", "removeMcpServer"}
}

// errNotEditable is the error of clients that want to change the servers of an agent.
var errNotEditable = errors.New("the servers of this agent cannot be changed")

// add is the method addMcpServer. Its argument is {name, url, headers?, client?}, and its result {id, state,
// authUrl?}.
func (s *servers) add(call *Call) (any, error) {
	var a mcpclient.Added
	if err := call.Arg(0, &a); err != nil {
		return nil, err
	}
	if !s.editable {
		return nil, errNotEditable
	}
	a.By = claims.Person(call.acting())
	added, err := s.Add(call.tx, a)
	if err != nil {
		return nil, err
	}
	return struct {
		ID      string `json:"id"`
		State   string `json:"state"`
		AuthURL string `json:"authUrl,omitempty"`
	}{added.ID, string(added.State), s.AuthURL(call.tx, added, mcpclient.PersonOf(call.acting()))}, nil
}

// remove is the method removeMcpServer. Its argument is the id.
func (s *servers) remove(call *Call) (any, error) {
	if !s.editable {
		return nil, errNotEditable
	}
	return about(call, func(id string) (any, error) { return nil, s.Remove(call.tx, id) })
}

// list is the method mcpServers.
func (s *servers) list(call *Call) (any, error) {
	list := []ServerInfo{}
	for _, r := range s.List(call.tx) {
		info := serverInfoOf(r)
		info.AuthURL = s.AuthURL(call.tx, r, mcpclient.PersonOf(call.acting()))
		list = append(list, info)
	}
	return list, nil
}

// reconnect is the method reconnectMcpServer. Its argument is the id.
func (s *servers) reconnect(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, s.Reconnect(call.tx, id) })
}
