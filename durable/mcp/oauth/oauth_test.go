package oauth

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/mcp"
)

func TestChallenge(t *testing.T) {
	for header, want := range map[string]Challenge{
		`Bearer`: {},
		`bearer realm="a, Basic b", scope="read  write read" ,error = invalid_token`:     {Scopes: []string{"read", "write"}, Error: "invalid_token"},
		`Basic realm="x", Bearer resource_metadata="https://example.com/a\"b", SCOPE=""`: {Metadata: `https://example.com/a"b`, Scopes: []string{}},
		`Negotiate abc==, Bearer scope=one`:                                              {Scopes: []string{"one"}},
		`Bearer error="insufficient_scope", Basic scope="not this one"`:                  {Error: InsufficientScope},
		`Bearer scope="open`: {Scopes: []string{"open"}},
	} {
		got, ok := ParseChallenge(header)
		if !ok || got.Metadata != want.Metadata || got.Error != want.Error || !slices.Equal(got.Scopes, want.Scopes) || (got.Scopes == nil) != (want.Scopes == nil) {
			t.Errorf("%s: got %+v, %v, want %+v", header, got, ok, want)
		}
	}
	for _, header := range []string{"", `Basic realm="Bearer scope=a"`, `realm="Bearer"`, "Bearer " + strings.Repeat("a", maxHeader)} {
		if got, ok := ParseChallenge(header); ok {
			t.Errorf("%.40s: got %+v", header, got)
		}
	}
}

func FuzzChallenge(f *testing.F) {
	f.Add(`Basic a==, Bearer resource_metadata="https://example.com", scope="a b" , error=x`)
	f.Fuzz(func(t *testing.T, header string) {
		c, ok := ParseChallenge(header)
		if !ok && (c.Metadata != "" || c.Scopes != nil) {
			t.Fatalf("%q: got %+v without Bearer", header, c)
		}
		for _, scope := range c.Scopes {
			if !isScope(scope) {
				t.Fatalf("%q: got the scope %q", header, scope)
			}
		}
	})
}

func TestURLs(t *testing.T) {
	const at = "https://a.example"
	for _, test := range []struct{ got, want []string }{
		{ResourceURLs(at+"/public/mcp", Challenge{}), []string{at + "/.well-known/oauth-protected-resource/public/mcp", at + "/.well-known/oauth-protected-resource"}},
		{ResourceURLs(at+"/", Challenge{}), []string{at + "/.well-known/oauth-protected-resource"}},
		{ResourceURLs(at+"/mcp?x=1", Challenge{Metadata: "https://b.example/m"}), []string{"https://b.example/m"}},
		{ServerURLs(at), []string{at + "/.well-known/oauth-authorization-server", at + "/.well-known/openid-configuration"}},
		{ServerURLs(at + "/t1"), []string{at + "/.well-known/oauth-authorization-server/t1", at + "/.well-known/openid-configuration/t1", at + "/t1/.well-known/openid-configuration"}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("got %v, want %v", test.got, test.want)
		}
	}
}

func TestResource(t *testing.T) {
	const servers = `"authorization_servers":["https://auth.example/","http://evil.example","https://10.0.0.1"]`
	for resource, want := range map[string]error{
		"https://a.example/mcp": nil, "https://A.example:443/mcp/": nil, "https://a.example": nil, "https://a.example/": nil,
		"": ErrResource, "https://a.example/mc": ErrResource, "https://a.example/mcp/x": ErrResource, "https://b.example/mcp": ErrResource,
		"http://a.example/mcp": ErrResource, "https://a.example:444/mcp": ErrResource, "https://a.example/mcp#x": ErrResource, "https://a.example.evil.example/mcp": ErrResource,
	} {
		got, err := ParseResource([]byte(`{"resource":"`+resource+`",`+servers+`}`), "https://a.example/mcp", false)
		if err != want || err == nil && (!slices.Equal(got.Servers, []string{"https://auth.example/"}) || got.Resource != resource || got.Scopes != nil) {
			t.Errorf("%s: got %+v, %v, want %v", resource, got, err, want)
		}
	}
	for body, want := range map[string]error{
		``: ErrDocument, `[]`: ErrDocument, `{"resource":1}`: ErrResource, `{"resource":"https://a.example"}`: ErrNoServer,
		`{"resource":"https://a.example","authorization_servers":["http://a.example"]}`: ErrNoServer,
		`"` + strings.Repeat("a", MaxDocument) + `"`:                                    ErrDocument,
	} {
		if got, err := ParseResource([]byte(body), "https://a.example/mcp", false); err != want {
			t.Errorf("%.80s: got %+v, %v, want %v", body, got, err, want)
		}
	}
}

