package script_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/script"
)

var requests = []script.Request{
	script.Open{Box: 1, Prelude: "({})", Code: "1", Seed: [16]byte{1, 2, 15: 9}, Now: 1_800_000_000_000, Memory: 16 << 20, Stack: 256 << 10, Work: 50_000_000},
	script.Open{Box: math.MaxInt64, Code: strings.Repeat("é", 40_000)},
	script.Answer{Box: 7, Call: 200, OK: true, JSON: `{"a":[1,2]}`, Now: -1, Work: math.MinInt64},
	script.Answer{Box: 70_000, Call: 3, JSON: `"denied"`, Now: -40_000},
	script.Close{Box: 300},
}

func TestRequests(t *testing.T) {
	for _, want := range requests {
		got, err := script.DecodeRequest(want.Encode())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
}

var results = []script.Result{
	{State: script.Waits, Calls: []script.Call{{Number: 1, Name: "web_search", JSON: `{}`}, {Number: 2, Name: "x", JSON: "null"}}, Work: 180_248, Bytes: 1 << 20},
	{State: script.Done, Lines: []string{"a", ""}, Value: strings.Repeat("v", 70_000)},
	{State: script.Spent, Words: "memory"},
	{State: script.Waits, Lines: make([]string, 200)},
}

func TestResults(t *testing.T) {
	for _, want := range results {
		got, err := script.DecodeResult(want.Encode())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
}

func TestMalformed(t *testing.T) {
	whole := requests[2].Encode()
	for n := range whole {
		if _, err := script.DecodeRequest(whole[:n]); !errors.Is(err, script.ErrMalformed) {
			t.Errorf("%d of %d bytes: got %v", n, len(whole), err)
		}
	}
	for name, data := range map[string][]byte{
		"more behind it": append(whole, 0),
		"another kind":   {0x92, 3, 0},
		"a long list":    {0x97, 0, 0xdd, 255, 255, 255, 255},
	} {
		if _, err := script.DecodeRequest(data); !errors.Is(err, script.ErrMalformed) {
			t.Errorf("%s: got %v as a request", name, err)
		}
		if _, err := script.DecodeResult(data); !errors.Is(err, script.ErrMalformed) {
			t.Errorf("%s: got %v as a result", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, r := range requests {
		f.Add(r.Encode())
	}
	for _, r := range results {
		f.Add(r.Encode())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := script.DecodeRequest(data); err == nil {
			if again, err := script.DecodeRequest(r.Encode()); err != nil || !reflect.DeepEqual(again, r) {
				t.Errorf("%v became %v, %v", r, again, err)
			}
		}
		if r, err := script.DecodeResult(data); err == nil {
			if again, err := script.DecodeResult(r.Encode()); err != nil || !reflect.DeepEqual(again, r) {
				t.Errorf("%v became %v, %v", r, again, err)
			}
		}
	})
}
