package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// State is how far an agent is with a server. The names are those of the published client.
type State string

// The states.
const (
	NotConnected   State = "not-connected"
	Connecting     State = "connecting"
	Discovering    State = "discovering"
	Ready          State = "ready"
	Authenticating State = "authenticating"
	Failed         State = "failed"
)

// Server is a server.
type Server struct {
	ID, Name, URL string
	// Declared says that the agent's author names the server.
	Declared bool
	State    State
	// Failure says in words why the server cannot be used, or how the last call has failed of one that is
	// ready, of at most [maxFailure] bytes.
	Failure string
	// Version is what the server speaks, "" before it was asked. Session is that of a legacy server.
	Version, Session string
	// Capabilities is JSON as the protocol has it, or "". Instructions are the server's own.
	Capabilities, Instructions string
	// Hash changes with what the server offers. ReadAt is when that was read, in milliseconds since 1970,
	// 0 for never, and StaleAt when it is old.
	Hash            string
	ReadAt, StaleAt int64
	// Offer is what the server offers.
	Offer Offer

	seq   int64
	tries int64
	// shared says that the server is one of the root's, of which this helper has a copy.
	shared bool
}

// Declared is a server that the agent's author names. Its name is its id.
type Declared struct {
	Name, URL string
	Header    []durable.Header
	Client    Client
}

// Limits.
const (
	// MaxServers is how many servers an object can have.
	MaxServers = 64
	// MaxName bounds the name of a server, and maxFailure and maxInstructions what it says, in bytes.
	MaxName                     = 64
	maxFailure, maxInstructions = 300, 4 << 10
	// maxHeaders bounds the headers of a server that a person has added: their number and their size.
	maxHeaders, maxHeaderBytes = 16, 8 << 10
)

// Config is what the servers of an object need of it.
type Config struct {
	Declared []Declared
	// Development says that servers on the own machine can be used.
	Development func() bool
	// Sampling says that servers may ask the agent's model, and Roots that they may ask for folders.
	Sampling, Roots bool
	// Path returns the path of the object as browsers see it, or "" if they cannot reach it. Var returns a
	// variable of the deployment, or "", and HasSecret says whether it has a secret of a name.
	Path      func() string
	Var       func(name string) string
	HasSecret func(name string) bool
	// GoOn has a routine go on of which an await has ended, and TurnGoesOn the turn that waits for servers.
	GoOn       func(tx *durable.Tx, routine string)
	TurnGoesOn func(tx *durable.Tx)
	// Told says whether the model is told of a tool.
	Told func(tx *durable.Tx, server, tool string) bool
	// Above says that the servers are those of the root, and this object is a helper.
	Above bool
	// TellHelpers has helpers told the replies to what they have asked. Shared returns a tool as helpers
	// are told of it, or says that they are not.
	TellHelpers func(tx *durable.Tx)
	Shared      func(s *Server, t Tool) (Tool, bool)
}

// Servers are the servers of an object. They live in memory, and their rows are read when they are first
// needed.
type Servers struct {
	config    Config
	loaded    bool
	list      []*Server
	exchanges map[string]*exchange
	errands   map[string]*errand
	// changed says that browsers have not been told of the latest change, which they were at sentAt.
	changed bool
	sentAt  int64
	// revision counts the changes of what the servers offer.
	revision int
	// below are the requests of helpers that are under way, by the numbers of their rows.
	below map[string]*forwarded
	// sharedHash is that of what a helper knows, and sharedAt when it was told that. impatient says that a
	// turn has waited for it long enough.
	sharedHash string
	sharedAt   int64
	impatient  bool
}

// New returns the servers of an object.
func New(c Config) *Servers {
	return &Servers{config: c, exchanges: map[string]*exchange{}, errands: map[string]*errand{}}
}

// List returns the servers, the declared ones first. The caller must not change them.
func (r *Servers) List(tx *durable.Tx) []*Server {
	r.load(tx)
	return r.list
}