const issuer = "https://auth.example"

func metadata(change func(fields map[string]string)) []byte {
	fields := map[string]string{
		"issuer": `"` + issuer + `"`, "authorization_endpoint": `"https://auth.example/authorize?tenant=1"`, "token_endpoint": `"https://auth.example/token"`,
		"code_challenge_methods_supported": `["plain","S256"]`, "registration_endpoint": `"https://auth.example/register"`,
	}
	change(fields)
	list := []string{}
	for name, value := range fields {
		list = append(list, `"`+name+`":`+value)
	}
	return []byte("{" + strings.Join(list, ",") + "}")
}

func server(t *testing.T, name, value string) AuthorizationServer {
	t.Helper()
	s, err := ParseAuthorizationServer(metadata(func(f map[string]string) {
		if name != "" {
			f[name] = value
		}
	}), issuer, false)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAuthorizationServer(t *testing.T) {
	if got := server(t, "", ""); got.Issuer != issuer || got.Token != "https://auth.example/token" || got.Names || got.Documents || got.Methods != nil {
		t.Errorf("got %+v", got)
	}
	for field, test := range map[string]struct {
		value string
		want  error
	}{
		"issuer": {`"https://auth.example/a"`, ErrIssuer}, "code_challenge_methods_supported": {`["plain"]`, ErrPKCE},
		"authorization_endpoint": {`"javascript:alert(1)"`, ErrEndpoint}, "token_endpoint": {`"https://169.254.169.254/"`, ErrEndpoint},
		"registration_endpoint": {`"http://auth.example/"`, ErrEndpoint},
	} {
		for _, value := range []string{test.value, "null"} {
			if field == "registration_endpoint" && value == "null" {
				continue
			}
			body := metadata(func(f map[string]string) { f[field] = value })
			if got, err := ParseAuthorizationServer(body, issuer, false); err != test.want {
				t.Errorf("%s %s: got %+v, %v", field, value, got, err)
			}
		}
	}
	if _, err := ParseAuthorizationServer([]byte(`{"issuer":""}`), "", false); err != ErrIssuer {
		t.Errorf("got %v", err)
	}
}

// TestSameIssuer checks that issuers without a path may differ by the slash, in the document and in what is kept, and by
// nothing else. In a callback they may not differ.
func TestSameIssuer(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"https://auth.example", "https://auth.example/", true},
		{"https://auth.example/", "https://auth.example", true},
		{"https://auth.example/", "https://auth.example/", true},
		{"https://auth.example:8443/", "https://auth.example:8443", true},
		{"http://localhost:9000/", "http://localhost:9000", true},
		{"https://auth.example/tenant", "https://auth.example/tenant", true},
		{"https://auth.example/tenant", "https://auth.example/tenant/", false},
		{"https://auth.example/", "https://auth.example//", false},
		{"https://auth.example", "https://auth.example:443", false},
		{"https://auth.example", "http://auth.example/", false},
		{"https://auth.example/", "https://AUTH.example", false},
		{"https://auth.example?a", "https://auth.example?a/", false},
		{"https://auth.example#a", "https://auth.example#a/", false},
		{"https://auth.example", "https://evil.example/", false},
		{"https://", "https:///", false},
		{"", "/", false},
	} {
		if got := SameIssuer(test.a, test.b); got != test.want {
			t.Errorf("%s, %s: got %v", test.a, test.b, got)
		}
		body := metadata(func(f map[string]string) { f["issuer"] = `"` + test.a + `"` })
		if s, err := ParseAuthorizationServer(body, test.b, true); test.b != "" && (err == nil) != test.want {
			t.Errorf("the document of %s for %s: got %+v, %v", test.a, test.b, s, err)
		}
		a := Authorization{State: "s", Server: AuthorizationServer{Issuer: test.a}}
		if code, err := a.Accept(Callback{State: "s", Code: "c", Issuer: &test.b}); (err == nil) != (test.a == test.b) {
			t.Errorf("a callback of %s to %s: got %s, %v", test.b, test.a, code, err)
		}
	}
}

