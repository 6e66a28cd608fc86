package agent

import (
	"encoding/base64"
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/limit"
)

// Content is the output of a tool that is more than a text or a value: texts, pictures, sound, and
// resources. Another program that calls the tool is sent them as they are, see [Expose]. The agent's own
// model is told their JSON.
type Content []Block

// MarshalJSON returns the content in a form that differs from that of a list.
func (c Content) MarshalJSON() ([]byte, error) {
	return limit.Marshal(struct {
		Type  string  `json:"type"`
		Value []Block `json:"value"`
	}{"content", append([]Block{}, c...)})
}

// Block is one part of [Content], or of a [PromptMessage]. [TextBlock] and the functions beside it make
// one.
type Block struct{ form any }

// MarshalJSON returns the block in the form of the protocol.
func (b Block) MarshalJSON() ([]byte, error) { return json.Marshal(b.form) }

type blockJSON struct {
	Type     string        `json:"type"`
	Text     *string       `json:"text,omitempty"`
	Data     string        `json:"data,omitempty"`
	MIME     string        `json:"mimeType,omitempty"`
	URI      string        `json:"uri,omitempty"`
	Name     string        `json:"name,omitempty"`
	Resource *embeddedJSON `json:"resource,omitempty"`
}

type embeddedJSON struct {
	URI  string  `json:"uri"`
	MIME string  `json:"mimeType,omitempty"`
	Text *string `json:"text,omitempty"`
	Blob string  `json:"blob,omitempty"`
}

// TextBlock is a text.
func TextBlock(text string) Block { return Block{blockJSON{Type: "text", Text: &text}} }

// ImageBlock is a picture of a type such as image/png.
func ImageBlock(mime string, data []byte) Block {
	return Block{blockJSON{Type: "image", Data: base64.StdEncoding.EncodeToString(data), MIME: mime}}
}

// AudioBlock is sound of a type such as audio/wav.
func AudioBlock(mime string, data []byte) Block {
	return Block{blockJSON{Type: "audio", Data: base64.StdEncoding.EncodeToString(data), MIME: mime}}
}

// ResourceBlock is a resource that is a text.
func ResourceBlock(uri, mime, text string) Block {
	return Block{blockJSON{Type: "resource", Resource: &embeddedJSON{URI: uri, MIME: mime, Text: &text}}}
}

// LinkBlock names a resource that can be read.
func LinkBlock(uri, name, mime string) Block {
	return Block{blockJSON{Type: "resource_link", URI: uri, Name: name, MIME: mime}}
}
