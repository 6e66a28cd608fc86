package mcp

import "slices"

// Tools is a page of tools.
type Tools struct {
	final
	Tools []Tool `mcp:"tools,need"`
	// Next is the cursor of the next page, or nil at the end.
	Next  *string `mcp:"nextCursor"`
	Cache Cache   `mcp:""`
}

// ParseTools reads a page of tools. What cannot be used is left to a [Catalogue] to refuse.
func ParseTools(v Value) (r Tools, err error) {
	if _ = decode(v, &r); r.Tools == nil {
		return r, errPage
	}
	return r, nil
}

// Prompt is a template of messages.
type Prompt struct {
	Name        string     `mcp:"name,need"`
	Title       string     `mcp:"title,omit"`
	Description string     `mcp:"description,omit"`
	Arguments   []Argument `mcp:"arguments,omit"`
	Icons       Value      `mcp:"icons"`
	Meta        Value      `mcp:"_meta"`
}

// Argument is a named text that a prompt takes.
type Argument struct {
	Name        string `mcp:"name"`
	Title       string `mcp:"title,omit"`
	Description string `mcp:"description,omit"`
	Required    bool   `mcp:"required"`
}

// Prompts is a page of prompts.
type Prompts struct {
	final
	Prompts []Prompt `mcp:"prompts,need"`
	// Next is the cursor of the next page, or nil at the end.
	Next  *string `mcp:"nextCursor"`
	Cache Cache   `mcp:""`
}

// ParsePrompts reads a page of prompts, without those that have no name.
func ParsePrompts(v Value) (r Prompts, err error) {
	if _ = decode(v, &r); r.Prompts == nil {
		return r, errPage
	}
	r.Prompts = slices.DeleteFunc(r.Prompts, func(p Prompt) bool { return p.Name == "" })
	return r, nil
}

// Resource is what a server can be asked to read.
type Resource struct {
	// URI is the resource's. In a page of templates there is a Template of RFC 6570 instead.
	URI         string `mcp:"uri,omit"`
	Template    string `mcp:"uriTemplate,omit"`
	Name        string `mcp:"name"`
	Title       string `mcp:"title,omit"`
	Description string `mcp:"description,omit"`
	MIME        string `mcp:"mimeType,omit"`
	// Size is in bytes, nil if the server does not say it.
	Size        *int64 `mcp:"size"`
	Annotations Value  `mcp:"annotations"`
	Icons       Value  `mcp:"icons"`
	Meta        Value  `mcp:"_meta"`
}

// Resources is a page of resources.
type Resources struct {
	final
	Resources []Resource `mcp:"resources,need"`
	// Next is the cursor of the next page, or nil at the end.
	Next  *string `mcp:"nextCursor"`
	Cache Cache   `mcp:""`
}

// Templates is a page of templates of resources.
type Templates struct {
	final
	Templates []Resource `mcp:"resourceTemplates,need"`
	// Next is the cursor of the next page, or nil at the end.
	Next  *string `mcp:"nextCursor"`
	Cache Cache   `mcp:""`
}

// ParseResources reads a page of resources, without those that have no name or URI.
func ParseResources(v Value) (r Resources, err error) {
	if _ = decode(v, &r); r.Resources == nil {
		return r, errPage
	}
	r.Resources = slices.DeleteFunc(r.Resources, func(r Resource) bool { return r.Name == "" || r.URI == "" })
	return r, nil
}

// ParseTemplates reads a page of templates, without those that have no name or template.
func ParseTemplates(v Value) (r Templates, err error) {
	if _ = decode(v, &r); r.Templates == nil {
		return r, errPage
	}
	r.Templates = slices.DeleteFunc(r.Templates, func(r Resource) bool { return r.Name == "" || r.Template == "" })
	return r, nil
}
