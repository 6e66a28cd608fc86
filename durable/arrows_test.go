package durable_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const project = "github.com/tributary-agents/tributary/"

// rooms lists for each room which packages of the project it may import. The package at the root is
// ".". A new room must be added here.
var rooms = map[string][]string{
	"durable":                         {},
	"durable/limit":                   {},
	"durable/protocol":                {"durable/limit"},
	"durable/stream":                  {"durable", "durable/limit"},
	"durable/turn":                    {"durable", "durable/limit", "durable/internal/share", "durable/internal/claims"},
	"durable/script":                  {"durable/internal/pack"},
	"durable/wire":                    {"durable/internal/pack"},
	"durable/wire/travel":             {"durable/wire"},
	"durable/wire/cmd/wirevet":        {"durable/wire/travel", "durable/flow/replay"},
	"durable/run":                     {"durable/internal/claims", "durable", "durable/internal/attempt", "durable/limit", "durable/stream", "durable/internal/validator", "durable/internal/share", "durable/internal/sha256"},
	"durable/schedule":                {"durable/internal/claims", "durable", "durable/internal/attempt", "durable/limit", "durable/internal/share"},
	"durable/schedule/zone":           {"durable/schedule"},
	"durable/flow":                    {"durable", "durable/limit"},
	"durable/flow/replay":             {},
	"durable/action":                  {"durable", "durable/flow", "durable/internal/sha256", "durable/limit", "durable/internal/share"},
	"durable/flow/transport":          {"durable", "durable/flow"},
	"durable/mcp":                     {"durable", "durable/internal/sha256", "durable/internal/sse", "durable/protocol"},
	"durable/mcp/oauth":               {"durable", "durable/internal/sha256", "durable/limit", "durable/mcp"},
	"durable/model":                   {"durable", "durable/internal/retryafter", "durable/internal/sse", "durable/limit"},
	"durable/model/anthropic":         {"durable", "durable/limit", "durable/model"},
	"durable/model/demo":              {"durable", "durable/model"},
	"durable/model/openai":            {"durable", "durable/limit", "durable/model"},
	"durable/internal/loop":           {"durable", "durable/flow", "durable/internal/approval", "durable/internal/loss", "durable/internal/message", "durable/internal/prompt", "durable/internal/reply", "durable/internal/setting", "durable/internal/supervisor", "durable/internal/task", "durable/limit", "durable/model", "durable/protocol", "durable/run", "durable/stream", "durable/turn"},
	"durable/internal/message":        {"durable/internal/claims", "durable", "durable/internal/setting", "durable/limit", "durable/model", "durable/protocol", "durable/turn"},
	"durable/internal/prompt":         {"durable", "durable/internal/message", "durable/internal/setting", "durable/limit", "durable/model", "durable/protocol", "durable/turn"},
	"durable/internal/pack":           {},
	"durable/internal/reply":          {"durable/limit", "durable/model", "durable/protocol", "durable/run", "durable/stream", "durable/turn"},
	"durable/internal/setting":        {"durable", "durable/limit"},
	"durable/internal/loss":           {"durable", "durable/internal/setting"},
	"durable/internal/admission":      {"durable/internal/loss", "durable/internal/claims", "durable", "durable/internal/message", "durable/limit", "durable/protocol", "durable/turn", "durable/internal/share"},
	"durable/internal/approval":       {"durable", "durable/internal/share"},
	"durable/internal/question":       {"durable", "durable/flow", "durable/internal/facet", "durable/limit", "durable/internal/share"},
	"durable/internal/attempt":        {"durable/limit", "durable/protocol"},
	"durable/internal/claims":         {"durable/limit"},
	"durable/internal/codemode":       {"durable/internal/sha256", "durable/limit"},
	"durable/internal/mcpclient":      {"durable", "durable/flow", "durable/internal/claims", "durable/internal/inspection", "durable/internal/retryafter", "durable/internal/sha256", "durable/internal/share", "durable/internal/validator", "durable/limit", "durable/mcp", "durable/mcp/oauth", "durable/model"},
	"durable/internal/sse":            {},
	"durable/internal/retryafter":     {},
	"durable/internal/sha256":         {},
	"durable/internal/validator":      {"durable/limit"},
	"durable/internal/infer":          {},
	"durable/internal/once":           {"durable", "durable/action", "durable/flow", "durable/internal/author", "durable/internal/claims", "durable/internal/facet", "durable/internal/supervisor", "durable/internal/task", "durable/limit", "durable/protocol", "durable/run"},
	"durable/internal/coderun":        {"durable", "durable/flow", "durable/internal/author", "durable/internal/codemode", "durable/internal/question", "durable/internal/validator", "durable/limit", "durable/protocol", "durable/script", "durable/turn"},
	"durable/internal/mcpcall":        {"durable", "durable/flow", "durable/internal/author", "durable/internal/codemode", "durable/internal/facet", "durable/internal/mcpclient", "durable/internal/mcpsignin", "durable/internal/question", "durable/internal/supervisor", "durable/internal/task", "durable/limit", "durable/mcp", "durable/model", "durable/protocol", "durable/run"},
	"durable/internal/mcpsignin":      {"durable", "durable/internal/mcpclient", "durable/limit", "durable/mcp", "durable/mcp/oauth", "durable/protocol"},
	"durable/internal/mcpserver":      {"durable/internal/inspection", "durable", "durable/action", "durable/flow", "durable/internal/author", "durable/internal/question", "durable/internal/sha256", "durable/limit", "durable/mcp", "durable/run", "durable/turn", "durable/internal/share", "durable/internal/claims"},
	"durable/internal/audience":       {"durable", "durable/internal/facet", "durable/internal/message", "durable/internal/setting", "durable/limit", "durable/protocol", "durable/run", "durable/stream", "durable/internal/share", "durable/internal/claims"},
	"durable/internal/drill":          {"durable", "durable/internal/audience", "durable/internal/facet", "durable/internal/supervisor", "durable/limit", "durable/protocol", "durable/run", "durable/wire"},
	"durable/internal/facet":          {"durable", "durable/flow", "durable/run", "durable/stream", "durable/wire"},
	"durable/internal/task":           {"durable", "durable/internal/facet", "durable/internal/setting", "durable/limit", "durable/run", "durable/stream", "durable/turn", "durable/wire"},
	"durable/internal/supervisor":     {"durable/internal/claims", "durable", "durable/flow", "durable/internal/attempt", "durable/internal/facet", "durable/limit", "durable/protocol", "durable/run", "durable/stream", "durable/wire"},
	"durable/internal/callback":       {"durable", "durable/schedule"},
	"durable/chat":                    {"durable/internal/callback", "durable/internal/claims", "durable/internal/mcpclient", "durable/internal/codemode", "durable/internal/question", "durable", "durable/action", "durable/agent", "durable/internal/admission", "durable/internal/author", "durable/internal/inspection", "durable/internal/drill", "durable/internal/attempt", "durable/internal/loop", "durable/internal/loss", "durable/internal/task", "durable/internal/supervisor", "durable/internal/approval", "durable/internal/audience", "durable/internal/facet", "durable/internal/message", "durable/internal/prompt", "durable/internal/reply", "durable/internal/setting", "durable/limit", "durable/protocol", "durable/stream", "durable/turn", "durable/flow", "durable/run", "durable/schedule", "durable/wire", "durable/model", "durable/internal/mcpserver", "durable/internal/share"},
	"durable/chat/chattest":           {"durable", "durable/agent", "durable/limit", "durable/turn", "durable/chat", "durable/flow", "durable/model", "durable/model/anthropic", "durable/model/demo", "durable/model/openai", "durable/run", "durable/schedule", "durable/schedule/zone"},
	"durable/internal/author":         {"durable", "durable/flow", "durable/internal/approval", "durable/internal/claims", "durable/internal/infer", "durable/internal/inspection", "durable/internal/loop", "durable/internal/question", "durable/internal/supervisor", "durable/internal/task", "durable/limit", "durable/model", "durable/run", "durable/turn"},
	"durable/internal/inspection":     {"durable", "durable/flow", "durable/internal/facet", "durable/run"},
	"durable/agent":                   {"durable", "durable/action", "durable/flow", "durable/internal/author", "durable/internal/claims", "durable/internal/coderun", "durable/internal/infer", "durable/internal/inspection", "durable/internal/mcpcall", "durable/internal/mcpclient", "durable/internal/mcpserver", "durable/internal/once", "durable/internal/question", "durable/internal/supervisor", "durable/internal/task", "durable/internal/validator", "durable/limit", "durable/mcp", "durable/model", "durable/protocol", "durable/run", "durable/schedule", "durable/stream", "durable/turn"},
	"durable/agents":                  {"durable", "durable/agent", "durable/chat", "durable/flow", "durable/model", "durable/model/anthropic", "durable/model/demo", "durable/model/openai"},
	"durable/durabletest":             {"durable"},
	"durable/durabletest/browser":     {},
	"durable/durabletest/releases":    {"durable", "durable/durabletest"},
	"durable/durabletest/modeltest":   {"durable", "durable/model"},
	"durable/durabletest/sim/subject": {"wasm/quickjs", "durable", "durable/chat", "durable/flow", "durable/run", "durable/schedule", "durable/turn", "durable/agent", "durable/agents", "durable/durabletest", "durable/durabletest/sim", "durable/durabletest/sim/contract"},
	"durable/durabletest/simtest":     {"durable", "durable/agent", "durable/chat", "durable/durabletest", "durable/durabletest/sim", "durable/durabletest/sim/mode", "durable/model/openai", "durable/run"},
	"durable/durabletest/cmd/exposed": {"durable/durabletest", "durable/durabletest/httphost", "e2e/mcp/agents"},
	"durable/durabletest/httphost":    {"durable", "durable/durabletest"},
	"durable/durabletest/cmd/sim":     {"durable/durabletest/sim", "durable/durabletest/sim/subject", "internal/progress"},
	"durable/durabletest/onmodule":    {"durable", "durable/durabletest", "internal/project/module", "wasm/host"},
	"wasm/abi":                        {"durable"},
	"wasm/guest":                      {"durable", "wasm/abi"},
	"wasm/cache":                      {"wasm/abi"},
	"wasm/host":                       {"durable", "durable/durabletest", "wasm/abi", "wasm/cache", "wasm/quickjs"},
	"wasm/quickjs":                    {"durable/script", "internal/embedded/quickjs", "wasm/cache", "wasm/quickjs/meter"},
	"wasm/quickjs/meter":              {"internal/section"},
	"internal/section":                {},
	"wasm/snapshot":                   {"internal/section", "wasm/abi"},
	"wasm/tck":                        {"durable", "durable/durabletest", "internal/project/module", "wasm/abi", "wasm/host"},
	"wasm/tck/cmd/soak":               {"durable/agents", "durable/durabletest", "durable/durabletest/sim", "durable/durabletest/sim/check", "durable/durabletest/sim/subject", "internal/progress", "wasm/host", "wasm/tck"},
	"wasm/tck/guest":                  {"durable", "wasm/guest"},
	"wasm/tck/script":                 {"durable", "durable/script", "wasm/guest"},
	"wasm/tck/chat":                   {"durable/chat/chattest", "wasm/guest"},
	"wasm/tck/workflow":               {"durable/agent", "durable/chat", "durable/model/demo", "wasm/guest"},
	"wasm/tck/minimal":                {"durable/agent", "durable/chat", "durable/model/openai", "wasm/guest"},
	"wasm/cmd/tributary":              {".", "durable/agents"},
	"internal/version":                {},
	"internal/about":                  {"durable", "durable/protocol", "internal/version"},
	"worker":                          {"durable/protocol", "internal/about", "internal/version"},
	"worker/cmd/frontdoor":            {"worker"},

	// The applications of the tests from outside.
	"e2e/obedient":        {"durable", "durable/model"},
	"e2e/mcp/agents":      {"durable", "durable/agent", "durable/chat", "durable/flow", "durable/model/demo", "durable/schedule", "e2e/obedient"},
	"e2e/code/agents":     {"durable", "durable/agent", "durable/chat", "durable/flow", "durable/model/demo", "durable/model/openai"},
	"e2e/workflow/agents": {"durable", "durable/agent", "durable/chat", "durable/flow", "durable/model/demo", "e2e/obedient"},

	// A project, and its tool.
	".":                         {"durable", "internal/project", "internal/version", "wasm/guest"},
	"cmd/release":               {"internal/embedded", "internal/jsonc", "wasm/quickjs/meter"},
	"internal/embedded":         {"internal/embedded/quickjs"},
	"internal/embedded/quickjs": {},
	"internal/jsonc":            {},
	"internal/project":          {"durable", "internal/about", "internal/embedded", "internal/embedded/quickjs", "internal/jsonc", "internal/project/classes", "internal/project/dev", "internal/project/module", "internal/project/strip", "internal/section", "internal/version", "wasm/abi", "worker"},
	"internal/project/classes":  {"durable", "durable/protocol", "internal/jsonc"},
	"internal/project/dev":      {},
	"internal/project/module":   {"internal/embedded", "internal/section", "wasm/snapshot"},
	"internal/project/strip":    {"internal/section"},

	// For build.sh and the tests.
	"cmd/part":          {"internal/progress"},
	"internal/draw":     {},
	"internal/progress": {},

	// What the people of a conversation share, and the test of it.
	"durable/internal/share":           {"durable/internal/claims", "durable/limit"},
	"durable/internal/share/sharetest": {"durable/internal/share"},

	// For programs that talk to agents.
	"client": {"durable/protocol"},

	// A new project.
	"cmd/tributary":             {"internal/project/scaffold", "internal/version"},
	"internal/project/scaffold": {"internal/embedded"},

	// The simulator.
	"durable/durabletest/sim":               {"durable", "durable/durabletest", "durable/durabletest/browser", "durable/durabletest/sim/check", "durable/durabletest/sim/check/client", "durable/durabletest/sim/check/mcp", "durable/durabletest/sim/check/object", "durable/durabletest/sim/check/office", "durable/durabletest/sim/check/request", "durable/durabletest/sim/contract", "durable/durabletest/sim/decide", "durable/durabletest/sim/dice", "durable/durabletest/sim/hostile", "durable/durabletest/sim/lane", "durable/durabletest/sim/login", "durable/durabletest/sim/mode", "durable/durabletest/sim/model", "durable/durabletest/sim/office", "durable/durabletest/sim/people", "durable/durabletest/sim/profile", "durable/durabletest/sim/program", "durable/durabletest/sim/reply", "durable/durabletest/sim/servers", "durable/durabletest/sim/stored", "durable/durabletest/sim/transcript"},
	"durable/durabletest/sim/contract":      {"durable"},
	"durable/durabletest/sim/dice":          {"durable/durabletest"},
	"durable/durabletest/sim/sample":        {"durable/durabletest/sim/dice"},
	"durable/durabletest/sim/lane":          {},
	"durable/durabletest/sim/reply":         {"durable", "durable/durabletest", "durable/durabletest/sim/lane"},
	"durable/durabletest/sim/mode":          {},
	"durable/durabletest/sim/code":          {"durable/durabletest/sim/contract", "durable/durabletest/sim/dice"},
	"durable/durabletest/sim/stored":        {"durable", "durable/protocol", "durable/durabletest", "durable/durabletest/sim/contract"},
	"durable/durabletest/sim/transcript":    {"durable", "durable/durabletest"},
	"durable/durabletest/sim/model":         {"durable/durabletest/sim/code", "durable", "durable/durabletest", "durable/durabletest/sim/contract", "durable/durabletest/sim/dice", "durable/durabletest/sim/lane", "durable/durabletest/sim/mode", "durable/durabletest/sim/sample"},
	"durable/durabletest/sim/profile":       {"durable/durabletest/sim/contract", "durable/durabletest/sim/dice", "durable/durabletest/sim/model"},
	"durable/durabletest/sim/check":         {"durable", "durable/durabletest", "durable/durabletest/sim/contract", "durable/durabletest/sim/mode", "durable/durabletest/sim/stored"},
	"durable/durabletest/sim/check/request": {"durable/durabletest/sim/code", "durable", "durable/durabletest", "durable/durabletest/sim/check", "durable/durabletest/sim/contract", "durable/durabletest/sim/model", "durable/durabletest/sim/stored"},
	"durable/durabletest/sim/check/object":  {"durable", "durable/durabletest/sim/check", "durable/durabletest/sim/check/request", "durable/durabletest/sim/contract", "durable/durabletest/sim/stored"},
	"durable/durabletest/sim/check/client":  {"durable", "durable/durabletest/browser", "durable/durabletest/sim/check", "durable/durabletest/sim/stored"},
	"durable/durabletest/sim/check/office":  {"durable", "durable/durabletest/sim/check", "durable/durabletest/sim/contract", "durable/durabletest/sim/office", "durable/durabletest/sim/stored"},
	"durable/durabletest/sim/check/mcp":     {"durable", "durable/durabletest/sim/check", "durable/durabletest/sim/contract", "durable/durabletest/sim/servers", "durable/durabletest/sim/stored"},
	"durable/durabletest/sim/servers":       {"durable", "durable/durabletest/sim/contract", "durable/durabletest/sim/dice", "durable/durabletest/sim/mode", "durable/durabletest/sim/reply"},
	"durable/durabletest/sim/login":         {"durable", "durable/durabletest/sim/contract", "durable/durabletest/sim/dice", "durable/durabletest/sim/mode", "durable/durabletest/sim/reply", "durable/mcp/oauth"},
	"durable/durabletest/sim/program":       {"durable", "durable/durabletest", "durable/durabletest/sim/check", "durable/durabletest/sim/contract", "durable/durabletest/sim/dice", "durable/durabletest/sim/lane"},
	"durable/durabletest/sim/office":        {"durable", "durable/durabletest/sim/contract", "durable/durabletest/sim/dice", "durable/durabletest/sim/mode", "durable/durabletest/sim/reply"},
	"durable/durabletest/sim/people":        {"durable", "durable/durabletest", "durable/durabletest/browser", "durable/durabletest/sim/check", "durable/durabletest/sim/contract", "durable/durabletest/sim/lane", "durable/durabletest/sim/mode", "durable/durabletest/sim/transcript"},
	"durable/durabletest/sim/hostile":       {"durable", "durable/durabletest", "durable/durabletest/sim/check", "durable/durabletest/sim/contract", "durable/durabletest/sim/dice"},
	"durable/durabletest/sim/decide":        {"durable/durabletest", "durable/durabletest/browser", "durable/durabletest/sim/contract", "durable/durabletest/sim/dice", "durable/durabletest/sim/hostile", "durable/durabletest/sim/lane", "durable/durabletest/sim/login", "durable/durabletest/sim/mode", "durable/durabletest/sim/people", "durable/durabletest/sim/profile", "durable/durabletest/sim/program", "durable/durabletest/sim/stored"},
}

