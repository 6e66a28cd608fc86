package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestFrameIsCut checks what a frame leaves out that has no room for 512 tools: first the descriptions, then the
// schemas of the tools that the model is not told of, which are those behind the first 128, and then all schemas.
func TestFrameIsCut(t *testing.T) {
	for name, c := range map[string]struct {
		// The bytes of a description, and of the schemas of the first 128 tools and of the others.
		description, told, untold int
		// How many descriptions and schemas of each kind are shown.
		descriptions, toldShown, untoldShown int
	}{
		"all":                            {100, 100, 100, 512, 256, 768},
		"without descriptions":           {1_000, 100, 100, 0, 128, 384},
		"without the schemas of untold":  {100, 1_500, 1_500, 0, 128, 0},
		"without schemas, told is large": {100, 6_000, 1, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var tools []string
			for i := range 512 {
				kind, size := "first", c.told
				if i >= 128 {
					kind, size = "other", c.untold
				}
				tools = append(tools, fmt.Sprintf(`{"name":"t%d","description":"says %s","inputSchema":{"type":"object","properties":{"%s-%s":{}}}}`,
					i, strings.Repeat("d", c.description), kind, strings.Repeat("x", size)))
			}
			w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
				if q.Method == "tools/list" {
					return 200, `{"resultType":"complete","ttlMs":0,"tools":[` + strings.Join(tools, ",") + `]}`
				}
				return docs(func(rpc) (int, string) { return 200, said("x") })(q)
			})
			w.do("connect a", "say a R1 u1: hello", "tick 5s")
			frame := w.lastFrame()
			if len(frame) > 513<<10 {
				t.Errorf("the frame has %d bytes", len(frame))
			}
			for what, want := range map[string]int{`"serverId":`: 512, `"description":`: c.descriptions, `"first-x`: c.toldShown, `"other-x`: c.untoldShown} {
				if n := strings.Count(frame, what); n != want {
					t.Errorf("%s is there %d times, want %d", what, n, want)
				}
			}
			if told := regexp.MustCompile(`tools \[([^\]]*)\]`).FindStringSubmatch(w.text()); told == nil || len(strings.Fields(told[1])) != 128 {
				t.Errorf("the model is told of %s", told)
			}
		})
	}
}
