package mcpclient

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// State is how far an agent is with a server. The names are those of the published client.
type State string

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
	// ended says that the server does not know the session any more.
	ended bool
	// shared says that the server is one of the root's, of which this helper has a copy.
	shared bool
}

// Declared is a server that the agent's author names. Its name is its id.
type Declared struct {
	Name, URL string
	Header    []durable.Header
	Client    Client
}

// Client is the agent as an authorization server knows it that has registered it by hand.
type Client struct {
	ID string `json:"id"`
	// Secret is a value, and SecretName the name of a secret of the deployment. At most one of them is set.
	Secret     string `json:"secret,omitempty"`
	SecretName string `json:"-"`
	// Issuer is the authorization server, "" for the first that the server names. A SecretName is used at an Issuer alone.
	Issuer string `json:"issuer,omitempty"`
}

// Limits.
const (
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
	// Asker returns the person for whom the code in this event works, as [PersonOf] does.
	Asker func(tx *durable.Tx) string
	// Paused says whether the run of the object is paused, so that no request begins. It is nil for an object without a
	// run.
	Paused func() bool
	// Resume resumes a routine after an await of it has ended. ResumeTurn resumes the turn that waits for servers.
	Resume     func(tx *durable.Tx, routine string)
	ResumeTurn func(tx *durable.Tx)
	// Offers says whether the model can call a tool itself.
	Offers func(tx *durable.Tx, server, tool string) bool
	// SignIn makes how somebody signs in to the servers. Without it no server can be asked.
	SignIn func(*Servers) SignIn
	// OfRoot says that the servers are those of the root, and this object is a helper.
	OfRoot bool
	// NotifyHelpers sends helpers the replies to their requests. Shared returns a tool as helpers get it, or says that
	// they do not get it.
	NotifyHelpers func(tx *durable.Tx)
	Shared        func(s *Server, t Tool) (Tool, bool)
	// Consents says whether a call of a helper can be made, and fixes for which tool. If not, it returns the reply.
	Consents func(tx *durable.Tx, s *Server, q *Forwarded) (reply Reply, made bool)
}

// Servers are the servers of an object. They live in memory, and their rows are read when they are first
// needed.
type Servers struct {
	config    Config
	loaded    bool
	list      []*Server
	exchanges map[string]*exchange
	signIn    SignIn
	// changed says that browsers have not been told of the latest change, which they were at sentAt.
	changed bool
	sentAt  int64
	// revision counts the changes of what the servers offer.
	revision int
	// unasked says that what begins now is asked
	// for by nobody.
	unasked bool
	// relayed are the requests of helpers that are under way, by the numbers of their rows.
	relayed map[string]*forwarded
	// sharedHash is that of what a helper knows, and sharedAt when it was told that. impatient says that a
	// turn has waited for it long enough.
	sharedHash string
	sharedAt   int64
	impatient  bool
}

// New returns the servers of an object.
func New(c Config) *Servers {
	r := &Servers{config: c, exchanges: map[string]*exchange{}}
	if c.SignIn != nil {
		r.signIn = c.SignIn(r)
	}
	return r
}

// Declared are the servers that the agent's author names.
func (r *Servers) Declared() []Declared { return r.config.Declared }

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

// Find returns the server with an id, or nil.
func (r *Servers) Find(tx *durable.Tx, id string) *Server {
	for _, s := range r.List(tx) {
		if s.ID == id {
			return s
		}
	}
	return nil
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
		s.Save(tx)
	}
}

// NoteCall notes how a call of a server has failed that can be used, or "" if it has not.
func (r *Servers) NoteCall(tx *durable.Tx, id, failure string) {
	s := r.Find(tx, id)
	if s == nil || s.State != Ready || s.shared {
		return
	}
	secrets := r.signIn.Secrets(tx, s)
	for _, h := range r.SetHeaders(tx, s) {
		_, credential, _ := strings.Cut(h.Value, " ")
		secrets = append(secrets, h.Value, credential)
	}
	if failure = Hide(failure, secrets...); failure == s.Failure {
		return
	}
	s.Failure, r.changed = failure, true
	s.Save(tx)
}

// SessionMark returns what tells the session with a server from others, "" for none. Unlike its id it is no secret.
func (s *Server) SessionMark() string {
	if s.Session == "" {
		return ""
	}
	return Digest(s.Session)[:8]
}

// Endpoint returns where a server is reached now.
func (r *Servers) Endpoint(tx *durable.Tx, s *Server) mcp.Endpoint {
	return mcp.Endpoint{URL: s.At(), Version: s.Version, Session: s.Session, Header: r.headers(tx, s)}
}

func unknown(id string) error { return fmt.Errorf("there is no server %.80q", id) }

// Words are those of an error, fit to be shown.
func Words(err error) string { return Shown(err.Error()) }

// Shown returns a failure as it is shown.
func Shown(failure string) string { return mcp.Quote(failure, maxFailure) }

// Busy says whether something is under way that is lost with the memory.
func (r *Servers) Busy() bool {
	for _, x := range r.exchanges {
		if !x.rests {
			return true
		}
	}
	return r.signIn.Count()+len(r.relayed) > 0
}

// Bytes is roughly how much memory the servers take.
func (r *Servers) Bytes() (n int) {
	for _, s := range r.list {
		n += 512
		for _, t := range s.Offer.Tools {
			n += 256 + len(t.Description) + len(t.Input) + len(t.Output)
		}
	}
	return n
}

// Hide returns words without secrets, fit to be shown: an authorization server may repeat what it was sent.
func Hide(text string, secrets ...string) string {
	for _, s := range secrets {
		if len(s) >= 4 {
			text = strings.ReplaceAll(text, s, "…")
		}
	}
	return mcp.Quote(text, maxFailure)
}

// Digest returns the SHA-256 of a text, in hexadecimal.
func Digest(text string) string {
	sum := sha256.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// IsAsked says whether a server is being asked what it offers.
func (r *Servers) IsAsked(id string) bool { return r.exchanges[id] != nil }

// NoteChange has browsers be told of a change.
func (r *Servers) NoteChange() { r.changed = true }

// WaitForSignIn has a server wait for a person to sign in. why is what has failed before, or "".
func (r *Servers) WaitForSignIn(tx *durable.Tx, s *Server, why string) {
	s.State, s.Failure, s.tries = Authenticating, Shown(why), 0
	s.Save(tx)
	r.changed = true
	r.EndWaitsOfCode(tx, s)
	r.ReplyOffers(tx)
	r.ReleaseTurn(tx)
}

// BeginSignedIn asks a server what it offers behind a new token, quietly if it is ready. It asks for asker, and as the
// exchange that began at begun if a turn has waited for that one.
func (r *Servers) BeginSignedIn(tx *durable.Tx, s *Server, asker string, begun int64, first bool) {
	r.begin(tx, s, s.State == Ready)
	x := r.exchanges[s.ID]
	if x == nil {
		return
	}
	if x.asker = asker; first {
		x.begun = begun
	}
}

// Known are the servers that this life has needed.
func (r *Servers) Known() []*Server { return r.list }
