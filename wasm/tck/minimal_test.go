package tck

import (
	"bytes"
	"compress/gzip"
	"os"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/internal/project/module"
	"github.com/tributary-agents/tributary/wasm/abi"
	"github.com/tributary-agents/tributary/wasm/host"
)

// The budget of the smallest application, in kB of 1000 bytes: what every application carries. A
// feature that an application asks for when it makes its agents, such as a tool with a key, does not
// move it. What a request from outside or a stored row can begin is in every module, because a module
// that has just begun serves these before any code of the author has run. That is 750 of 8,915 kB for
// the runs of workflows: signals, pauses, restarts, runs that the root hosts, questions and their
// list, and the sections of the inspector. Compressed it is 105 of 2,252 kB. The Model Context Protocol adds 50 kB,
// 9 compressed: where an object asks whether its agent has servers or is one, and the statements of the tables of both,
// which a module must know to open storage that an earlier one has written. Of that, 24 kB were saved elsewhere. What nobody else may decide, such as the budgets of
// sockets and what is known of losses, is in every module as well: at most 60 kB, 15 compressed. Schemas are made fit
// for a provider in every module, because a page may offer tools, and so are failures read in all their shapes and kept
// with the answers that they have ended: 125 kB,
// 17 compressed. Words that are joined for many sockets, the lines of server-sent events, and the table of routes take 15 kB,
// 2 compressed. The library of MessagePack, with what it imports for values of any type, is 580 kB, 110 compressed: objects
// speak it to each other in every module.
const (
	minimalRaw     = 9680
	minimalZipped  = 2380
	minimalCommand = "wasm/tck/minimal"
)

// TestMinimalSize holds the module of the smallest application, as the linker leaves it, to its budget, and
// shows that it runs no scripts and works: it greets a tab, and asks its model.
func TestMinimalSize(t *testing.T) {
	path, small := compile(t, minimalCommand)
	code, err := os.ReadFile(module.Linked(path))
	if err != nil {
		t.Fatal(err)
	}
	raw, zipped := len(code)/1000, zip(t, code)/1000
	t.Logf("%d kB, %d kB gzipped", raw, zipped)
	if raw > minimalRaw || zipped > minimalZipped {
		t.Errorf("got %d kB, %d kB gzipped, want at most %d and %d", raw, zipped, minimalRaw, minimalZipped)
	}

	if runsScripts(code) {
		t.Error("the module imports the function script, and so its Worker would get the engine")
	}

	e := host.NewEngine(small, host.EngineOptions{Seed: 1})
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	opened := durable.Opened{
		Class: "Assistant", Name: "x",
		Vars: map[string]string{"MODEL_PROVIDER": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": "http://model"},
	}
	const ask = `{"type":"cf_agent_use_chat_request","id":"r","init":{"method":"POST","body":` +
		`"{\"messages\":[{\"id\":\"u\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"hi\"}]}]}"}}`
	var asked int
	for _, event := range []durable.Event{
		durable.SocketOpened{Conn: "c", URL: "/agents/assistant/x?_pk=c"},
		durable.SocketMessage{Conn: "c", Text: ask},
	} {
		commands, err := e.Step("x", 1, opened, event)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range commands {
			if fetch, ok := command.(durable.Fetch); ok && fetch.URL == "http://model/chat/completions" {
				asked++
			}
		}
	}
	if asked != 1 {
		t.Errorf("the model was asked %d times, want once", asked)
	}
}

// runsScripts reports whether a module imports the function script.
func runsScripts(code []byte) bool {
	return bytes.Contains(code, []byte("\x0c"+abi.Namespace+"\x06script\x00"))
}

// zip returns the size of data, compressed.
func zip(t *testing.T, data []byte) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}
