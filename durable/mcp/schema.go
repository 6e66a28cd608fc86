package mcp

import "strings"

// Limits of a schema of a tool. MaxSchema is in bytes. MaxParams is the number of arguments that are also
// sent as headers.
const (
	MaxSchema      = 32 << 10
	MaxSchemaDepth = 32
	MaxSubschemas  = 1_000
	MaxParams      = 32
)

// The reasons why a schema is refused.
const (
	errSchemaObject  failure = "its input schema is not that of an object"
	errSchemaSize    failure = "a schema has more than 32 KiB"
	errSchemaDepth   failure = "a schema is nested deeper than 32 levels"
	errSchemaMany    failure = "a schema has more than 1,000 objects"
	errSchemaRef     failure = "a schema refers to another document"
	errParamName     failure = "an x-mcp-header is no name of a header"
	errParamType     failure = "an x-mcp-header is at what is neither text, integer nor boolean"
	errParamTwice    failure = "an x-mcp-header is used twice"
	errParamMany     failure = "it has more than 32 arguments with an x-mcp-header"
	errParamNotFound failure = "an x-mcp-header is where no argument can be read"
)

const paramKeyword = "x-mcp-header"

// CheckSchema checks the limits of a schema and that it refers to no other document: none is ever
// fetched.
func CheckSchema(schema Value) error {
	if len(schema.JSON()) > MaxSchema {
		return errSchemaSize
	}
	objects := 0
	return checkSchema(schema, 1, &objects)
}

func checkSchema(v Value, depth int, objects *int) error {
	if depth > MaxSchemaDepth {
		return errSchemaDepth
	}
	if v.IsObject() {
		if *objects++; *objects > MaxSubschemas {
			return errSchemaMany
		}
	}
	for i, item := range v.Items() {
		if v.IsObject() && (v.Names()[i] == "$ref" || v.Names()[i] == "$dynamicRef") && item.IsText() && !strings.HasPrefix(item.Text(), "#") {
			return errSchemaRef
		}
		if !item.IsObject() && !item.IsList() {
			continue
		}
		if err := checkSchema(item, depth+1, objects); err != nil {
			return err
		}
	}
	return nil
}

// Params returns the arguments of a tool that are also sent as headers. An error says why the tool must
// not be used.
func Params(input Value) ([]Param, error) {
	var params []Param
	if err := collect(&params, input, nil); err != nil {
		return nil, err
	}
	if countKeyword(input, false) > len(params) {
		return nil, errParamNotFound
	}
	return params, nil
}

// collect walks over properties alone.
func collect(params *[]Param, schema Value, path []string) error {
	if keyword := schema.Get(paramKeyword); keyword.Exists() && path != nil {
		if err := checkParam(*params, schema, keyword); err != nil {
			return err
		}
		*params = append(*params, Param{Header: keyword.Text(), Path: path})
	}
	properties := schema.Get("properties")
	for i, name := range properties.Names() {
		below := append(path[:len(path):len(path)], name)
		if err := collect(params, properties.Items()[i], below); err != nil {
			return err
		}
	}
	return nil
}

func checkParam(before []Param, schema, keyword Value) error {
	name := keyword.Text()
	if !isToken(name) {
		return errParamName
	}
	if len(before) >= MaxParams {
		return errParamMany
	}
	switch schema.text("type") {
	case "string", "integer", "boolean":
	default:
		return errParamType
	}
	for _, p := range before {
		if strings.EqualFold(p.Header, name) {
			return errParamTwice
		}
	}
	return nil
}

// maxParam bounds the name of a header, in bytes.
const maxParam = 128

// isToken says whether a text can be the name of a header.
func isToken(name string) bool {
	if name == "" || len(name) > maxParam {
		return false
	}
	for _, c := range []byte(name) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
		if !letter && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return true
}

// countKeyword counts the keyword in all schemas. The names of properties are no keywords, and what is
// in an example, a default or a choice is no schema.
func countKeyword(v Value, named bool) (n int) {
	for i, item := range v.Items() {
		name := ""
		if v.IsObject() && !named {
			name = v.Names()[i]
		}
		switch name {
		case paramKeyword:
			n++
		case "const", "default", "enum", "examples":
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			n += countKeyword(item, true)
		default:
			n += countKeyword(item, false)
		}
	}
	return n
}
