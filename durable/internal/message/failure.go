package message

import (
	"bytes"
	"encoding/json"
)

// FieldFailure is the metadata field of an answer that says why its turn has failed: it is not whole.
const FieldFailure = "failure"

// WithFailure returns the metadata of an answer with the reason why its turn has failed. A turn that went on, and has not
// failed now, has the reason "", and the field goes.
func WithFailure(metadata json.RawMessage, reason string) json.RawMessage {
	switch {
	case reason != "":
		return WithField(metadata, FieldFailure, reason)
	case bytes.Contains(metadata, []byte(`"`+FieldFailure+`":`)):
		return WithField(metadata, FieldFailure, nil)
	}
	return metadata
}
