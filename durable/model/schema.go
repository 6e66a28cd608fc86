package model

import (
	"bytes"
	"encoding/json"
	"slices"
)

// emptySchema is the schema of a tool without input.
var emptySchema = json.RawMessage(`{"type":"object","properties":{}}`)

// InputSchema returns the JSON Schema of the tool's input. For a tool without input it is the
// schema of an empty object. The caller must not change it.
func (t Tool) InputSchema() json.RawMessage {
	if len(t.Schema) == 0 {
		return emptySchema
	}
	return t.Schema
}

// schemaNode is the part of a schema that decides whether a provider can make a model keep to it.
type schemaNode struct {
	Type       json.RawMessage            `json:"type"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
	Additional json.RawMessage            `json:"additionalProperties"`
	Items      json.RawMessage            `json:"items"`
}

// plainKeywords are the keywords that every provider understands.
var plainKeywords = []string{"type", "properties", "required", "additionalProperties", "items", "description", "enum", "title"}

// ClosedSchema says whether a schema describes objects without additional properties, in keywords
// that every provider understands. A provider can restrict a model to such a schema. Any other
// schema goes into the instructions.
func ClosedSchema(schema json.RawMessage) bool { return isObject(schema) && fits(schema, false) }

// StrictSchema says whether a schema is closed, see [ClosedSchema], and also requires all
// properties, as OpenAI's strict mode demands:
// https://platform.openai.com/docs/guides/structured-outputs#supported-schemas.
func StrictSchema(schema json.RawMessage) bool { return isObject(schema) && fits(schema, true) }

func isObject(schema json.RawMessage) bool {
	var node schemaNode
	return json.Unmarshal(schema, &node) == nil && string(node.Type) == `"object"`
}

func fits(schema json.RawMessage, strict bool) bool {
	var words map[string]json.RawMessage
	var node schemaNode
	if json.Unmarshal(schema, &words) != nil || json.Unmarshal(schema, &node) != nil {
		return false
	}
	for word := range words {
		if !slices.Contains(plainKeywords, word) {
			return false
		}
	}
	if words["properties"] != nil || bytes.Contains(node.Type, []byte(`"object"`)) {
		if string(node.Additional) != "false" {
			return false
		}
	}
	for name, property := range node.Properties {
		if strict && !slices.Contains(node.Required, name) || !fits(property, strict) {
			return false
		}
	}
	return len(node.Items) == 0 || fits(node.Items, strict)
}
