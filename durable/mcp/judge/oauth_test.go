package judge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/mcp/oauth"
)

// TestOAuthResource has the SDK guard a server: its challenge and its document are read here.
func TestOAuthResource(t *testing.T) {
	mux := http.NewServeMux()
	web := httptest.NewServer(mux)
	defer web.Close()
	const place = "/.well-known/oauth-protected-resource/mcp"
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{Scopes: []string{token}, Expiration: time.Now().Add(time.Hour)}, nil
	}
	guard := auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{ResourceMetadataURL: web.URL + place, Scopes: []string{"read", "write"}})
	mux.Handle("/mcp", guard(http.NotFoundHandler()))
	mux.Handle(place, auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
		Resource: web.URL + "/mcp", AuthorizationServers: []string{web.URL}, ScopesSupported: []string{"read"},
	}))

	for token, want := range map[string]int{"": 401, "read": 403} {
		request, err := http.NewRequestWithContext(t.Context(), "POST", web.URL+"/mcp", nil)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			h := oauth.Token{Access: token}.Header()
			request.Header.Set(h.Name, h.Value)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		challenge, ok := oauth.ParseChallenge(response.Header.Get("WWW-Authenticate"))
		if response.StatusCode != want || !ok || challenge.Metadata != web.URL+place || !slices.Equal(challenge.Scopes, []string{"read", "write"}) {
			t.Errorf("got %d, %+v", response.StatusCode, challenge)
		}
	}

	if urls := oauth.ResourceURLs(web.URL+"/mcp", oauth.Challenge{}); urls[0] != web.URL+place {
		t.Errorf("got %v", urls)
	}
	resource, err := oauth.ParseResource(fetched(t, web.URL+place), web.URL+"/mcp", true)
	if err != nil || resource.Servers[0] != web.URL || !slices.Equal(resource.Scopes, []string{"read"}) {
		t.Errorf("got %+v, %v", resource, err)
	}
}

func fetched(t *testing.T, address string) []byte {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// TestOAuthDocuments has the SDK's types encode what is read here, and read what is encoded here.
func TestOAuthDocuments(t *testing.T) {
	const issuer = "https://auth.example/tenant"
	document, err := json.Marshal(oauthex.AuthServerMeta{
		Issuer: issuer, AuthorizationEndpoint: issuer + "/authorize", TokenEndpoint: issuer + "/token", RegistrationEndpoint: issuer + "/register",
		CodeChallengeMethodsSupported: []string{"S256"}, ClientIDMetadataDocumentSupported: true, AuthorizationResponseIssParameterSupported: true,
		TokenEndpointAuthMethodsSupported: []string{"client_secret_basic"}, ScopesSupported: []string{"read"},
	})
	if err != nil {
		t.Fatal(err)
	}
	server, err := oauth.ParseAuthorizationServer(document, issuer, false)
	if err != nil || !server.Documents || !server.Names || server.Register != issuer+"/register" || !slices.Equal(server.Methods, []string{"client_secret_basic"}) {
		t.Fatalf("got %+v, %v", server, err)
	}

	about := oauth.About{Name: "tributary", Redirect: "http://localhost:8787/callback"}
	var read oauthex.ClientRegistrationMetadata
	strict := json.NewDecoder(bytes.NewReader(server.RegisterRequest(about).Body))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&read); err != nil || read.ClientName != "tributary" || read.RedirectURIs[0] != about.Redirect || read.ApplicationType != "native" || read.TokenEndpointAuthMethod != "client_secret_basic" {
		t.Errorf("got %+v, %v", read, err)
	}

	answer, err := json.Marshal(&oauthex.ClientRegistrationResponse{ClientID: "id", ClientSecret: "secret", ClientSecretExpiresAt: time.Unix(5, 0), ClientRegistrationMetadata: read})
	if err != nil {
		t.Fatal(err)
	}
	client, err := server.ParseClient(201, answer)
	if err != nil || client.ID != "id" || client.Secret != "secret" || client.Expires != 5 || client.Method != "client_secret_basic" {
		t.Errorf("got %v, %v", client, err)
	}
	if way := server.Choose(client, "https://me.example/client"); way != oauth.WayKnown {
		t.Errorf("got %d", way)
	}
	if err := mcp.CheckURL(server.Authorize, false); err != nil {
		t.Error(err)
	}
}
