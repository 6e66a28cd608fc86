// Package login is the authorization server of a simulated world, and the people who sign in there. It fails as
// authorization servers do. Each code is good once, each refresh token is good once, and tokens end.
package login

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/mode"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/reply"
	"github.com/tributary-agents/tributary/durable/mcp/oauth"
)

// Server is the authorization server of one root, with the people who come to it.
type Server struct {
	Config
	seed uint32
	// asked counts the requests by their addresses, and made counts what was given a name.
	asked map[string]int
	made  int
	// clients are those that have registered, with their secrets. codes, tokens and refreshes are those that
	// are good.
	clients   map[string]string
	codes     map[string]grant
	tokens    map[string]grant
	refreshes map[string]grant
	// told are the codes and refresh tokens whose final answer an object has taken.
	told map[string]bool
	// visits are the people who have pressed a link, in order.
	visits []*visit
}

// Config is what the server needs of its world.
type Config struct {
	*reply.Sender
	Mode *mode.Mode
	// Wrong is called with what a client does that it must not do.
	Wrong func(words string)
}

// New returns the server of a seed.
func New(seed uint32, c Config) *Server {
	return &Server{
		Config: c, seed: seed, asked: map[string]int{}, clients: map[string]string{}, codes: map[string]grant{}, tokens: map[string]grant{},
		refreshes: map[string]grant{}, told: map[string]bool{},
	}
}

// grant is what a person has granted.
type grant struct {
	client, challenge, redirect string
	scopes                      []string
	// until is when a token ends.
	until int64
}

// request is a request to the server.
type request struct {
	reply.To
	url  string
	form url.Values
}

// object is JSON.
type object = map[string]any

// fates are what becomes of a request that is not simply answered.
var fates = dice.Options{
	{"unsent", 3}, {"busy", 3}, {"silent", 1}, {"lost", 3}, {"page", 2}, {"forgotten", 3}, {"refused", 2},
}

// Serve takes a request. It is answered when it arrives, which is later.
func (s *Server) Serve(slot string, f durable.Fetch) {
	q := request{To: reply.To{Slot: slot, Fetch: f.Fetch}, url: f.URL}
	q.form, _ = url.ParseQuery(string(f.Body))
	if s.told[q.form.Get("code")] || s.told[q.form.Get("refresh_token")] {
		s.Wrong("the authorization server is sent what it has answered for good: " + string(f.Body))
	}
	d := dice.New(s.seed, "login", q.url, strconv.Itoa(s.asked[q.url]))
	s.asked[q.url]++
	fate := ""
	if !s.Mode.Settling && d.Chance(6) {
		fate = d.Pick(fates)
	}
	s.Lanes.Drop(q.Lane())
	s.Lanes.Post(q.Lane(), func() { s.arrive(q, fate, d) })
}

// arrive makes a request arrive.
func (s *Server) arrive(q request, fate string, d dice.Dice) {
	isToken := q.url == contract.LoginServer+"/token"
	switch fate {
	case "unsent":
		s.Fail(q.To, "connection refused")
		return
	case "busy":
		s.reply(q, 503, "later")
		return
	case "silent":
		s.Keep(q.To)
		return
	case "page":
		if isToken { // without a document, the vault itself would be the authorization server
			s.reply(q, 200, "<html>")
			return
		}
	case "forgotten":
		delete(s.clients, q.form.Get("client_id"))
	case "refused":
		if isToken {
			s.refuse(q, "invalid_grant")
			return
		}
	}
	status, body := s.answer(q, d)
	if fate == "lost" {
		s.Fail(q.To, "connection reset")
		return
	}
	s.reply(q, status, body)
}

func (s *Server) refuse(q request, code string) {
	s.reply(q, 400, text(object{"error": code, "error_description": "no: " + q.form.Get("code") + q.form.Get("refresh_token")}))
}

func text(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic("login: " + err.Error())
	}
	return string(body)
}

// answer answers a request that the server serves.
func (s *Server) answer(q request, d dice.Dice) (status int, body string) {
	switch q.url {
	case contract.VaultDocument:
		return 200, text(object{"resource": contract.ServerURL(contract.Vault), "authorization_servers": []string{contract.LoginServer}})
	case contract.LoginServer + "/.well-known/oauth-authorization-server":
		return 200, text(object{
			"issuer": contract.LoginServer, "authorization_endpoint": contract.LoginServer + "/authorize", "token_endpoint": contract.LoginServer + "/token",
			"registration_endpoint": contract.LoginServer + "/register", "code_challenge_methods_supported": []string{"S256"},
			"token_endpoint_auth_methods_supported": []string{"client_secret_post"}, "authorization_response_iss_parameter_supported": true,
		})
	case contract.LoginServer + "/register":
		id := s.name("client")
		s.clients[id] = s.secret("client")
		return 201, text(object{"client_id": id, "client_secret": s.clients[id]})
	case contract.LoginServer + "/token":
		return s.token(q, d)
	}
	return 404, "<html>"
}