func TestScopes(t *testing.T) {
	offline := AuthorizationServer{Scopes: []string{"openid", offlineAccess}}
	known := Resource{Scopes: []string{"a", "b"}}
	for _, test := range []struct {
		challenged, before []string
		resource           Resource
		server             AuthorizationServer
		want               string
	}{
		{nil, nil, known, AuthorizationServer{}, "a b"},
		{nil, nil, Resource{}, AuthorizationServer{}, ""},
		{[]string{"c"}, nil, known, AuthorizationServer{}, "c"},
		{[]string{}, nil, known, AuthorizationServer{}, ""},
		{[]string{"c"}, []string{"a", "c"}, known, AuthorizationServer{}, "a c"},
		{[]string{"d"}, []string{"a"}, known, offline, "a d offline_access"},
		{nil, nil, Resource{}, offline, offlineAccess},
	} {
		if got := strings.Join(Wanted(test.challenged, test.before, test.resource, test.server), " "); got != test.want {
			t.Errorf("%+v: got %q", test, got)
		}
	}
	if got := Scopes(`a "b" c\ ` + "é a"); !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %q", got)
	}
}

func TestChoose(t *testing.T) {
	known, document := Client{Issuer: issuer, ID: "x"}, "https://me.example/client"
	for _, test := range []struct {
		name     string
		server   AuthorizationServer
		known    Client
		document string
		want     Way
	}{
		{"known", AuthorizationServer{Issuer: issuer, Documents: true, Register: "r"}, known, document, WayKnown},
		{"known elsewhere", AuthorizationServer{Issuer: issuer + "/tenant", Documents: true, Register: "r"}, known, document, WayDocument},
		{"no documents there", AuthorizationServer{Issuer: "i", Register: "r"}, known, document, WayRegister},
		{"a document on the own machine", AuthorizationServer{Issuer: "i", Documents: true, Register: "r"}, Client{}, "http://localhost/client", WayRegister},
		{"nothing", AuthorizationServer{Issuer: "i"}, known, document, WayAsk},
	} {
		if got := test.server.Choose(test.known, test.document); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

func TestRegistration(t *testing.T) {
	about := About{ID: "https://me.example/client", Name: "me", Redirect: "https://me.example/callback"}
	const rest = `"client_name":"me","redirect_uris":["https://me.example/callback"],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"`
	if got, want := string(about.Document()), `{"client_id":"https://me.example/client",`+rest+`none","application_type":"web"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s := server(t, "token_endpoint_auth_methods_supported", `["private_key_jwt","client_secret_post"]`)
	r := s.RegisterRequest(about)
	if got, want := string(r.Body), `{`+rest+`client_secret_post","application_type":"web"}`; got != want || r.URL != s.Register || r.Method != "POST" {
		t.Errorf("got %s %s, want %s", r.URL, got, want)
	}
	about.Redirect = "http://localhost:8787/callback"
	if got := string(about.Document()); !strings.Contains(got, `"application_type":"native"`) {
		t.Errorf("got %s", got)
	}

	c, err := s.ParseClient(201, []byte(`{"client_id":"i","client_secret":"s","client_secret_expires_at":5,"token_endpoint_auth_method":"client_secret_post"}`))
	if err != nil || c != (Client{Issuer: issuer, ID: "i", Secret: "s", Method: methodPost, Expires: 5}) {
		t.Errorf("got %v, %v", c, err)
	}
	if got := fmt.Sprintf("%v %+v", c, c); strings.Contains(got, "{") {
		t.Errorf("the secret is shown: %s", got)
	}
	for _, test := range []struct {
		status int
		body   string
		want   string
	}{
		{200, `{}`, ErrRegistration.Error()},
		{400, `{}`, ErrRegistration.Error()},
		{502, `<html>`, mcp.ErrStatus.Error()},
		{400, `<html>`, ErrDocument.Error()},
		{400, `{"error":"invalid_redirect_uri","error_description":"no\nnative"}`, "oauth: the authorization server refuses: invalid_redirect_uri: no native"},
	} {
		if got, err := s.ParseClient(test.status, []byte(test.body)); err == nil || err.Error() != test.want {
			t.Errorf("%d %s: got %v, %v", test.status, test.body, got, err)
		}
	}
}

func TestRedirect(t *testing.T) {
	for address, ok := range map[string]bool{
		"https://me.example/a": true, "http://localhost:1/a": true, "http://127.0.0.1/a": true, "http://me.example/a": false, "me:/a": false, "https://me.example/#a": false, "": false,
	} {
		if err := CheckRedirect(address); (err == nil) != ok {
			t.Errorf("%s: got %v", address, err)
		}
	}
}

func attempt(t *testing.T) Authorization {
	return Authorization{
		Server: server(t, "", ""), Client: Client{ID: "i d"}, Resource: "https://a.example/mcp", Redirect: "https://me.example/callback",
		Scopes: []string{"a", "b"}, State: "st", Verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
	}
}

func TestPKCE(t *testing.T) {
	// The example of RFC 7636, appendix B.
	random := [32]byte{116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121}
	verifier := Verifier(random)
	if verifier != "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" || S256(verifier) != "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" {
		t.Errorf("got %s and %s", verifier, S256(verifier))
	}
}

func TestAuthorizationURL(t *testing.T) {
	a := attempt(t)
	const want = "https://auth.example/authorize?tenant=1&client_id=i+d&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256" +
		"&redirect_uri=https%3A%2F%2Fme.example%2Fcallback&resource=https%3A%2F%2Fa.example%2Fmcp&response_type=code&scope=a+b&state=st"
	if got := a.URL(); got != want {
		t.Errorf("got %s", got)
	}
	a.Scopes, a.Server.Authorize = nil, "https://auth.example/authorize"
	if got := a.URL(); strings.Contains(got, "scope") || !strings.HasPrefix(got, a.Server.Authorize+"?") {
		t.Errorf("got %s", got)
	}
	a.Scopes = []string{"a", offlineAccess}
	if got := a.URL(); !strings.Contains(got, "&prompt=consent&") {
		t.Errorf("got %s", got)
	}
	if got := fmt.Sprintf("%v %+v", a, a); strings.Contains(got, a.Verifier) {
		t.Errorf("the verifier is shown: %s", got)
	}
}

func TestCallback(t *testing.T) {
	for _, test := range []struct {
		query string
		names bool
		code  string
		err   error
	}{
		{"state=st&code=c", false, "c", nil},
		{"state=st&code=c", true, "", ErrCallbackFrom},
		{"state=st&code=c&iss=https%3A%2F%2Fauth.example", true, "c", nil},
		{"state=st&code=c&iss=https%3A%2F%2Fauth.example", false, "c", nil},
		{"state=st&code=c&iss=https%3A%2F%2Fauth.example%2F", false, "", ErrCallbackFrom},
		{"state=st&code=c&iss=https%3A%2F%2Fauth.example%2Fa", false, "", ErrCallbackFrom},
		{"state=st&code=c&iss=HTTPS%3A%2F%2Fauth.example", true, "", ErrCallbackFrom},
		{"state=st&code=c&iss=", false, "", ErrCallbackFrom},
		{"state=other&code=c", false, "", ErrCallbackFrom},
		{"code=c", false, "", ErrCallbackFrom},
		{"state=st&error=access_denied&iss=https%3A%2F%2Fevil.example", false, "", ErrCallbackFrom},
		{"state=st", false, "", ErrCallback},
		{"state=st&code=c&error=e", false, "", ErrCallback},
		{"state=st&code=c&code=d", false, "", ErrCallback},
		{"state=st&code=%zz", false, "", ErrCallback},
		{"state=st&code=" + strings.Repeat("c", maxQuery), false, "", ErrCallback},
	} {
		c, err := ParseCallback(test.query)
		code := ""
		if err == nil {
			a := attempt(t)
			a.Server.Names = test.names
			code, err = a.Accept(c)
		}
		if code != test.code || err != test.err {
			t.Errorf("%.80s: got %q, %v, want %q, %v", test.query, code, err, test.code, test.err)
		}
	}
	c, err := ParseCallback("state=st&error=access_denied&error_description=a%0d%0ab")
	if err != nil {
		t.Fatal(err)
	}
	var refused *Refused
	if _, err := attempt(t).Accept(c); !errors.As(err, &refused) || refused.Code != AccessDenied || refused.Description != "a b" {
		t.Errorf("got %v", err)
	}
	if _, err := (Authorization{}).Accept(Callback{Code: "c"}); err != ErrCallbackFrom {
		t.Errorf("an attempt without a state accepts a callback: %v", err)
	}
}

func TestTokenRequests(t *testing.T) {
	for _, test := range []struct {
		name    string
		client  Client
		methods []string
		header  string
		body    string
	}{
		{"a public client", Client{ID: "i d"}, []string{methodBasic}, "", "client_id=i+d&"},
		{"basic by default", Client{ID: "i d", Secret: "s:ü"}, nil, "Basic aStkOnMlM0ElQzMlQkM=", ""},
		{"what the server likes", Client{ID: "i", Secret: "s"}, []string{methodPost}, "", "client_id=i&client_secret=s&"},
		{"what was registered", Client{ID: "i", Secret: "s", Method: methodPost}, []string{methodBasic}, "", "client_id=i&client_secret=s&"},
		{"none though there is a secret", Client{ID: "i", Secret: "s", Method: methodNone}, nil, "", "client_id=i&"},
		{"none though it was registered with a secret", Client{ID: "i", Method: methodBasic}, []string{methodBasic}, "", "client_id=i&"},
		{"a secret of the deployment", Client{ID: "i d", SecretName: "X_SECRET"}, nil, "Basic i+d:+X_SECRET", ""},
		{"a secret of the deployment in the form", Client{ID: "i d", SecretName: "X_SECRET"}, []string{"private_key_jwt", methodPost}, "&client_secret=+X_SECRET", "client_id=i+d&"},
		{"a secret that nobody wants", Client{ID: "i", Secret: "s"}, []string{methodNone}, "", "client_id=i&"},
	} {
		a := attempt(t)
		a.Client, a.Server.Methods = test.client, test.methods
		for _, kind := range []struct {
			request mcp.Request
			fields  string
		}{
			{a.CodeRequest("c"), "code=c&code_verifier=" + a.Verifier + "&grant_type=authorization_code&redirect_uri=" + url.QueryEscape(a.Redirect) + "&resource=https%3A%2F%2Fa.example%2Fmcp"},
			{RefreshRequest(a.Server, a.Client, a.Resource, Token{Refresh: "r"}), "grant_type=refresh_token&refresh_token=r&resource=https%3A%2F%2Fa.example%2Fmcp"},
		} {
			header := ""
			for _, h := range kind.request.Header {
				if h.Name == "authorization" || h.Secret != "" {
					header = h.Value
				}
				if h.Secret != "" {
					header += "+" + h.Secret
				}
			}
			if got, want := string(kind.request.Body), test.body+kind.fields; got != want || header != test.header || kind.request.URL != a.Server.Token {
				t.Errorf("%s: got %q, %s, want %s", test.name, header, got, want)
			}
		}
	}
}

func TestToken(t *testing.T) {
	got, err := ParseToken(200, []byte(`{"access_token":"at","token_type":"bearer","expires_in":60,"scope":"a c"}`), []string{"a", "b"}, Token{Refresh: "old"})
	if err != nil || got.Access != "at" || got.Refresh != "old" || got.Seconds != 60 || !slices.Equal(got.Scopes, []string{"a", "c"}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got.Header().Value != "Bearer at" || strings.Contains(fmt.Sprintf("%v %+v", got, got), "at old") || fmt.Sprint(got) != "a token" {
		t.Errorf("got %v", got)
	}
	got, err = ParseToken(200, []byte(`{"access_token":"at","token_type":"Bearer","refresh_token":"new","expires_in":-5}`), []string{"a"}, Token{Refresh: "old"})
	if err != nil || got.Refresh != "new" || got.Seconds != 0 || !slices.Equal(got.Scopes, []string{"a"}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, test := range []struct {
		status int
		body   string
		want   error
	}{
		{200, `{}`, ErrToken},
		{200, `{"access_token":"a","token_type":"mac"}`, ErrToken},
		{200, `{"access_token":"a"}`, ErrToken},
		{200, `{"access_token":"a\r\nb","token_type":"bearer"}`, ErrToken},
		{200, `{"access_token":"` + strings.Repeat("a", maxToken+1) + `","token_type":"bearer"}`, ErrToken},
		{200, `<html>`, ErrDocument},
		{503, `<html>`, mcp.ErrStatus},
		{503, `{}`, mcp.ErrStatus},
		{400, `{}`, ErrToken},
		{302, `{"access_token":"a","token_type":"bearer"}`, ErrToken},
	} {
		if got, err := ParseToken(test.status, []byte(test.body), nil, Token{}); err != test.want {
			t.Errorf("%d %.60s: got %v, %v, want %v", test.status, test.body, got, err, test.want)
		}
	}
	var refused *Refused
	if _, err := ParseToken(400, []byte(`{"error":"invalid_grant"}`), nil, Token{}); !errors.As(err, &refused) || refused.Code != InvalidGrant {
		t.Errorf("got %v", err)
	}
}

// FuzzDocuments feeds one text to every decoder.
func FuzzDocuments(f *testing.F) {
	f.Add(string(metadata(func(map[string]string) {})), 200)
	f.Add(`{"resource":"https://a.example","authorization_servers":["https://auth.example"]}`, 201)
	f.Add(`{"access_token":"a","token_type":"bearer"}`, 200)
	f.Fuzz(func(t *testing.T, text string, status int) {
		if r, err := ParseResource([]byte(text), "https://a.example/mcp", false); err == nil && (len(r.Servers) == 0 || !covers(r.Resource, "https://a.example/mcp")) {
			t.Fatalf("got %+v", r)
		}
		if s, err := ParseAuthorizationServer([]byte(text), issuer, false); err == nil && (!SameIssuer(s.Issuer, issuer) || mcp.CheckURL(s.Token, false) != nil) {
			t.Fatalf("got %+v", s)
		}
		if c, err := (AuthorizationServer{}).ParseClient(status, []byte(text)); err == nil && c.ID == "" {
			t.Fatal("a client without an id")
		}
		if token, err := ParseToken(status, []byte(text), nil, Token{}); err == nil && (status != 200 || !isToken(token.Access)) {
			t.Fatalf("%d: got %q", status, token.Access)
		}
	})
}

// FuzzCallback checks that no query of a stranger is accepted.
func FuzzCallback(f *testing.F) {
	f.Add("state=st&code=c&iss=i")
	f.Fuzz(func(t *testing.T, query string) {
		c, err := ParseCallback(query)
		if err != nil {
			return
		}
		a := Authorization{State: "a secret that no query has", Server: AuthorizationServer{Issuer: issuer}}
		if code, err := a.Accept(c); err == nil && c.State != a.State {
			t.Fatalf("%q: got the code %q", query, code)
		}
	})
}
