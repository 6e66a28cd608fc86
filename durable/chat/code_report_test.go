//go:build !wasip1

package chat_test

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/script"
)

// init has the engine say of some code that it has returned what stands between two words in it, whether
// or not that is JSON.
func init() {
	engine := script.Host
	script.Host = func(request []byte) []byte {
		decoded, _ := script.DecodeRequest(request)
		if o, ok := decoded.(script.Open); ok {
			if _, rest, found := strings.Cut(o.Code, "/* returns "); found {
				value, _, _ := strings.Cut(rest, " */")
				return script.Result{State: script.Done, Value: strings.TrimSpace(value)}.Encode()
			}
		}
		return engine(request)
	}
}

// TestCodeValueIsNoJSON shows that a box which returns what is no JSON has ended the engine, and nothing
// else.
func TestCodeValueIsNoJSON(t *testing.T) {
	const ended = `{"status":"failed","error":"the code has ended the engine that runs it","calls":0}`
	for value, want := range map[string]string{
		`[1]`: `{"status":"completed","result":[1]}`, `"{"`: `{"status":"completed","result":"{"}`,
		`{`: ended, ``: ended, `1 2`: ended, `[1,]`: ended, `{"a":NaN}`: ended, "\"\x01\"": ended, `undefined`: ended,
		strings.Repeat("[", 20_000): ended, strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000): ended,
	} {
		if got := runCode(t, "return 1 /* returns "+value+" */", false); got.output != want {
			t.Errorf("%.30q: got %.200s, want %s", value, got.output, want)
		}
	}
}
