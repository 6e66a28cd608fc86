package dev

import (
	"reflect"
	"strings"
	"testing"
)

// says checks that an error has all of some words.
func says(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("got no error, want one that says %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("got %q, want it to say %q", err, w)
		}
	}
}

func TestArguments(t *testing.T) {
	for name, test := range map[string]struct {
		args, env string
		want      string
	}{
		"nothing":             {"", "", "--ip 127.0.0.1 --port 8787 --inspector-port 0 --persist-to .wrangler/state"},
		"flags":               {"-port 9 --state=s", "", "--ip 127.0.0.1 --port 9 --inspector-port 0 --persist-to s"},
		"the environment":     {"", "PORT=9 STATE=s", "--ip 127.0.0.1 --port 9 --inspector-port 0 --persist-to s"},
		"both":                {"-port 10 -state t", "PORT=9 STATE=s", "--ip 127.0.0.1 --port 10 --inspector-port 0 --persist-to t"},
		"something more":      {"-- --var A:b", "", "--ip 127.0.0.1 --port 8787 --inspector-port 0 --persist-to .wrangler/state ... --var A:b"},
		"in place of ours":    {"-state s -- --ip=0.0.0.0 --inspector-port 9229", "", "--port 8787 --persist-to s ... --ip=0.0.0.0 --inspector-port 9229"},
		"a port for wrangler": {"-- --port 9", "", "--ip 127.0.0.1 --inspector-port 0 --persist-to .wrangler/state ... --port 9"},
	} {
		t.Run(name, func(t *testing.T) {
			getenv := func(key string) string {
				for set := range strings.FieldsSeq(test.env) {
					if value, ok := strings.CutPrefix(set, key+"="); ok {
						return value
					}
				}
				return ""
			}
			o, err := parse(strings.Fields(test.args), getenv)
			if err != nil {
				t.Fatal(err)
			}
			before, after, _ := strings.Cut(test.want, "...")
			want := strings.Fields("dev " + before + " --var TRIBUTARY_ENV:development --var TRIBUTARY_DEV:http://127.0.0.1:1 " + after)
			if got := o.arguments("http://127.0.0.1:1"); !reflect.DeepEqual(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestBadArguments(t *testing.T) {
	for args, want := range map[string]string{
		"-prot 9":           "flag provided but not defined: -prot",
		"-port":             "flag needs an argument: -port",
		"-port x":           `"x" is no port`,
		"-port 65536":       `"65536" is no port`,
		"-port -1":          `"-1" is no port`,
		"now":               `"now" is no flag`,
		"now -- --var a:b":  `"now" is no flag`,
		"-- --port nowhere": `"nowhere" is no port`,
		"--live-reload":     "hands to wrangler what stands behind --",
	} {
		t.Run(args, func(t *testing.T) {
			_, err := parse(strings.Fields(args), func(string) string { return "" })
			says(t, err, want)
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%q is more than a sentence", err)
			}
		})
	}
}
