package wire_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/wire"
	"github.com/vmihailenco/msgpack/v5"
)

var update = flag.Bool("update", false, "write testdata/golden.txt")

const goldenFile = "testdata/golden.txt"

// frames are the frames of the golden vectors: every kind, every length of head.
var frames = []struct {
	name  string
	frame wire.Frame
}{
	{"chunk", wire.Frame{Kind: wire.KindChunk, Body: []byte("hello")}},
	{"chunk 127", wire.Frame{Kind: wire.KindChunk, Index: 127, Body: []byte{}}},
	{"chunk 128", wire.Frame{Kind: wire.KindChunk, Index: 128, Body: []byte{0}}},
	{"chunk 65535", wire.Frame{Kind: wire.KindChunk, Index: 65535, Body: []byte{1}}},
	{"chunk 65536", wire.Frame{Kind: wire.KindChunk, Index: 65536, Body: []byte{2}}},
	{"chunk 2^40", wire.Frame{Kind: wire.KindChunk, Index: 1 << 40, Body: []byte{3}}},
	{"chunk of 256 bytes", wire.Frame{Kind: wire.KindChunk, Index: 1, Body: bytes.Repeat([]byte{7}, 256)}},
	{"progress", wire.Frame{Kind: wire.KindProgress, Index: 2, Body: []byte(`{"fraction":0.5}`)}},
	{"milestone", wire.Frame{Kind: wire.KindMilestone, Index: 3, Body: []byte("planned")}},
	{"waiting", wire.Frame{Kind: wire.KindWaiting, Index: 4, Body: []byte("approval")}},
	{"heartbeat", wire.Frame{Kind: wire.KindHeartbeat, Index: 5, Body: []byte{}}},
	{"end", wire.Frame{Kind: wire.KindEnd, Index: 6, Body: []byte("outcome")}},
	{"error", wire.ErrorFrame(7, &wire.Error{Code: wire.CodeRefused, Message: "no slot is free"})},
	{"host", wire.Frame{Kind: wire.KindHost, Index: 8, Body: []byte("a run")}},
}

// vectors returns the name and bytes of everything that the README describes.
func vectors() [][2]string {
	var out [][2]string
	add := func(name string, data []byte) {
		out = append(out, [2]string{name, hex.EncodeToString(data)})
	}
	add("start", wire.AppendStart(nil))
	for _, f := range frames {
		add("frame: "+f.name, wire.AppendFrame(nil, f.frame))
	}
	add("request", start.Request(startRequest{Query: "HTTP/3", Limits: limits{Steps: 300}}))
	add("request of nothing", start.Request(startRequest{}))
	add("request of a stream", tail.Request(tailRequest{After: -1}))
	mux := newMux()
	add("answer", mux.Serve(&world{}, start.Request(startRequest{Query: "HTTP/3"})))
	add("answer: refused", mux.Serve(&world{full: true}, start.Request(startRequest{})))
	add("answer: unknown method", mux.Serve(&world{}, wire.NewMethod[startRequest, startResult]("run.fly").Request(startRequest{})))
	return out
}

func TestGolden(t *testing.T) {
	var got strings.Builder
	for _, v := range vectors() {
		fmt.Fprintf(&got, "%s = %s\n", v[0], v[1])
	}
	if *update {
		if err := os.WriteFile(goldenFile, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("%s is not what is written; where that was meant, a new version is due, and -update", goldenFile)
	}
}

// TestGoldenFrames reads the vectors back.
func TestGoldenFrames(t *testing.T) {
	golden := goldenVectors(t)
	for _, f := range frames {
		t.Run(f.name, func(t *testing.T) {
			var r wire.Reader
			got, err := r.Feed(append(wire.AppendStart(nil), golden["frame: "+f.name]...))
			if err != nil || !reflect.DeepEqual(got, []wire.Frame{f.frame}) {
				t.Errorf("got %v, %v, want %v", got, err, f.frame)
			}
		})
	}
}

// TestMsgpack shows that any msgpack library can read frames and calls.
func TestMsgpack(t *testing.T) {
	for name, data := range goldenVectors(t) {
		if name == "start" {
			continue
		}
		if strings.HasPrefix(name, "frame: ") {
			data = data[4:]
		}
		r := bytes.NewReader(data)
		var list []any
		if err := msgpack.NewDecoder(r).Decode(&list); err != nil || len(list) != 3 || r.Len() > 0 {
			t.Errorf("%s: a list of %d, %d bytes behind it, %v", name, len(list), r.Len(), err)
		}
	}
}

func goldenVectors(t testing.TB) map[string][]byte {
	t.Helper()
	file, err := os.Open(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := map[string][]byte{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, text, _ := strings.Cut(lines.Text(), " = ")
		data, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = data
	}
	return out
}
