package oauth

import (
	"errors"
	"testing"
)

// TestCheckMethod checks which clients are refused before anybody is sent to sign in, and in which words.
func TestCheckMethod(t *testing.T) {
	const only = ", and only client_secret_basic, client_secret_post and none are possible here"
	for _, test := range []struct {
		name    string
		client  Client
		methods []string
		want    string
	}{
		{"nothing is said", Client{ID: "i", SecretName: "X_SECRET"}, nil, ""},
		{"in the form", Client{ID: "i", Secret: "s"}, []string{"private_key_jwt", methodPost}, ""},
		{"as it was registered", Client{ID: "i", Secret: "s", Method: methodBasic}, []string{methodPost}, ""},
		{"nobody says that clients without a secret are taken", Client{ID: "i"}, []string{methodBasic}, ""},
		{"no secret helps", Client{ID: "i", Secret: "s"}, []string{"private_key_jwt", "tls_client_auth"}, "private_key_jwt or tls_client_auth"},
		{"no secret helps of the deployment", Client{ID: "i", SecretName: "X_SECRET"}, []string{"private_key_jwt"}, "private_key_jwt"},
		{"no client helps", Client{}, []string{"private_key_jwt"}, "private_key_jwt"},
		{"it was registered for something else", Client{ID: "i", Secret: "s", Method: "client_secret_jwt"}, []string{methodBasic}, "client_secret_jwt"},
		{"it was registered for something else without a secret", Client{ID: "i", Method: "private_key_jwt"}, nil, "private_key_jwt"},
	} {
		want := test.want
		if want != "" {
			want = "oauth: the authorization server wants the client to authenticate by " + want + only
		}
		got := ""
		if err := (AuthorizationServer{Methods: test.methods}).CheckMethod(test.client); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", test.name, got, want)
		}
	}
}

// TestExplain checks that a client without a secret is told what it lacks.
func TestExplain(t *testing.T) {
	invalid, grant := &Refused{Code: InvalidClient}, &Refused{Code: InvalidGrant}
	for _, test := range []struct {
		name    string
		client  Client
		methods []string
		err     error
		want    string
	}{
		{"a secret is missing", Client{ID: "i"}, []string{methodBasic, methodPost}, invalid, ": it wants clients to authenticate by client_secret_basic or client_secret_post, and this client has no secret"},
		{"nothing is said", Client{ID: "i"}, nil, invalid, ""},
		{"none is needed", Client{ID: "i"}, []string{methodBasic, methodNone}, invalid, ""},
		{"there is one", Client{ID: "i", Secret: "s"}, []string{methodBasic}, invalid, ""},
		{"something else is wrong", Client{ID: "i"}, []string{methodBasic}, grant, ""},
		{"nobody has refused", Client{ID: "i"}, []string{methodBasic}, ErrToken, ""},
	} {
		got := (AuthorizationServer{Methods: test.methods}).Explain(test.client, test.err)
		if got.Error() != test.err.Error()+test.want || !errors.Is(got, test.err) {
			t.Errorf("%s: got %q", test.name, got)
		}
	}
}
