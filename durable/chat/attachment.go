package chat

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about what people attach to their messages.

// MaxPictures is how many pictures a message may have. How large they may be is bounded
// by the message, which they are a part of.
const MaxPictures = 20

// pictureTypes are the media types that every provider takes.
var pictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// checkAttachments says why a message of a user's cannot be taken. What no model would be
// shown is not taken in silence.
func checkAttachments(m protocol.Message) error {
	pictures := 0
	for _, raw := range m.Parts {
		p, err := protocol.ReadPart(raw)
		if err != nil || p.Type != protocol.PartFile {
			continue
		}
		if _, err := picture(p); err != nil {
			return fmt.Errorf("message %q: %w", m.ID, err)
		}
		if pictures++; pictures > MaxPictures {
			return fmt.Errorf("message %q has more than %d pictures", m.ID, MaxPictures)
		}
	}
	return nil
}

// picture reads a file's part. Only a picture in a data URL can be one: the core fetches
// nothing for a browser.
func picture(p protocol.Part) (model.Image, error) {
	head, data, _ := strings.Cut(p.URL, ",")
	media, isData := strings.CutPrefix(head, "data:")
	media, isBase64 := strings.CutSuffix(media, ";base64")
	switch {
	case !isData, !isBase64:
		return model.Image{}, fmt.Errorf("an attachment has to be a data URL in base64")
	case !slices.Contains(pictureTypes, media):
		return model.Image{}, fmt.Errorf("an attachment is %.60q and has to be one of %s", media, strings.Join(pictureTypes, ", "))
	}
	if _, err := base64.StdEncoding.DecodeString(data); err != nil || data == "" {
		return model.Image{}, fmt.Errorf("an attachment is no base64")
	}
	return model.Image{Media: media, Data: data}, nil
}

// asked is what a user's message says and shows.
func asked(m protocol.Message) []model.Content {
	content := text(textOf(m))
	for _, raw := range m.Parts {
		p, err := protocol.ReadPart(raw)
		if err != nil || p.Type != protocol.PartFile {
			continue
		}
		if image, err := picture(p); err == nil {
			content = append(content, image)
		}
	}
	return content
}

// picturesOf counts a message's pictures, and the bytes that they take of it.
func picturesOf(m protocol.Message) (pictures, bytes int) {
	if m.Role != protocol.RoleUser {
		return 0, 0
	}
	for _, raw := range m.Parts {
		if p, err := protocol.ReadPart(raw); err == nil && p.Type == protocol.PartFile {
			pictures, bytes = pictures+1, bytes+len(raw)
		}
	}
	return pictures, bytes
}