// Revision changes whenever a server offers something else.
func (r *Servers) Revision(tx *durable.Tx) int {
	r.load(tx)
	return r.revision
}

// Tool returns a tool of a server.
func (s *Server) Tool(name string) (Tool, bool) {
	for _, t := range s.Offer.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// MakeStale has a server asked again when a turn needs it.
func (r *Servers) MakeStale(tx *durable.Tx, id string) {
	if s := r.Find(tx, id); s != nil && s.StaleAt > tx.Now {
		s.StaleAt = tx.Now
		s.save(tx)
	}
}

// NoteCall notes how a call of a server has failed that can be used, or "" if it has not.
func (r *Servers) NoteCall(tx *durable.Tx, id, failure string) {
	s := r.Find(tx, id)
	if s == nil || s.State != Ready || s.shared {
		return
	}
	t := r.token(tx, s)
	secrets := []string{t.Access, t.Refresh}
	for _, h := range r.setHeaders(tx, s) {
		_, credential, _ := strings.Cut(h.Value, " ")
		secrets = append(secrets, h.Value, credential)
	}
	if failure = hide(failure, secrets...); failure == s.Failure {
		return
	}
	s.Failure, r.changed = failure, true
	s.save(tx)
}

// Find returns the server with an id, or nil.
func (r *Servers) Find(tx *durable.Tx, id string) *Server {
	for _, s := range r.List(tx) {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// load reads the rows, and compares them with the servers that the author names. A deployment may name
// others than before.
func (r *Servers) load(tx *durable.Tx) {
	if r.loaded {
		return
	}
	r.loaded = true
	if r.config.Above {
		r.loadShared(tx)
		return
	}
	stored := read(tx)
	for _, d := range r.config.Declared {
		i := slices.IndexFunc(stored, func(s *Server) bool { return s.ID == d.Name && s.Declared })
		if i < 0 || stored[i].URL != d.URL {
			r.list = append(r.list, &Server{ID: d.Name, Name: d.Name, URL: d.URL, Declared: true, State: NotConnected})
			continue
		}
		r.list = append(r.list, stored[i])
	}
	for _, s := range stored {
		if !s.Declared {
			r.list = append(r.list, s)
		} else if !slices.Contains(r.list, s) {
			s.delete(tx)
		}
	}
}

// read returns the stored servers. What a damaged row offers is not known.
func read(tx *durable.Tx) (list []*Server) {
	for _, row := range tx.SQL(`SELECT mcp_server.seq, id, name, url, declared, state, failure, version, session, capabilities, instructions,
		hash, read_at, stale_at, tries, body FROM mcp_server LEFT JOIN mcp_catalogue ON mcp_catalogue.seq = mcp_server.seq ORDER BY mcp_server.seq`) {
		s := &Server{
			seq: row.Int(0), ID: row.Text(1), Name: row.Text(2), URL: row.Text(3), Declared: row.Bool(4), State: State(row.Text(5)),
			Failure: row.Text(6), Version: row.Text(7), Session: row.Text(8), Capabilities: string(row.JSON(9)), Instructions: row.Text(10),
			Hash: row.Text(11), ReadAt: row.Int(12), StaleAt: row.Int(13), tries: row.Int(14),
		}
		if body := row.JSON(15); body == nil || json.Unmarshal(body, &s.Offer) != nil {
			s.Offer, s.ReadAt = Offer{}, 0
		}
		list = append(list, s)
	}
	return list
}

// save stores a server. What it offers is stored by [Server.saveOffer].
func (s *Server) save(tx *durable.Tx) {
	if s.shared {
		return
	}
	for _, row := range tx.SQL(`INSERT INTO mcp_server (id, name, url, declared, state, failure, version, session, capabilities, instructions, hash, read_at, stale_at, tries)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url,
		state = excluded.state, failure = excluded.failure, version = excluded.version, session = excluded.session,
		capabilities = excluded.capabilities, instructions = excluded.instructions, hash = excluded.hash, read_at = excluded.read_at,
		stale_at = excluded.stale_at, tries = excluded.tries RETURNING seq`,
		s.ID, s.Name, s.URL, s.Declared, string(s.State), s.Failure, s.Version, s.Session, s.Capabilities, s.Instructions, s.Hash, s.ReadAt, s.StaleAt, s.tries) {
		s.seq = row.Int(0)
	}
}

func (s *Server) saveOffer(tx *durable.Tx, body []byte) {
	tx.SQL(`INSERT INTO mcp_catalogue (seq, body) VALUES (?, ?) ON CONFLICT (seq) DO UPDATE SET body = excluded.body`, s.seq, string(body))
}

// delete deletes all that is stored of a server.
func (s *Server) delete(tx *durable.Tx) {
	tx.SQL(`DELETE FROM mcp_catalogue WHERE seq = ?`, s.seq)
	tx.SQL(`DELETE FROM mcp_server WHERE id = ?`, s.ID)
	tx.SQL(`DELETE FROM mcp_trusted WHERE server = ?`, s.ID)
	tx.SQL(`DELETE FROM mcp_secret WHERE server = ?`, s.ID)
}

// Added is a server that a person adds.
type Added struct {
	Name    string            `json:"name"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	// Client is who the agent is for the server's authorization server, if it was registered there by hand.
	Client Client `json:"client"`
}

// Add adds a server, and asks it what it offers. A server with the same name and URL is asked again, unless
// it waits for a person to sign in.
func (r *Servers) Add(tx *durable.Tx, a Added) (*Server, error) {
	if err := r.check(tx, a); err != nil {
		return nil, err
	}
	s := r.named(tx, a.Name)
	if s != nil && s.State == Authenticating && len(a.Headers) == 0 && a.Client == (Client{}) {
		return s, nil
	}
	if s == nil {
		s = &Server{ID: tx.NewID(), Name: a.Name, URL: a.URL, State: NotConnected}
		r.list = append(r.list, s)
	}
	s.save(tx)
	headers, _ := json.Marshal(a.Headers)
	if len(a.Headers) > 0 {
		keep(tx, s.ID, secretHeaders, string(headers))
	} else {
		forget(tx, s.ID, secretHeaders)
	}
	if a.Client.ID != "" {
		keepJSON(tx, s.ID, secretGiven, a.Client)
	} else {
		forget(tx, s.ID, secretGiven)
	}
	r.beginNow(tx, s)
	return s, nil
}

// named returns the server with a name, or nil.
func (r *Servers) named(tx *durable.Tx, name string) *Server {
	for _, s := range r.List(tx) {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// check says why a server cannot be added.
func (r *Servers) check(tx *durable.Tx, a Added) error {
	if a.Name == "" || mcp.Quote(a.Name, MaxName) != a.Name {
		return fmt.Errorf("a server needs a name of at most %d bytes, in one line", MaxName)
	}
	if err := mcp.CheckURL(a.URL, r.config.Development()); err != nil {
		return err
	}
	if s := r.named(tx, a.Name); s != nil && (s.Declared || s.URL != a.URL) {
		return fmt.Errorf("there is a server named %s already", a.Name)
	} else if s == nil && len(r.list) >= MaxServers {
		return fmt.Errorf("there are %d servers already", MaxServers)
	}
	bytes := 0
	for name, value := range a.Headers {
		if bytes += len(name) + len(value); mcp.Reserved(name) || mcp.Quote(value, maxHeaderBytes) != value {
			return fmt.Errorf("the header %.80q cannot be set", name)
		}
	}
	if c := a.Client; mcp.Quote(c.ID, mcp.MaxURL) != c.ID || len(c.Secret) > maxHeaderBytes || c.ID == "" && c.Secret+c.Issuer != "" || len(c.Issuer) > mcp.MaxURL {
		return errors.New("a client has an id in one line, a secret and an issuer, and both only with an id")
	}
	if len(a.Headers) > maxHeaders || bytes > maxHeaderBytes {
		return fmt.Errorf("a server can have %d headers of %d bytes in all", maxHeaders, maxHeaderBytes)
	}
	return nil
}

// Remove removes a server that was added. Code that waits for it goes on with an error.
func (r *Servers) Remove(tx *durable.Tx, id string) error {
	s := r.Find(tx, id)
	switch {
	case s == nil:
		return unknown(id)
	case s.Declared:
		return errors.New("the server belongs to the agent, and cannot be removed")
	}
	r.stop(tx, s)
	s.delete(tx)
	r.list = slices.DeleteFunc(r.list, func(have *Server) bool { return have == s })
	r.settle(tx, s, "the server was removed")
	r.changed = true
	r.revision++
	return nil
}

// Reconnect asks a server again what it offers.
func (r *Servers) Reconnect(tx *durable.Tx, id string) error {
	s := r.Find(tx, id)
	if s == nil {
		return unknown(id)
	}
	r.beginNow(tx, s)
	return nil
}

func unknown(id string) error { return fmt.Errorf("there is no server %.80q", id) }

// The rest of this file is about what nobody may see.

// The names of secrets: headers that a person has given; the client that was registered by hand, and the one
// that was used last; a token; how far the agent is with signing in; the links that were pressed, each with
// its id behind it.
const (
	secretHeaders = "headers"
	secretGiven   = "given"
	secretClient  = "client"
	secretToken   = "token"
	secretSignIn  = "sign-in"
	secretLink    = "link/"
)

func keepJSON(tx *durable.Tx, server, name string, value any) {
	keep(tx, server, name, string(limit.MustMarshal(value)))
}

func keep(tx *durable.Tx, server, name, value string) {
	tx.SQL(`INSERT INTO mcp_secret (server, name, value) VALUES (?, ?, ?) ON CONFLICT (server, name) DO UPDATE SET value = excluded.value`, server, name, value)
}

func forget(tx *durable.Tx, server, name string) {
	tx.SQL(`DELETE FROM mcp_secret WHERE server = ? AND name = ?`, server, name)
}

func secret(tx *durable.Tx, server, name string) string {
	for _, row := range tx.SQL(`SELECT value FROM mcp_secret WHERE server = ? AND name = ?`, server, name) {
		return row.Text(0)
	}
	return ""
}

// headers returns the headers that are sent to a server, the token last. They may be secret.
func (r *Servers) headers(tx *durable.Tx, s *Server) []durable.Header {
	list := r.setHeaders(tx, s)
	if t := r.token(tx, s); t.Access != "" {
		list = append(list, t.Header())
	}
	return list
}

// setHeaders returns the headers that the author or a person has set.
func (r *Servers) setHeaders(tx *durable.Tx, s *Server) (list []durable.Header) {
	for _, d := range r.config.Declared {
		if s.Declared && d.Name == s.ID {
			list = append(list, d.Header...)
		}
	}
	var added map[string]string
	if json.Unmarshal([]byte(secret(tx, s.ID, secretHeaders)), &added) == nil {
		for _, name := range slices.Sorted(maps.Keys(added)) {
			list = append(list, durable.Header{Name: name, Value: added[name]})
		}
	}
	return list
}

// Endpoint returns where a server is reached now.
func (r *Servers) Endpoint(tx *durable.Tx, s *Server) mcp.Endpoint {
	return mcp.Endpoint{URL: s.URL, Version: s.Version, Session: s.Session, Header: r.headers(tx, s)}
}

// words are those of an error, fit to be shown.
func words(err error) string { return Shown(err.Error()) }

// Shown returns a failure as it is shown.
func Shown(failure string) string { return mcp.Quote(failure, maxFailure) }
