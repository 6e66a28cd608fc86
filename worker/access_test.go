package worker

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func TestClaimsOfAccess(t *testing.T) {
	for _, tt := range []struct {
		title  string
		access Access
		want   string
	}{
		{"a person with scopes", Access{Until: testNow, Subject: "ada", Scopes: []string{"pay", "refund:small"}}, `{"sub":"ada","scopes":["pay","refund:small"],"exp":1790000000}`},
		{"nobody", Access{}, `{"sub":"","scopes":[],"exp":0}`},
		{"words that are not ASCII", Access{Subject: "Zoë \U0001F600\x7f"}, `{"sub":"Zo\u00eb \ud83d\ude00` + "\x7f" + `","scopes":[],"exp":0}`},
		{"control characters", Access{Subject: "a\r\nb"}, `{"sub":"a\r\nb","scopes":[],"exp":0}`},
		{"all scopes", Access{AllScopes: true, Subject: "ada"}, ""},
	} {
		t.Run(tt.title, func(t *testing.T) {
			if tt.access.Until.Equal(testNow) {
				tt.access.Until = time.Unix(1_790_000_000, 5)
			}
			got, err := tt.access.claims("")
			if err != nil || got != tt.want {
				t.Fatalf("got %q, %v, want %q", got, err, tt.want)
			}
			var told struct {
				Sub    string
				Scopes []string
			}
			if got == "" {
				return
			}
			if err := json.Unmarshal([]byte(got), &told); err != nil || told.Sub != tt.access.Subject || len(told.Scopes) != len(tt.access.Scopes) {
				t.Errorf("%s is read as %+v, %v", got, told, err)
			}
		})
	}
	for _, large := range []Access{{Subject: strings.Repeat("x", MaxClaims)}, {Scopes: []string{strings.Repeat("ü", MaxClaims/6)}}} {
		if got, err := large.claims("signature"); !errors.Is(err, errClaims) {
			t.Errorf("got %d bytes, %v, want a refusal", len(got), err)
		}
	}
}

// TestClaimsOfToken shows the way of the scopes from a token to the answer, and that a token whose
// claims are too large is neither minted nor accepted.
func TestClaimsOfToken(t *testing.T) {
	settings := Settings{Bindings: []string{"Assistant"}, Secret: testSecret}
	claims := Claims{RegisteredClaims: inAnHour, AnyAgent: true, AnyName: true, Scopes: []string{"pay"}}
	claims.Subject = "ada"
	token, err := Mint(testSecret, claims)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(token string) *http.Response {
		w := httptest.NewRecorder()
		Handler(settings, at(testNow), Options{}).ServeHTTP(w, asked("GET", "/agents/assistant/x?token="+token, HeaderClaims, `{"sub":"eve"}`))
		return w.Result()
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(ask(token).Header.Get(HeaderClaims)), &got); err != nil {
		t.Fatal(err)
	}
	if want := map[string]any{"sub": "ada", "scopes": []any{"pay"}, "exp": float64(inAnHour.ExpiresAt.Unix()), "sig": signatureOf(testSecret, addressOf("x"))}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}

	claims.Scopes = []string{strings.Repeat("x", MaxClaims)}
	if _, err := Mint(testSecret, claims); !errors.Is(err, errClaims) {
		t.Errorf("minted: got error %v", err)
	}
	foreign, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(testSecret))
	if err != nil {
		t.Fatal(err)
	}
	if answer := ask(foreign); answer.StatusCode != http.StatusForbidden || answer.Header.Get(HeaderBinding) != "" {
		t.Errorf("accepted: got %d %v", answer.StatusCode, answer.Header)
	}
}