// token makes a code, or a refresh token, a token.
func (s *Server) token(q request, d dice.Dice) (status int, body string) {
	var g grant
	var good bool
	switch q.form.Get("grant_type") {
	case "authorization_code":
		code := q.form.Get("code")
		g, good = s.codes[code]
		delete(s.codes, code)
		if strings.HasPrefix(code, foreign) {
			s.Wrong("a code is used that a stranger has brought: " + code)
		}
		if good && (oauth.S256(q.form.Get("code_verifier")) != g.challenge || q.form.Get("redirect_uri") != g.redirect) {
			s.Wrong("a code is sent with another verifier or address than it was asked for with: " + q.form.Encode())
		}
	case "refresh_token":
		g, good = s.refreshes[q.form.Get("refresh_token")]
		delete(s.refreshes, q.form.Get("refresh_token"))
	}
	secret, known := s.clients[q.form.Get("client_id")]
	switch {
	case q.form.Get("resource") != contract.ServerURL(contract.Vault):
		s.Wrong("a token is asked for, and for another server than it is for: " + q.form.Encode())
	case known && secret != q.form.Get("client_secret"):
		s.Wrong("a client sends the secret " + q.form.Get("client_secret"))
	}
	switch {
	case !known:
		return 401, text(object{"error": "invalid_client"})
	case !good || g.client != q.form.Get("client_id"):
		return 400, text(object{"error": "invalid_grant", "error_description": "no: " + q.form.Get("code") + q.form.Get("refresh_token")})
	}
	seconds := int64(60 * (1 + d.Under(60)))
	if s.Mode.Settling {
		seconds = 90 * 86_400
	}
	g.until = s.World.Now() + seconds*1000
	access := s.secret("access")
	s.tokens[access] = g
	fields := object{"access_token": access, "token_type": "Bearer", "expires_in": seconds, "scope": strings.Join(g.scopes, " ")}
	if !d.Chance(3) {
		refresh := s.secret("refresh")
		s.refreshes[refresh] = g
		fields["refresh_token"] = refresh
	}
	return 200, text(fields)
}

// name returns a new name, and secret one that nobody may see.
func (s *Server) name(of string) string {
	s.made++
	return of + "-" + strconv.Itoa(s.made)
}

func (s *Server) secret(of string) string { return contract.TokenMark + "-" + s.name(of) }

// Scopes returns what a token is good for. ok is false if it is not good. A token that the server has never
// given is reported.
func (s *Server) Scopes(header string) (scopes []string, ok bool) {
	access, _ := strings.CutPrefix(header, "Bearer ")
	g, ok := s.tokens[access]
	if !ok && header != "" && !strings.HasPrefix(access, contract.TokenMark+"-access-") {
		s.Wrong("the server " + contract.Vault + " is sent the token " + header)
	}
	return g.scopes, ok && s.World.Now() < g.until
}

// Revoke makes a token useless, and sometimes also what it is renewed with.
func (s *Server) Revoke(header string, d dice.Dice) {
	delete(s.tokens, strings.TrimPrefix(header, "Bearer "))
	if d.Chance(2) {
		clear(s.refreshes)
	}
}

// reply sends an answer. A final one about a code or a refresh token is noted when the object has taken it.
func (s *Server) reply(q request, status int, body string) {
	s.Whole(q.To, status, "application/json", body, func() {
		for _, name := range []string{"code", "refresh_token"} {
			if what := q.form.Get(name); what != "" && (status == 200 && json.Valid([]byte(body)) || status == 400) {
				s.told[what] = true
			}
		}
	})
}

// authorize is what a person does at the server: it returns a code for what a link asks for.
func (s *Server) authorize(location string) (code, state string) {
	u, err := url.Parse(location)
	q := u.Query()
	switch {
	case err != nil || !strings.HasPrefix(location, contract.LoginServer+"/authorize?"):
		s.Wrong("a person is sent on to " + location)
		return "", ""
	case q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("resource") != contract.ServerURL(contract.Vault) || q.Get("redirect_uri") != redirect:
		s.Wrong("a person is sent on with " + u.RawQuery)
	case slices.Contains(s.states(), q.Get("state")) || q.Get("state") == "":
		s.Wrong("a state is used twice: " + q.Get("state"))
	}
	code = s.secret("code")
	s.codes[code] = grant{client: q.Get("client_id"), challenge: q.Get("code_challenge"), redirect: q.Get("redirect_uri"), scopes: strings.Fields(q.Get("scope"))}
	return code, q.Get("state")
}

func (s *Server) states() (list []string) {
	for _, v := range s.visits {
		list = append(list, v.state)
	}
	return list
}
