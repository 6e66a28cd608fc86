package message

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// userMessage returns a user's message with some parts, JSON.
func userMessage(parts ...string) protocol.Message {
	m := protocol.Message{ID: "u1", Role: protocol.RoleUser}
	for _, p := range parts {
		m.Parts = append(m.Parts, json.RawMessage(p))
	}
	return m
}

// file is the part of a file with a URL.
func file(url string) string { return `{"type":"file","mediaType":"image/png","url":"` + url + `"}` }

// TestCheckAttachments checks which attachments are taken.
func TestCheckAttachments(t *testing.T) {
	const text, picture = `{"type":"text","text":"hello"}`, "data:image/png;base64,AAAA"
	const noURL, noBase64 = "an attachment has to be a data URL in base64", "an attachment is no base64"
	for _, test := range []struct {
		name  string
		parts []string
		// want is the error behind the message's name, or "".
		want string
	}{
		{"no attachment", []string{text}, ""},
		{"a picture", []string{text, file(picture)}, ""},
		{"a picture of another type", []string{file("data:image/webp;base64,AAAA")}, ""},
		{"a picture under another name", []string{file("data:image/jpg;base64,AAAA")}, ""},
		{"a picture in capitals", []string{file("data:IMAGE/PNG;base64,AAAA")}, ""},
		{"a picture with a parameter", []string{file("data:image/webp;q=1;base64,AAAA")}, ""},
		{"as many pictures as there can be", slices.Repeat([]string{file(picture)}, MaxPictures), ""},
		{"a part that is no file", []string{`{"type":"data-file","url":"https://example.com/a.png"}`}, ""},
		{"one picture more", slices.Repeat([]string{file(picture)}, MaxPictures+1), " has more than 20 pictures"},
		{"a link", []string{file("https://example.com/a.png")}, ": " + noURL},
		{"no URL", []string{`{"type":"file"}`}, ": " + noURL},
		{"a data URL that is not in base64", []string{file("data:image/png,AAAA")}, ": " + noURL},
		{"a data URL without data", []string{file("data:image/png;base64,")}, ": " + noBase64},
		{"a data URL that claims to be in base64", []string{file("data:image/png;base64,<svg>")}, ": " + noBase64},
		{
			"a document",
			[]string{file("data:application/pdf;base64,AAAA")},
			`: an attachment is "application/pdf" and has to be one of image/png, image/jpeg, image/gif, image/webp`,
		},
		{
			"a picture that runs code",
			[]string{file("data:image/svg+xml;base64,AAAA")},
			`: an attachment is "image/svg+xml" and has to be one of image/png, image/jpeg, image/gif, image/webp`,
		},
		{"a link behind a picture", []string{file(picture), file("https://example.com/a.png")}, ": " + noURL},
	} {
		got := fmt.Sprint(CheckAttachments(userMessage(test.parts...)))
		if want := `message "u1"` + test.want; got != want && (got != "<nil>" || test.want != "") {
			t.Errorf("%s: got the error %s, want %s", test.name, got, want)
		}
	}
}

// TestPicturesOf checks which parts of a message count as pictures.
func TestPicturesOf(t *testing.T) {
	picture := file("data:image/png;base64,AAAA")
	answer := userMessage(picture)
	answer.Role = protocol.RoleAssistant
	for _, test := range []struct {
		name     string
		message  protocol.Message
		pictures int
	}{
		{"a text", userMessage(`{"type":"text","text":"hello"}`), 0},
		{"two pictures and a text", userMessage(picture, `{"type":"text","text":"hello"}`, picture), 2},
		{"a picture of an answer", answer, 1},
	} {
		pictures, bytes := picturesOf(test.message)
		if pictures != test.pictures || bytes != test.pictures*len(picture) {
			t.Errorf("%s: got %d pictures of %d bytes, want %d of %d", test.name, pictures, bytes, test.pictures, test.pictures*len(picture))
		}
	}
}

// TestTextOf checks which parts of a message are its text.
func TestTextOf(t *testing.T) {
	for _, test := range []struct {
		parts []string
		want  string
	}{
		{nil, ""},
		{[]string{`{"type":"text","text":"one"}`}, "one"},
		{[]string{`{"type":"text","text":"one"}`, `{"type":"text","text":"two"}`}, "one\n\ntwo"},
		{[]string{`{"type":"text","text":""}`, file("data:image/png;base64,AAAA"), `{"type":"text","text":"two"}`}, "two"},
		{[]string{`{"type":"reasoning","text":"hm"}`, `{"type":"text","text":"one"}`}, "one"},
	} {
		if got := TextOf(userMessage(test.parts...)); got != test.want {
			t.Errorf("%s: got %q, want %q", strings.Join(test.parts, " "), got, test.want)
		}
	}
}

// TestPictureHasItsRegisteredType checks that a provider is told the media type that it knows.
func TestPictureHasItsRegisteredType(t *testing.T) {
	for media, want := range map[string]string{
		"image/png": "image/png", "image/jpg": "image/jpeg", "image/JPG": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png", "image/jpeg;name=a.jpg": "image/jpeg",
	} {
		got, err := Picture(protocol.Part{Type: protocol.PartFile, URL: "data:" + media + ";base64,AAAA"})
		if err != nil || got.Media != want {
			t.Errorf("%s: got %q, %v, want %q", media, got.Media, err, want)
		}
	}
}