// forbidden lists the packages that only one place may import, with the reason.
var forbidden = []struct{ path, only, reason string }{
	{"syscall/js", "worker", "JavaScript is reached from the front door alone"},
	{"github.com/coder/websocket", "client", "an agent's sockets belong to its host"},
	{"github.com/syumai/workers", "worker", "the core runs wherever bytes can be handed to it"},
	{"github.com/tetratelabs/wazero", "wasm", "the core knows no host"},
	{"os", ". cmd internal/draw internal/progress internal/project wasm worker durable/durabletest durable/wire/cmd", "the core does no I/O (I2)"},
	{"net", "internal/project/dev worker", "the core reaches the network through commands (I2)"},
	{"math/rand", "", "randomness comes through the port (I2)"},
	{"math/rand/v2", "client wasm/tck/guest wasm/snapshot", "randomness comes through the port (I2)"},
	{"crypto/rand", "client wasm/tck/guest internal/project/module", "randomness comes through the port (I2)"},
	{"sync", "client cmd/part internal/progress internal/project/dev wasm worker durable/durabletest", "the core starts no goroutine and so needs no lock (I2)"},
	{"log", "cmd wasm worker", "a log line is a command"},
	{"log/slog", "wasm worker", "a log line is a command"},
	{"unsafe", "wasm/guest worker", "pointers cross at the boundary alone"},
}

