package worker

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// asked returns a request by its method, path and headers, in pairs.
func asked(method, path string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, "https://host"+path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// TestOwnAuthorize checks what becomes of the decisions of an application.
func TestOwnAuthorize(t *testing.T) {
	settings := Settings{Bindings: []string{"Assistant"}, Secret: testSecret, CORS: "https://app.example"}
	const path = "/agents/assistant/a%20b/x?token=t"
	long := strings.Repeat("ä", 80)
	for _, tt := range []struct {
		title   string
		until   time.Time
		err     error
		upgrade bool
		want    want
	}{
		{"in", testNow.Add(time.Hour), nil, true, want{204, "", map[string]string{
			HeaderBinding: "Assistant", HeaderName: "a%20b", HeaderUntil: fmt.Sprint(testNow.Add(time.Hour).UnixMilli()),
			HeaderClaims: fmt.Sprintf(`{"sub":"","scopes":[],"exp":%d,"sender":"47mKTaMaEn1L3m5DAz9mug","sig":"%s"}`, testNow.Add(time.Hour).Unix(), signatureOf(testSecret, testAddress)),
		}}},
		{"in without an end", time.Time{}, nil, true, want{204, "", map[string]string{
			HeaderBinding: "Assistant", HeaderUntil: "", HeaderClaims: `{"sub":"","scopes":[],"exp":0,"sender":"47mKTaMaEn1L3m5DAz9mug","sig":"` + signatureOf(testSecret, testAddress) + `"}`,
		}}},
		{"in until now", testNow, nil, false, want{401, "Unauthorized: the authorization is over", map[string]string{HeaderBinding: ""}}},
		{"in until 1970", time.Unix(0, 0), nil, true, want{204, "", map[string]string{HeaderBinding: "", HeaderClose: "4401 Unauthorized: the authorization is over"}}},
		{"out", time.Time{}, &Refusal{Status: 402, Text: "Pay"}, false, want{402, "Pay", map[string]string{
			HeaderBinding: "", "Access-Control-Allow-Origin": "https://app.example",
		}}},
		{"out, upgrade", time.Time{}, &Refusal{Status: 402, Text: "Pay"}, true, want{204, "", map[string]string{HeaderBinding: "", HeaderClose: "4402 Pay"}}},
		{"out for now, upgrade", time.Time{}, &Refusal{Status: 503, Text: "Later"}, true, want{204, "", map[string]string{HeaderClose: "1011 Later"}}},
		{"out with a long reason", time.Time{}, &Refusal{Status: 403, Text: long}, true, want{204, "", map[string]string{HeaderClose: "4403 " + strings.Repeat("ä", 61)}}},
		{"out by another error", time.Time{}, errors.New("hush"), false, want{403, "Forbidden", map[string]string{HeaderBinding: ""}}},
		{"out by another error, upgrade", time.Time{}, errors.New("hush"), true, want{204, "", map[string]string{HeaderClose: "4403 Forbidden"}}},
		{"out without a status", time.Time{}, &Refusal{Text: "Out"}, true, want{204, "", map[string]string{HeaderClose: "4403 Forbidden"}}},
		{"out with success", time.Time{}, &Refusal{Status: 204, Text: "Out"}, false, want{403, "Forbidden", map[string]string{HeaderBinding: ""}}},
	} {
		t.Run(tt.title, func(t *testing.T) {
			r := asked("GET", path)
			if tt.upgrade {
				r.Header.Set("Upgrade", "websocket")
			}
			w := httptest.NewRecorder()
			Handler(settings, at(testNow), Options{
				Authorize: func(s Settings, got *http.Request, to Address, now time.Time) (Access, error) {
					if s.Secret != testSecret || to != testAddress || !now.Equal(testNow) || got.URL.RawQuery != "token=t" {
						t.Errorf("asked about %v at %v, by %v", to, now, got.URL)
					}
					return Access{Until: tt.until}, tt.err
				},
			}).ServeHTTP(w, r)
			check(t, w.Result(), w.Body.String(), tt.want)
			if strings.Contains(w.Body.String(), "hush") {
				t.Error("the client is told an error that is no refusal")
			}
		})
	}
}

// TestAdmit checks which requests an application answers, and what of its answers is sent.
func TestAdmit(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "login", Value: "t"})
		w.WriteHeader(http.StatusNoContent)
		fmt.Fprint(w, "has no body")
	})
	mux.HandleFunc("GET /twice", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusTeapot)
		w.WriteHeader(http.StatusOK)
		fmt.Fprint(w, "first")
	})
	mux.HandleFunc("GET /forge", func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["tributary-Name"] = []string{"x"}
		w.Header().Set(HeaderBinding, "Assistant")
		w.Header().Set(HeaderClose, "4400 x")
		w.Header().Set(HeaderUntil, "1")
	})
	mux.HandleFunc("GET /long/{n}", func(w http.ResponseWriter, r *http.Request) {
		var n int
		_, _ = fmt.Sscan(r.PathValue("n"), &n)
		w.Header().Set("Set-Cookie", "a=b")
		fmt.Fprint(w, strings.Repeat("x", n))
	})
	mux.HandleFunc("GET /bytes", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte{0xff}) })
	mux.HandleFunc("GET /name", func(w http.ResponseWriter, _ *http.Request) { w.Header()["X Name"] = []string{"a"} })
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(700) })
	mux.HandleFunc("GET /header", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Name", "ä") })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "mine: ", r.URL.Path) })

	alone := Settings{Bindings: []string{"Assistant"}, Secret: testSecret}
	shared := Settings{Bindings: alone.Bindings, Secret: testSecret, CORS: "https://app.example"}
	own := func(key, value string) map[string]string { return map[string]string{key: value, HeaderBinding: ""} }
	with := asked
	body := func(path string) *http.Request {
		return httptest.NewRequest("POST", "https://host"+path, strings.NewReader("name=alice"))
	}
	endless := body("/login")
	endless.ContentLength = -1

	for _, tt := range []struct {
		title    string
		settings Settings
		r        *http.Request
		want     want
	}{
		{"a login", alone, with("POST", "/login"), want{204, "", own("Set-Cookie", "login=t")}},
		{"a login with CORS", shared, with("POST", "/login"), want{204, "", own("Access-Control-Allow-Origin", "https://app.example")}},
		{"a preflight with CORS", shared, with("OPTIONS", "/login"), want{200, "", own("Access-Control-Allow-Credentials", "true")}},
		{"OPTIONS without CORS", alone, with("OPTIONS", "/x"), want{200, "mine: /x", own("Access-Control-Allow-Origin", "")}},
		{"a method that is not for the path", alone, with("PUT", "/long/1"), want{200, "mine: /long/1", nil}},
		{"any other path", alone, with("GET", "/"), want{200, "mine: /", nil}},
		{"the first status", alone, with("GET", "/twice"), want{418, "first", nil}},
		{"the longest text", alone, with("GET", "/long/65536"), want{200, strings.Repeat("x", 65536), own("Set-Cookie", "a=b")}},

		{"a text that is too long", alone, with("GET", "/long/65537"), want{500, "64 KiB", own("Set-Cookie", "")}},
		{"no text", alone, with("GET", "/bytes"), want{500, "64 KiB", nil}},
		{"a header that cannot be sent", alone, with("GET", "/header"), want{500, "A header of the front door's answer cannot be sent", own("X-Name", "")}},
		{"a header without a proper name", alone, with("GET", "/name"), want{500, "A header of the front door's answer cannot be sent", own("X-Name", "")}},
		{"a status that there is not", alone, with("GET", "/status"), want{500, "with a status from 200 to 599", own("X-Name", "")}},
		{"a forged decision", alone, with("GET", "/forge"), want{200, "", map[string]string{
			HeaderBinding: "", HeaderName: "", "tributary-Name": "", HeaderClose: "", HeaderUntil: "",
		}}},
		{"a body", alone, body("/login"), want{413, "no body", own("Set-Cookie", "")}},
		{"a body of unknown length", alone, endless, want{413, "no body", own("Set-Cookie", "")}},
		{"a socket", alone, with("GET", "/login", "Upgrade", "websocket"), want{204, "", own(HeaderClose, "4404 Not found")}},
		{"an agent's path", alone, with("GET", "/agents/assistant/x"), want{401, "a token is required", nil}},
		{"an unknown agent's path", alone, with("GET", "/agents/nobody/x"), want{400, "Invalid request", nil}},
		{"the path of no agent", alone, with("GET", "/agents"), want{404, "Not found", nil}},
		{"an agent's path without a name", alone, with("GET", "//agents/assistant"), want{404, "Not found", nil}},
		{"health", alone, with("GET", "/health"), want{200, `"ok":true`, nil}},
		{"the introduction", alone, with("GET", "/tributary.json"), want{200, `"roots"`, nil}},
	} {
		t.Run(tt.title, func(t *testing.T) {
			handler := Handler(tt.settings, at(testNow), Options{Admit: mux})
			plain := httptest.NewRecorder()
			handler.ServeHTTP(plain, tt.r)
			check(t, plain.Result(), plain.Body.String(), tt.want)
			for key := range plain.Header() {
				if strings.EqualFold(key, HeaderName) {
					t.Errorf("%s is sent", key)
				}
			}
		})
	}
}

