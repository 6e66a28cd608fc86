package worker

import (
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// Prefix is the first path segment of every agent.
const Prefix = "agents"

// MaxName is the longest name of an object, in bytes, as it stands in the path.
const MaxName = 256

// The refusals of Route. An unknown agent is refused over HTTP even for an upgrade, as in the
// published router.
var (
	ErrNotFound     = &Refusal{Status: http.StatusNotFound, Text: "Not found"}
	ErrUnknownAgent = &Refusal{Status: http.StatusBadRequest, Text: "Invalid request", Plain: true}
	ErrLongName     = &Refusal{Status: http.StatusBadRequest, Text: "Invalid request: the name is longer than 256 bytes"}
	ErrControlName  = &Refusal{Status: http.StatusBadRequest, Text: "Invalid request: the name holds a control character"}
)

// Address is the object that a request is for.
type Address struct {
	Agent   string // the path segment, kebab case
	Binding string // the Durable Object binding whose kebab form Agent is
	Name    string // the object's name, raw: exactly the bytes of the path, percent signs included
}

// Table maps an agent's path segment to its binding.
type Table map[string]string

// NewTable returns the table of the given binding names. Of two names with the same kebab form the
// first one wins.
func NewTable(bindings []string) Table {
	t := make(Table, len(bindings))
	for _, binding := range bindings {
		segment := protocol.Kebab(binding)
		if _, taken := t[segment]; !taken && segment != "" {
			t[segment] = binding
		}
	}
	return t
}

// Route returns the object that a URL is for, or a [*Refusal]. A path with an empty segment is not found, see
// [protocol.Segments]. The object itself handles the path behind its name.
func (t Table) Route(u *url.URL) (Address, error) {
	segments, ok := protocol.Segments(rawPath(u))
	if !ok || len(segments) < 3 || segments[0] != Prefix {
		return Address{}, ErrNotFound
	}
	return t.route(segments[1], segments[2])
}

// route returns the object of an agent and a name, which are raw, or a [*Refusal].
func (t Table) route(agent, name string) (Address, error) {
	binding, known := t[agent]
	if !known {
		return Address{}, ErrUnknownAgent
	}
	if err := checkName(name); err != nil {
		return Address{}, err
	}
	return Address{Agent: agent, Binding: binding, Name: name}, nil
}

// isAgents reports whether a path is below that of the agents, whether or not it names one, however many slashes it has.
func isAgents(u *url.URL) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(rawPath(u), "/"), "/")
	return first == Prefix
}

// rawPath returns the path as the client sent it. EscapedPath alone would escape characters such as
// | that browsers leave alone, and the object's name would differ from the published router's.
func rawPath(u *url.URL) string {
	if u.RawPath != "" {
		return u.RawPath
	}
	return u.EscapedPath()
}

func checkName(raw string) error {
	if len(raw) > MaxName {
		return ErrLongName
	}
	decoded, err := url.PathUnescape(raw)
	if err != nil {
		return ErrUnknownAgent
	}
	if strings.ContainsFunc(decoded, unicode.IsControl) {
		return ErrControlName
	}
	return nil
}