// guessable lists the libraries in the programs of a deployment that draw from math/rand, with the
// reason why that is harmless. While a program starts, the platform has no randomness, so whatever
// math/rand draws later can be guessed.
var guessable = map[string]string{
	"math/big":                 "it draws from a source that its caller gives, and no caller does",
	"crypto/ecdsa":             "a token is signed with HMAC alone",
	"crypto/internal/randutil": "it decides whether a byte of crypto/rand is skipped",
	"net/http":                 "the front door is a handler; the client and the server are not used",
}

// TestGuessable compares the users of math/rand in each program of a deployment with the list above.
func TestGuessable(t *testing.T) {
	for _, program := range []struct{ target, path string }{
		{"wasip1/wasm", project + "wasm/cmd/tributary"}, {"js/wasm", project + "worker/cmd/frontdoor"},
	} {
		packages := list(t, program.target, "-deps", program.path)
		if len(packages) < 100 {
			t.Errorf("%s has %d packages only", program.path, len(packages))
		}
		for _, p := range packages {
			uses := contains(p.Imports, "math/rand") || contains(p.Imports, "math/rand/v2")
			if uses && guessable[p.ImportPath] == "" {
				t.Errorf("%s draws from math/rand, in %s: what it draws can be guessed", p.ImportPath, program.path)
			}
		}
	}
}

