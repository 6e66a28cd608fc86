package message

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about the files that people attach to their messages, and that tools show in answers.

// MaxPictures is the largest number of pictures in a message. Their size is bounded by the limit of
// the message that holds them.
const MaxPictures = 20

// pictureTypes are the media types that every provider accepts.
var pictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// otherNames are names under which clients send some of them.
var otherNames = map[string]string{"image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png"}

// pictureType returns the media type as providers know it: in small letters, without parameters, under
// its registered name.
func pictureType(media string) string {
	media, _, _ = strings.Cut(media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return cmp.Or(otherNames[media], media)
}

// CheckAttachments returns an error if a user's message cannot be taken. An attachment that no
// model would be shown is refused, not dropped silently.
func CheckAttachments(m protocol.Message) error {
	pictures := 0
	for _, raw := range m.Parts {
		if protocol.PartType(raw) != protocol.PartFile {
			continue
		}
		p, err := protocol.ReadPart(raw)
		if err != nil {
			continue
		}
		if _, err := Picture(p); err != nil {
			return fmt.Errorf("message %q: %w", m.ID, err)
		}
		if pictures++; pictures > MaxPictures {
			return fmt.Errorf("message %q has more than %d pictures", m.ID, MaxPictures)
		}
	}
	return nil
}

// Picture reads the part of a file. Only a data URL can hold a picture: the core fetches nothing
// for a browser.
func Picture(p protocol.Part) (model.Image, error) {
	head, data, _ := strings.Cut(p.URL, ",")
	media, isData := strings.CutPrefix(head, "data:")
	media, isBase64 := strings.CutSuffix(media, ";base64")
	switch media = pictureType(media); {
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

// picturesOf counts a message's pictures, and the bytes that they take up in it. Those of an answer
// are read with it, so they count too.
func picturesOf(m protocol.Message) (pictures, bytes int) {
	for _, raw := range m.Parts {
		if protocol.PartType(raw) == protocol.PartFile {
			pictures, bytes = pictures+1, bytes+len(raw)
		}
	}
	return pictures, bytes
}

// TextOf joins a message's text parts.
func TextOf(m protocol.Message) string {
	var texts []string
	for _, raw := range m.Parts {
		if text := protocol.TextOf(raw); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n")
}
