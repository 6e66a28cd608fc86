package worker

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// TestSender tells senders without a subject apart by what they have sent, and says nothing of it.
func TestSender(t *testing.T) {
	mint := func(subject, id string) string {
		token, err := Mint(testSecret, Claims{
			RegisteredClaims: jwt.RegisteredClaims{Subject: subject, ID: id, ExpiresAt: jwt.NewNumericDate(testNow.Add(time.Hour))},
			AnyAgent:         true, AnyName: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	senderOf := func(o Options, query, cookie string) string {
		r := httptest.NewRequest(http.MethodGet, "https://localhost/agents/assistant/x"+query, nil)
		if cookie != "" {
			r.Header.Set("Cookie", cookie)
		}
		w := httptest.NewRecorder()
		Handler(Settings{Bindings: []string{"Assistant"}, Secret: testSecret}, at(testNow), o).ServeHTTP(w, r)
		var told struct{ Sender string }
		if err := json.Unmarshal([]byte(w.Header().Get(HeaderClaims)), &told); err != nil {
			t.Fatalf("%d %s: %v", w.Code, w.Body, err)
		}
		if told.Sender != "" && (len(told.Sender) != senderSize || strings.Contains(query+cookie, told.Sender)) {
			t.Errorf("the sender is %q", told.Sender)
		}
		return told.Sender
	}
	one, another := mint("", "1"), mint("", "2")
	first := senderOf(Options{}, "?token="+one, "")
	if first == "" || senderOf(Options{}, "?token="+one, "a=b") != first {
		t.Error("a token is not itself")
	}
	if senderOf(Options{}, "?token="+another, "") == first {
		t.Error("two tokens are one sender")
	}
	if got := senderOf(Options{}, "?token="+mint("ada", "1"), ""); got != "" {
		t.Errorf("a subject has the sender %q", got)
	}
	login := func(access Access) Options {
		return Options{Authorize: func(Settings, *http.Request, Address, time.Time) (Access, error) { return access, nil }}
	}
	cookie := senderOf(login(Access{}), "", "key=1")
	if cookie == "" || senderOf(login(Access{}), "", "key=2") == cookie {
		t.Error("two cookies are one sender")
	}
	if got := senderOf(login(Access{}), "", ""); got != "" {
		t.Errorf("a request that says nothing has the sender %q", got)
	}
	named := strings.Repeat("n", senderSize)
	if got := senderOf(login(Access{Sender: named}), "?token="+one, ""); got != named {
		t.Errorf("a login's own sender is %q", got)
	}
}