// TestArrows compares the imports of the tree with the tables above.
func TestArrows(t *testing.T) {
	for _, target := range []string{"linux/amd64", "wasip1/wasm", "js/wasm"} {
		t.Run(target, func(t *testing.T) {
			for _, p := range list(t, target, project+"...") {
				room, _ := roomOf(p.ImportPath)
				for _, imported := range p.Imports {
					check(t, room, imported)
				}
			}
		})
	}
}

func check(t *testing.T, room, imported string) {
	t.Helper()
	if inner, ok := roomOf(imported); ok {
		allowed, known := rooms[room]
		switch {
		case known && !contains(allowed, inner):
			t.Errorf("%s imports %s, which the table rooms does not allow", room, inner)
		case !known && !strings.HasPrefix(room, "worker/internal/"):
			t.Errorf("%s is missing in the table rooms: add it with the packages that it may import", room)
		}
		return
	}
	for _, f := range forbidden {
		if imported == f.path && !within(room, f.only) {
			t.Errorf("%s imports %s: %s", room, f.path, f.reason)
		}
	}
}

// roomOf returns the room of a package of the project.
func roomOf(path string) (room string, ours bool) {
	if path+"/" == project {
		return ".", true
	}
	return strings.CutPrefix(path, project)
}

// TestModule shows that what a user's main package brings into the module is the agents alone: nothing
// of the tool that the same package is natively, and of no host.
func TestModule(t *testing.T) {
	packages := list(t, "wasip1/wasm", "-deps", project+"wasm/cmd/tributary")
	if len(packages) < 100 {
		t.Errorf("the module has %d packages only", len(packages))
	}
	for _, p := range packages {
		room, ours := roomOf(p.ImportPath)
		foreign := within(p.ImportPath, "github.com/tetratelabs/wazero modernc.org net/http os/exec")
		if foreign || ours && within(room, "internal/project internal/embedded cmd worker wasm/cache wasm/host wasm/quickjs durable/durabletest") {
			t.Errorf("the module has %s in it", p.ImportPath)
		}
	}
}

func contains(list []string, s string) bool {
	for _, have := range list {
		if have == s {
			return true
		}
	}
	return false
}

func within(room, places string) bool {
	for place := range strings.FieldsSeq(places) {
		if room == place || strings.HasPrefix(room, place+"/") {
			return true
		}
	}
	return false
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func list(t *testing.T, target string, args ...string) []goPackage {
	t.Helper()
	goos, goarch, _ := strings.Cut(target, "/")
	cmd := exec.Command("go", append([]string{"list", "-e", "-json=ImportPath,Imports"}, args...)...)
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "GOARCH="+goarch)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
