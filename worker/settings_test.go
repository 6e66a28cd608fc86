package worker

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSettingsFrom(t *testing.T) {
	vars := map[string]string{EnvVar: "development", SecretVar: "s", CORSVar: " * ", BindingsVar: "Assistant,Other", HostsVar: "box.local, LOCALHOST:5173", AboutVar: "{}", DevVar: "http://127.0.0.1:1"}
	got := SettingsFrom(func(name string) string { return vars[name] })
	if !got.Development || got.Secret != "s" || got.CORS != "*" || !slices.Equal(got.Bindings, []string{"Assistant", "Other"}) ||
		!slices.Equal(got.Hosts, []string{"box.local", "localhost:5173"}) || got.About != "{}" || got.Dev != "http://127.0.0.1:1" {
		t.Errorf("got %+v", got)
	}
	for _, env := range []string{"", "production", "Development", "dev", "development "} {
		if SettingsFrom(func(string) string { return env }).Development {
			t.Errorf("TRIBUTARY_ENV=%q is open", env)
		}
	}
}

// TestSettingOfCORS checks that the setting is a star or one origin, and off otherwise.
func TestSettingOfCORS(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "*": "*", " https://app.example ": "https://app.example", "https://App.Example/": "https://app.example",
		"http://localhost:5173": "http://localhost:5173", "http://[::1]:5173": "http://[::1]:5173",

		"https://a.example,https://b.example": "", "https://a.example, https://b.example": "", "https://a.example https://b.example": "",
		"*, https://a.example": "", "null": "", "app.example": "", "localhost:5173": "", "https://": "", "https://a.example/path": "",
		"https://a.example?x": "", "https://user@a.example": "", "ftp://a.example": "", "https://*.example": "https://*.example", "%": "",
	} {
		if got := SettingsFrom(func(name string) string { return map[string]string{CORSVar: value}[name] }).CORS; got != want {
			t.Errorf("%q is read as %q, want %q", value, got, want)
		}
	}
}

func TestSecretDoesNotPrint(t *testing.T) {
	settings := Settings{Secret: "hush"}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(verb, settings); strings.Contains(got, "hush") {
			t.Errorf("%s printed %s", verb, got)
		}
	}
}
