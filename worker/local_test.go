package worker

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestDevelopmentIsForThisMachine(t *testing.T) {
	for _, tt := range []struct {
		title, host, origin, hosts, cors string
		want                             error
	}{
		{title: "a program", host: "localhost:8787"},
		{title: "the server's own page", host: "localhost:8787", origin: "http://localhost:8787"},
		{title: "by address", host: "127.0.0.1:8787", origin: "http://127.0.0.1:8787"},
		{title: "by IPv6 address", host: "[::1]:8787", origin: "http://[::1]:8787"},
		{title: "without a port", host: "localhost", origin: "http://localhost"},
		{title: "IPv6 without a port", host: "[::1]", origin: "http://[::1]"},
		{title: "in capitals", host: "LocalHost:8787", origin: "http://localhost:8787"},
		{title: "a host that is listed", host: "box.local:8787", origin: "http://box.local:8787", hosts: "x, box.local"},
		{title: "a port that is listed", host: "box.local:8787", hosts: "box.local:8787"},
		{title: "a page that is listed", host: "localhost:8787", origin: "http://localhost:5173", hosts: "localhost:5173"},
		{title: "the page of the setting of CORS", host: "localhost:8787", origin: "http://localhost:5173", cors: "http://localhost:5173"},
		{title: "the same in capitals", host: "localhost:8787", origin: "http://LocalHost:5173", cors: "http://localhost:5173/"},

		{title: "another page than that of CORS", host: "localhost:8787", origin: "http://localhost:5174", cors: "http://localhost:5173", want: ErrForeignOrigin},
		{title: "another scheme than that of CORS", host: "localhost:8787", origin: "https://localhost:5173", cors: "http://localhost:5173", want: ErrForeignOrigin},
		{title: "a page whose name begins so", host: "localhost:8787", origin: "http://localhost:51730", cors: "http://localhost:5173", want: ErrForeignOrigin},
		{title: "CORS for all", host: "localhost:8787", origin: "https://evil.example", cors: "*", want: ErrForeignOrigin},
		{title: "an origin that is a star", host: "localhost:8787", origin: "*", cors: "*", want: ErrForeignOrigin},
		{title: "CORS for two", host: "localhost:8787", origin: "http://localhost:5173", cors: "http://localhost:5173,http://localhost:5174", want: ErrForeignOrigin},
		{title: "a page without a site, for CORS", host: "localhost:8787", origin: "null", cors: "null", want: ErrForeignOrigin},
		{title: "a rebound name beside CORS", host: "evil.example", origin: "http://localhost:5173", cors: "http://localhost:5173", want: ErrForeignHost},
		{title: "a page of another site", host: "localhost:8787", origin: "https://evil.example", want: ErrForeignOrigin},
		{title: "another port's page", host: "localhost:8787", origin: "http://localhost:3000", want: ErrForeignOrigin},
		{title: "another name of this machine", host: "localhost:8787", origin: "http://127.0.0.1:8787", want: ErrForeignOrigin},
		{title: "a page without a site", host: "localhost:8787", origin: "null", want: ErrForeignOrigin},
		{title: "no URL", host: "localhost:8787", origin: "http://%zz", want: ErrForeignOrigin},
		{title: "the host as a path", host: "localhost:8787", origin: "http://evil.example/localhost:8787", want: ErrForeignOrigin},
		{title: "the host as a user", host: "localhost:8787", origin: "http://localhost:8787@evil.example", want: ErrForeignOrigin},
		{title: "another port than the one listed", host: "localhost:1", origin: "http://localhost:3", hosts: "localhost:2", want: ErrForeignOrigin},
		{title: "a rebound name", host: "evil.example:8787", origin: "http://evil.example:8787", want: ErrForeignHost},
		{title: "a rebound name without an origin", host: "evil.example:8787", want: ErrForeignHost},
		{title: "a name below localhost's", host: "localhost.evil.example", want: ErrForeignHost},
		{title: "an address of the network", host: "192.168.0.2:8787", want: ErrForeignHost},
		{title: "an IPv6 address without brackets", host: "::1", want: ErrForeignHost},
		{title: "a name behind an IPv6 address", host: "[::1].evil.example:80", want: ErrForeignHost},
		{title: "no host", want: ErrForeignHost},
		{title: "a star is no host", host: "evil.example", hosts: "*", want: ErrForeignHost},
	} {
		t.Run(tt.title, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.Host = tt.host
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			settings := SettingsFrom(func(name string) string {
				return map[string]string{EnvVar: "development", HostsVar: tt.hosts, CORSVar: tt.cors}[name]
			})
			if _, err := Authorize(settings, r, testAddress, testNow); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

func TestDeploymentHasAnyHost(t *testing.T) {
	r := httptest.NewRequest("GET", "https://app.example/?token="+mint(t, Claims{RegisteredClaims: inAnHour, AnyAgent: true, AnyName: true}), nil)
	r.Header.Set("Origin", "https://other.example")
	if _, err := Authorize(Settings{Secret: testSecret}, r, testAddress, testNow); err != nil {
		t.Error(err)
	}
}

func TestForeignRefusalsNameTheVariable(t *testing.T) {
	for _, err := range []*Refusal{ErrForeignHost, ErrForeignOrigin, errLink, errForeignPage} {
		if len(err.Text) > maxReason {
			t.Errorf("%q is cut off in a close", err.Text)
		}
	}
	for _, err := range []*Refusal{ErrForeignHost, ErrForeignOrigin} {
		if !strings.Contains(err.Text, HostsVar) || len(err.Text) > maxReason {
			t.Errorf("%q", err.Text)
		}
	}
}
