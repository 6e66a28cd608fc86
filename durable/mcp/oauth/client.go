package oauth

import (
	"cmp"
	"net/url"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// Client is a client as an authorization server knows it.
type Client struct {
	// Issuer is the authorization server that knows it. A client must not be used at any other one. It is
	// "" for a client whose ID is the address of a document, which is good everywhere.
	Issuer string
	ID     string
	// Secret is "" for a public client. SecretName is in its place the name of a secret that the host of
	// the client puts into the request.
	Secret, SecretName string
	// Method is how the client was registered to authenticate, "" if the server has not said it.
	Method string
	// Expires is when the secret ends, in seconds since 1970, or 0 for never.
	Expires int64
}

// String keeps the secret out of logs.
func (c Client) String() string { return "client " + c.ID }

// Way is how a client comes to its ID.
type Way int

// The ways, the best first.
const (
	// WayKnown uses a client that is known at the issuer.
	WayKnown Way = iota + 1
	// WayDocument uses the address of a document as the ID.
	WayDocument
	// WayRegister registers.
	WayRegister
	// WayAsk asks a person for an ID.
	WayAsk
)

// Choose returns the way to an ID. known is what is known, or the zero Client, and document the address
// of the client's document, or "".
func (s AuthorizationServer) Choose(known Client, document string) Way {
	switch {
	case known.ID != "" && SameIssuer(known.Issuer, s.Issuer):
		return WayKnown
	case s.Documents && isDocument(document):
		return WayDocument
	case s.Register != "":
		return WayRegister
	}
	return WayAsk
}

// isDocument says whether an address can be that of a document. The client's own operator has chosen it, so
// it may lead anywhere but to the own machine.
func isDocument(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && u.Fragment == "" && !mcp.IsLoopback(address)
}

// About is what a client says about itself.
type About struct {
	// ID is the address of the document, "" for a registration.
	ID       string
	Name     string
	Homepage string
	Redirect string
}

// document is the JSON of a document and of a registration, as in RFC 7591.
type document struct {
	ID              string   `json:"client_id,omitempty"`
	Name            string   `json:"client_name"`
	Homepage        string   `json:"client_uri,omitempty"`
	Redirects       []string `json:"redirect_uris"`
	Grants          []string `json:"grant_types"`
	Responses       []string `json:"response_types"`
	Method          string   `json:"token_endpoint_auth_method"`
	ApplicationType string   `json:"application_type"`
}

// Document returns the document about the client.
func (a About) Document() []byte { return a.encode(methodNone) }

func (a About) encode(method string) []byte {
	kind := "web"
	if mcp.IsLoopback(a.Redirect) {
		kind = "native"
	}
	return limit.MustMarshal(document{
		ID: a.ID, Name: a.Name, Homepage: a.Homepage, Redirects: []string{a.Redirect},
		Grants: []string{"authorization_code", "refresh_token"}, Responses: []string{"code"}, Method: method, ApplicationType: kind,
	})
}

// CheckRedirect refuses an address that a code must not be sent to.
func CheckRedirect(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Fragment != "" || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !mcp.IsLoopback(address)) {
		return ErrRedirect
	}
	return nil
}

// RegisterRequest returns the request that registers the client.
func (s AuthorizationServer) RegisterRequest(a About) mcp.Request {
	a.ID = ""
	return mcp.Request{
		Method: "POST", URL: s.Register, Body: a.encode(cmp.Or(s.first(methodNone, methodBasic, methodPost), methodNone)),
		Header: []durable.Header{{Name: "accept", Value: "application/json"}, {Name: "content-type", Value: "application/json"}},
	}
}

// ParseClient reads the answer to a registration. Its error may be a [*Refused].
func (s AuthorizationServer) ParseClient(status int, body []byte) (Client, error) {
	v, err := parse(body)
	if err != nil {
		return Client{}, answered(status, err)
	}
	if status != 200 && status != 201 {
		return Client{}, refused(v, ErrRegistration)
	}
	c := Client{
		Issuer: s.Issuer, ID: v.Get("client_id").Text(), Secret: v.Get("client_secret").Text(),
		Method: v.Get("token_endpoint_auth_method").Text(),
	}
	c.Expires, _ = v.Get("client_secret_expires_at").Integer()
	if c.ID == "" || len(c.ID) > mcp.MaxURL || len(c.Secret) > maxToken {
		return Client{}, ErrRegistration
	}
	return c, nil
}

// answered returns the error for a body that cannot be read.
func answered(status int, err error) error {
	if status >= 500 || status == 429 {
		return mcp.ErrStatus
	}
	return err
}

// refused returns the error of an authorization server, or the other one if the body is none.
func refused(v mcp.Value, other error) error {
	code := v.Get("error").Text()
	if code == "" {
		return other
	}
	return &Refused{Code: mcp.Quote(code, 64), Description: mcp.Quote(v.Get("error_description").Text(), 300)}
}
