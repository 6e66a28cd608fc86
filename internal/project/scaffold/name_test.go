package scaffold

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for folder, want := range map[string]string{
		"my-app":                 "my-app",
		"My App":                 "my-app",
		"chat.example":           "chat-example",
		"--x--y--":               "x-y",
		"9lives":                 "9lives",
		"Ünder":                  "nder",
		"日本":                     "app",
		"/":                      "app",
		strings.Repeat("a-", 60): strings.Repeat("a-", 26) + "a",
	} {
		if got := nameOf(folder); got != want {
			t.Errorf("%q: got %q, want %q", folder, got, want)
		}
	}
}

func TestModules(t *testing.T) {
	for _, path := range []string{"my-app", "app", "example.com/app", "example.com/me/app/v2", "gopkg.in/app.v3", "me/app", "test", "example/app", framework + "/app"} {
		if err := checkModule(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for path, refusal := range map[string]string{
		"":                    "is no module path",
		"my app":              "is no module path",
		"/app":                "is no module path",
		"app/":                "is no module path",
		"../app":              "is no module path",
		"example.com/app/v1":  "is no module path",
		"example.com/app/v0":  "is no module path",
		"Example.com/app":     "is no module path",
		"example.com/.hidden": "is no module path",
		"example.com/a\nb":    "is no module path",
		"example.com//a":      "is no module path",
		"https://example.com": "is no module path",
		"fmt":                 "fmt belongs to Go itself",
		"net/mine":            "net belongs to Go itself",
		"cmd":                 "cmd belongs to Go itself",
		framework:             "is the path of Tributary itself",
	} {
		refused(t, checkModule(path), refusal)
	}
}

// TestStandard compares the list with the Go that runs the test.
func TestStandard(t *testing.T) {
	out, err := exec.Command("go", "list", "std", "cmd").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if first, _, _ := strings.Cut(path, "/"); !slices.Contains(standard, first) {
			t.Errorf("%s is missing", first)
		}
	}
}
