package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// doubled returns a schema in which 30 definitions each refer twice to the next one.
func doubled(format string) string {
	var b strings.Builder
	for i := range 30 {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
		fmt.Fprintf(&b, `"d%d":`+format+`,`, i, next, next)
	}
	return `{"type":"object","$ref":"#/$defs/d0","$defs":{` + b.String() + `"d30":{}}}`
}

// costly are schemas whose checks have no other end than that of their countdown.
var costly = map[string]string{
	"itself":      `{"type":"object","$ref":"#"}`,
	"a circle":    `{"type":"object","allOf":[{"$ref":"#"}]}`,
	"not":         `{"type":"object","not":{"$ref":"#"}}`,
	"an anchor":   `{"type":"object","$anchor":"a","if":{"$ref":"#a"}}`,
	"dynamic":     `{"type":"object","$dynamicAnchor":"a","allOf":[{"$dynamicRef":"#a"}]}`,
	"2^30 oneOf":  doubled(`{"oneOf":[%s,%s]}`),
	"2^30 allOf":  doubled(`{"allOf":[%s,%s]}`),
	"2^30 if":     doubled(`{"if":%s,"then":%s}`),
	"2^30 not":    doubled(`{"allOf":[{"not":{"not":%s}},%s]}`),
	"2^30 depend": doubled(`{"dependentSchemas":{"n":%s,"m":%s}}`),
}

// TestCostlySchemas checks that a schema of a server is held to its countdown: that of a result, and that of a form which a
// person answers. Each of them would end the instance, or stop it for hours.
func TestCostlySchemas(t *testing.T) {
	for name, schema := range costly {
		t.Run("result/"+name, func(t *testing.T) {
			w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
				if q.Method == "tools/list" {
					return 200, `{"resultType":"complete","ttlMs":3600000,"tools":[{"name":"search","inputSchema":{"type":"object"},"outputSchema":` + schema + `}]}`
				}
				return docs(func(rpc) (int, string) {
					return 200, `{"resultType":"complete","content":[],"structuredContent":{"n":1,"m":2}}`
				})(q)
			})
			w.do("connect a", "say a R1 u1: call docs_search {}", "tick 5s")
			w.wants("a server has said a schema that cannot be used", "the output takes more than", `"output":{"n":1,"m":2}`, `"done":true,"outcome":"completed"`)
		})
		t.Run("form/"+name, func(t *testing.T) {
			w := newRemote(t, docsAgent(), docs(func(q rpc) (int, string) {
				if q.Params.InputResponses != nil {
					return 200, said("thanks")
				}
				form := `{"method":"elicitation/create","params":{"mode":"form","message":"who?","requestedSchema":` + strings.Replace(schema, "{", `{"properties":{"n":{"type":"integer"}},`, 1) + `}}`
				return 200, `{"resultType":"input_required","requestState":"s","inputRequests":{"who":` + form + `}}`
			}))
			w.do("connect a", "say a R1 u1: call docs_search {}", "tick 5s")
			id := regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text())
			w.do("result a "+id+` {"n":1,"m":2}`, "tick 1s")
			if strings.Contains(w.text(), "trap") || !strings.Contains(w.text(), "the answer takes more than") {
				t.Errorf("got %s", tailWriter(w.text()))
			}
		})
	}
}
