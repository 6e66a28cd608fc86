package worker

import (
	"encoding/base64"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const testSecret = Secret("0123456789abcdef0123456789abcdef")

var (
	testNow     = time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	testAddress = Address{Agent: "assistant", Binding: "Assistant", Name: "a%20b"}
	inAnHour    = jwt.RegisteredClaims{Subject: "alice", ExpiresAt: jwt.NewNumericDate(testNow.Add(time.Hour))}
)

func sign(t *testing.T, method jwt.SigningMethod, key any, claims jwt.Claims) string {
	t.Helper()
	token, err := jwt.NewWithClaims(method, claims).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestAuthorize(t *testing.T) {
	exact := Claims{RegisteredClaims: inAnHour, Agent: "assistant", Name: "a%20b"}
	all := func(registered jwt.RegisteredClaims) Claims {
		return Claims{RegisteredClaims: registered, AnyAgent: true, AnyName: true}
	}
	hs256 := func(claims jwt.Claims) string { return sign(t, jwt.SigningMethodHS256, []byte(testSecret), claims) }
	good := hs256(exact)
	tampered := strings.Split(good, ".")
	tampered[1] = base64.RawURLEncoding.EncodeToString([]byte(`{"exp":9999999999,"anyAgent":true,"anyName":true}`))
	closed := Settings{Secret: testSecret}

	for _, tt := range []struct {
		title, token string
		settings     Settings
		status       int
		text         string
	}{
		{title: "a token for the object", token: good, settings: closed},
		{title: "any name", token: hs256(Claims{RegisteredClaims: inAnHour, Agent: "assistant", AnyName: true}), settings: closed},
		{title: "any agent", token: hs256(Claims{RegisteredClaims: inAnHour, AnyAgent: true, Name: "a%20b"}), settings: closed},
		{title: "development is open", settings: Settings{Development: true}},
		{title: "development with a secret is open", settings: Settings{Development: true, Secret: testSecret}},

		{title: "nothing set", status: 503, text: SecretVar + " is not set"},
		{title: "nothing set, with a token", token: good, status: 503, text: SecretVar + " is not set"},
		{title: "short secret", token: good, settings: Settings{Secret: testSecret[1:]}, status: 503, text: SecretVar + " is shorter"},
		{title: "no token", settings: closed, status: 401, text: "a token is required"},
		{title: "not a token", token: "abc", settings: closed, status: 401, text: "not valid"},
		{title: "too long", token: strings.Repeat("a", MaxToken+1), settings: closed, status: 401, text: "too long"},
		{title: "expired", settings: closed, status: 401, text: "has expired", token: hs256(all(
			jwt.RegisteredClaims{ExpiresAt: jwt.NewNumericDate(testNow)},
		))},
		{title: "never expires", token: hs256(all(jwt.RegisteredClaims{})), settings: closed, status: 401, text: "not valid"},
		{title: "not yet", settings: closed, status: 401, text: "not valid", token: hs256(all(
			jwt.RegisteredClaims{ExpiresAt: inAnHour.ExpiresAt, NotBefore: jwt.NewNumericDate(testNow.Add(time.Minute))},
		))},
		{
			title: "algorithm none", settings: closed, status: 401, text: "not valid",
			token: sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, exact),
		},
		{
			title: "algorithm HS512", settings: closed, status: 401, text: "not valid",
			token: sign(t, jwt.SigningMethodHS512, []byte(testSecret), exact),
		},
		{
			title: "another secret", settings: closed, status: 401, text: "not valid",
			token: sign(t, jwt.SigningMethodHS256, []byte(testSecret+"x"), exact),
		},
		{title: "claims changed", token: strings.Join(tampered, "."), settings: closed, status: 401, text: "not valid"},
		{title: "signature cut off", token: good[:strings.LastIndex(good, ".")+1], settings: closed, status: 401, text: "not valid"},
		{title: "wrong types", settings: closed, status: 401, text: "not valid", token: hs256(jwt.MapClaims{
			"exp": inAnHour.ExpiresAt.Unix(), "agent": 1, "name": []string{"a%20b"},
		})},
		{title: "wrong name", token: hs256(Claims{RegisteredClaims: inAnHour, Agent: "assistant", Name: "bob"}), settings: closed, status: 403, text: "does not open"},
		{title: "decoded name", token: hs256(Claims{RegisteredClaims: inAnHour, Agent: "assistant", Name: "a b"}), settings: closed, status: 403, text: "does not open"},
		{title: "wrong agent", token: hs256(Claims{RegisteredClaims: inAnHour, Agent: "planner", AnyName: true}), settings: closed, status: 403, text: "does not open"},
		{title: "no agent", token: hs256(Claims{RegisteredClaims: inAnHour, AnyName: true}), settings: closed, status: 403, text: "does not open"},
		{title: "no name", token: hs256(Claims{RegisteredClaims: inAnHour, AnyAgent: true}), settings: closed, status: 403, text: "does not open"},
		{title: "a star for a name", token: hs256(Claims{RegisteredClaims: inAnHour, Agent: "assistant", Name: "*"}), settings: closed, status: 401, text: "not valid"},
		{title: "a star for an agent", token: hs256(Claims{RegisteredClaims: inAnHour, Agent: "*", Name: "a%20b"}), settings: closed, status: 401, text: "not valid"},
		{title: "a name and any", settings: closed, status: 401, text: "not valid", token: hs256(Claims{
			RegisteredClaims: inAnHour, Agent: "assistant", Name: "bob", AnyName: true,
		})},
	} {
		for _, via := range []string{"query", "header"} {
			t.Run(tt.title+" by "+via, func(t *testing.T) {
				r := httptest.NewRequest("GET", "/", nil)
				if via == "query" {
					r.URL.RawQuery = "_pk=1&token=" + tt.token
				} else if tt.token != "" {
					r.Header.Set("Authorization", "bearer "+tt.token)
				}
				r.Host = "localhost"
				access, err := Authorize(tt.settings, r, testAddress, testNow)
				if tt.status == 0 {
					if err != nil || tt.token != "" && !access.Until.Equal(inAnHour.ExpiresAt.Time) || tt.token == "" && !access.Until.IsZero() || access.AllScopes != tt.settings.Development {
						t.Fatalf("got %v, %v", access, err)
					}
					return
				}
				var refusal *Refusal
				if !errors.As(err, &refusal) || refusal.Status != tt.status || !strings.Contains(refusal.Text, tt.text) {
					t.Fatalf("got %v, want %d %q", err, tt.status, tt.text)
				}
				if strings.Contains(err.Error(), string(testSecret)) || tt.token != "" && strings.Contains(err.Error(), tt.token) {
					t.Fatalf("%v holds a secret", err)
				}
				if len(refusal.Text) > maxReason {
					t.Fatalf("%q does not fit a close frame", refusal.Text)
				}
			})
		}
	}
}

func mint(t *testing.T, claims Claims) string {
	t.Helper()
	token, err := Mint(testSecret, claims)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestMint(t *testing.T) {
	token := mint(t, Claims{RegisteredClaims: inAnHour, Agent: "assistant", AnyName: true})
	claims, err := Verify(testSecret, token, testNow)
	if err != nil || claims.Subject != "alice" || !claims.Opens(testAddress) {
		t.Errorf("verify: %+v, %v", claims, err)
	}
	for _, tt := range []struct {
		title  string
		secret Secret
		claims Claims
	}{
		{"a token without an expiry", testSecret, Claims{Agent: "assistant", Name: "alice"}},
		{"a token with a short secret", testSecret[1:], Claims{RegisteredClaims: inAnHour}},
		{"a token for the name of a star", testSecret, Claims{RegisteredClaims: inAnHour, Agent: "assistant", Name: "*"}},
		{"a token for the agent of a star", testSecret, Claims{RegisteredClaims: inAnHour, Agent: "*", Name: "alice"}},
		{"a token for a name and any", testSecret, Claims{RegisteredClaims: inAnHour, Agent: "assistant", Name: "alice", AnyName: true}},
		{"a token for an agent and any", testSecret, Claims{RegisteredClaims: inAnHour, Agent: "assistant", AnyAgent: true, Name: "alice"}},
	} {
		if _, err := Mint(tt.secret, tt.claims); err == nil {
			t.Errorf("minted %s", tt.title)
		}
	}
	if _, err := Verify(testSecret[1:], token, testNow); err == nil {
		t.Error("a short secret verifies")
	}
}