// TestForeignCookies checks whose cookies a login of one's own sees.
func TestForeignCookies(t *testing.T) {
	deployed := Settings{Bindings: []string{"Assistant"}}
	shared := Settings{Bindings: deployed.Bindings, CORS: "https://app.example"}
	anyone := Settings{Bindings: deployed.Bindings, CORS: "*", Hosts: []string{"app.example"}}
	watched := Settings{Bindings: deployed.Bindings, Hosts: []string{"app.example"}, Development: true}
	for _, tt := range []struct {
		title, origin string
		settings      Settings
		want          string
	}{
		{"a program, or an old browser", "", deployed, "t"},
		{"an address that was typed", "site:none", deployed, "t"},
		{"what the host's own page reads", "site:same-origin", deployed, "t"},
		{"a link on another page", "site:cross-site", deployed, ""},
		{"a link on another page, with CORS", "site:cross-site", shared, ""},
		{"a picture on a page of a host beside", "site:same-site", deployed, ""},
		{"the host's own page", "https://host", deployed, "t"},
		{"the origin of CORS", "https://app.example", shared, "t"},
		{"the host's own page, with CORS", "https://host", shared, "t"},
		{"a page that development lists", "https://app.example", watched, "t"},

		{"another page", "https://evil.example", deployed, ""},
		{"another page, with CORS", "https://evil.example", shared, ""},
		{"another page below CORS", "https://app.example.evil.example", shared, ""},
		{"another page, with CORS for all", "https://evil.example", anyone, ""},
		{"a page that only development lists", "https://app.example", anyone, ""},
		{"a star", "*", anyone, ""},
		{"another port's page", "https://host:444", deployed, ""},
		{"a page without a site", "null", deployed, ""},
	} {
		t.Run(tt.title, func(t *testing.T) {
			var got []string
			note := func(r *http.Request) {
				value := ""
				if c, err := r.Cookie("login"); err == nil {
					value = c.Value
				}
				got = append(got, value)
			}
			door := Handler(tt.settings, at(testNow), Options{
				Authorize: func(_ Settings, r *http.Request, _ Address, _ time.Time) (Access, error) {
					note(r)
					return Access{}, nil
				},
				Admit: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { note(r) }),
			})
			for _, path := range []string{"/agents/assistant/x", "/me"} {
				r := asked("GET", path, "Cookie", "a=b; login=t")
				if site, ok := strings.CutPrefix(tt.origin, "site:"); ok {
					r.Header.Set("Sec-Fetch-Site", site)
				} else if tt.origin != "" {
					r.Header.Set("Origin", tt.origin)
				}
				door.ServeHTTP(httptest.NewRecorder(), r)
				if r.Header.Get("Cookie") == "" {
					t.Error("the caller's request was changed")
				}
			}
			if len(got) != 2 || got[0] != tt.want || got[1] != tt.want {
				t.Errorf("got %q, want %q for both", got, tt.want)
			}
		})
	}
}

// TestSealOfWords checks that every text reaches the client through headers, which are ASCII.
func TestSealOfWords(t *testing.T) {
	const words = "Zu spät… 100 %"
	door := Seal(Handler(Settings{Bindings: []string{"Assistant"}}, at(testNow), Options{
		Authorize: func(Settings, *http.Request, Address, time.Time) (Access, error) {
			return Access{}, &Refusal{Status: 403, Text: words}
		},
	}))
	for header, r := range map[string]*http.Request{
		HeaderBody:  asked("GET", "/agents/assistant/x"),
		HeaderClose: asked("GET", "/agents/assistant/x", "Upgrade", "websocket"),
	} {
		w := httptest.NewRecorder()
		door.ServeHTTP(w, r)
		sealed := w.Header().Get(header)
		got, err := url.PathUnescape(sealed)
		if err != nil || strings.TrimPrefix(got, "4403 ") != words || strings.ContainsFunc(sealed, unprintable) {
			t.Errorf("%s is %q, %v", header, sealed, err)
		}
	}
}
