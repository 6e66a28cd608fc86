package model

import (
	"reflect"
	"testing"
)

func parseAll(t *testing.T, pieces ...[]byte) ([]string, error) {
	t.Helper()
	var p sseParser
	var all []string
	for _, piece := range pieces {
		events, err := p.feed(piece)
		for _, e := range events {
			all = append(all, string(e.data))
		}
		if err != nil {
			return all, err
		}
	}
	for _, e := range p.rest() {
		all = append(all, "rest:"+string(e.data))
	}
	return all, nil
}

func TestSSE(t *testing.T) {
	for name, c := range map[string]struct {
		stream string
		want   []string
	}{
		"one":              {"data: a\n\n", []string{"a"}},
		"two":              {"data: a\n\ndata: b\n\n", []string{"a", "b"}},
		"no space":         {"data:a\n\n", []string{"a"}},
		"one space only":   {"data:  a\n\n", []string{" a"}},
		"colons":           {"data: a: b\n\n", []string{"a: b"}},
		"more lines":       {"data: a\ndata: b\n\n", []string{"a\nb"}},
		"carriage returns": {"data: a\r\rdata: b\r\r", []string{"a", "b"}},
		"both":             {"data: a\r\ndata: b\r\n\r\n", []string{"a\nb"}},
		"comment":          {": hi\n\ndata: a\n: there\ndata: b\n\n", []string{"a\nb"}},
		"other fields":     {"event: x\nid: 1\nretry: 2\ndatax: y\ndata: a\n\n", []string{"a"}},
		"bare name":        {"data\n\n", []string{""}},
		"empty data":       {"data:\ndata:\n\n", []string{"\n"}},
		"byte order mark":  {"\ufeffdata: a\n\n", []string{"a"}},
		"no data":          {"event: x\n\n\n\n", nil},
		"open line":        {"data: a", []string{"rest:a"}},
		"open event":       {"data: a\n", []string{"rest:a"}},
		"nothing":          {"", nil},
		"no empty line":    {"data: {}\nid: 0\ndata: {\"a\":1}\ndata: [DONE]\n", []string{"{}", `{"a":1}`, "rest:[DONE]"}},
		"JSON of lines":    {"data: {\ndata: {}\n\n", []string{"{\n{}"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseAll(t, []byte(c.stream))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
			got, err = parseAll(t, singly([]byte(c.stream))...)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("byte by byte: got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func FuzzSSE(f *testing.F) {
	f.Add([]byte(": c\r\ndata: a\ndata: b\r\rdata\n\n"), 9)
	f.Add([]byte("\ufeffdata: {}\n\n"), 2)
	f.Fuzz(func(t *testing.T, stream []byte, split int) {
		split = max(0, min(split, len(stream)))
		want, wantErr := parseAll(t, stream)
		for _, pieces := range [][][]byte{{stream[:split], stream[split:]}, singly(stream)} {
			got, err := parseAll(t, pieces...)
			if err != wantErr || !reflect.DeepEqual(got, want) {
				t.Fatalf("got %q, %v, want %q, %v", got, err, want, wantErr)
			}
		}
	})
}

func singly(body []byte) [][]byte {
	var pieces [][]byte
	for i := range body {
		pieces = append(pieces, body[i:i+1])
	}
	return pieces
}
