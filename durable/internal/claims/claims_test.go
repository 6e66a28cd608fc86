package claims_test

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/claims"
)

// TestEqual compares claims: subject and scopes count, and nothing else does.
func TestEqual(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, test := range []struct {
		a, b         string
		same, person bool
	}{
		{``, ``, true, true},
		{``, `{"sub":"s","scopes":["a"]}`, false, false},
		{`{"sub":"s","scopes":["a","b"]}`, `{"sub":"s","scopes":["b","a","b"],"exp":9}`, true, true},
		{`{"sub":"s","scopes":[],"exp":1}`, `{"sub":"s","exp":2}`, true, true},
		{`{"sub":"s","scopes":["a"]}`, `{"sub":"s","scopes":["a","b"]}`, false, true},
		{`{"sub":"s","scopes":["a"]}`, `{"sub":"n","scopes":["a"]}`, false, false},
		{`{"sub":"s","scopes":["a"]}`, `{"scopes":["a"],"sender":"s"}`, false, false},
		{`{"scopes":["a"]}`, `{"scopes":["a"]}`, false, false},
		{`{"scopes":["a"],"sender":"one"}`, `{"scopes":["a"],"sender":"one","exp":3}`, true, true},
		{`{"scopes":["a"],"sender":"one"}`, `{"scopes":["b"],"sender":"one"}`, false, true},
		{`{"scopes":["a"],"sender":"one"}`, `{"scopes":["a"],"sender":"two"}`, false, false},
		{`{"sub":"` + long + `","scopes":[]}`, `{"sub":"` + long + `","scopes":[]}`, false, false},
		{`no JSON`, `no JSON`, false, false},
		{claims.Nobody, claims.Nobody, false, false},
		{claims.Nobody, ``, false, false},
	} {
		for range 2 {
			if got := claims.Equal(test.a, test.b); got != test.same {
				t.Errorf("%.60q and %.60q: equal is %v", test.a, test.b, got)
			}
			if got := claims.SamePerson(test.a, test.b); got != test.person {
				t.Errorf("%.60q and %.60q: the same person is %v", test.a, test.b, got)
			}
			test.a, test.b = test.b, test.a
		}
	}
}

// TestMeet combines claims: they are the caller's, and grant no more than either.
func TestMeet(t *testing.T) {
	for _, test := range []struct{ caller, others, want string }{
		{``, ``, ``},
		{``, `{"sub":"s","scopes":["a"]}`, `{"sub":"s","scopes":["a"]}`},
		{`{"sub":"n","scopes":["b"]}`, ``, `{"sub":"n","scopes":["b"]}`},
		{`{"sub":"n","scopes":[]}`, `{"sub":"s","scopes":["a"]}`, `{"sub":"n","scopes":[]}`},
		{`{"sub":"n","scopes":["c","b","a"]}`, `{"sub":"s","scopes":["d","a","b"]}`, `{"sub":"n","scopes":["a","b"]}`},
		{`{"scopes":["a"],"sender":"one"}`, `{"sub":"s","scopes":["a"]}`, `{"scopes":["a"],"sender":"one"}`},
		{claims.Nobody, `{"sub":"s","scopes":["a"]}`, claims.Nobody},
		{`no JSON`, `{"sub":"s","scopes":["a"]}`, claims.Nobody},
		{`{"sub":"s","scopes":["a"]}`, `no JSON`, `{"sub":"s","scopes":[]}`},
	} {
		if got := claims.Meet(test.caller, test.others); got != test.want {
			t.Errorf("%q with %q is %q, want %q", test.caller, test.others, got, test.want)
		}
	}
}

// TestCovers shows who may have another's work go on.
func TestCovers(t *testing.T) {
	for _, test := range []struct {
		caller, other string
		want          bool
	}{
		{``, ``, true},
		{``, `{"sub":"s","scopes":["a"]}`, true},
		{`{"sub":"s","scopes":["a"]}`, ``, false},
		{`{"sub":"p","scopes":["a","b"]}`, `{"sub":"s","scopes":["a"]}`, true},
		{`{"sub":"n","scopes":["b"]}`, `{"sub":"s","scopes":["a"]}`, false},
		{`{"sub":"n","scopes":[]}`, `{"sub":"s","scopes":[]}`, true},
	} {
		if got := claims.Read(test.caller).Covers(claims.Read(test.other)); got != test.want {
			t.Errorf("%q covers %q: %v", test.caller, test.other, got)
		}
	}
}

// TestPerson keeps apart what may not be mixed up: a subject may have any name.
func TestPerson(t *testing.T) {
	seen := map[string]string{}
	for _, text := range []string{``, `{"sub":"s"}`, `{"sub":"everybody"}`, `{"sub":"sender s"}`, `{"sender":"s"}`} {
		key := claims.Person(text)
		if other, ok := seen[key]; ok || key == "" {
			t.Errorf("%q has the key %q, which %q has", text, key, other)
		}
		seen[key] = text
	}
	if key := claims.Person(claims.Nobody); key != "" {
		t.Errorf("nobody has the key %q", key)
	}
}
