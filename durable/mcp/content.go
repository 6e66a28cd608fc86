package mcp

// Content is one block of what a tool or a prompt returns, or of a message for a model.
type Content struct {
	// Type says which of the fields count: text has Text. image and audio have Data and MIME.
	// resource_link has Link. resource has Embedded. tool_use and tool_result have Tool. A block of any
	// other type has only Raw.
	Type string
	Text string
	// Data is in base64. It is not decoded here.
	Data, MIME string
	Link       Resource
	Embedded   Contents
	// Annotations and Meta are as they were sent.
	Annotations, Meta Value
	// Raw is the whole block as it was sent. A block of another type, and one of tool_use or
	// tool_result, is written as its Raw.
	Raw Value
}

// The types of [Content].
const (
	ContentText     = "text"
	ContentImage    = "image"
	ContentAudio    = "audio"
	ContentLink     = "resource_link"
	ContentResource = "resource"
	ContentToolUse  = "tool_use"
	ContentResult   = "tool_result"
)

// TextContent returns a block of text.
func TextContent(text string) Content { return Content{Type: ContentText, Text: text} }

// Contents is what is in a resource.
type Contents struct {
	URI  string `mcp:"uri"`
	MIME string `mcp:"mimeType,omit"`
	// Text counts if there is no Blob, which is in base64.
	Text *string `mcp:"text"`
	Blob *string `mcp:"blob"`
	Meta Value   `mcp:"_meta"`
}

// TextContents returns a resource that is a text.
func TextContents(uri, mime, text string) Contents {
	return Contents{URI: uri, MIME: mime, Text: &text}
}

// BlobContents returns a resource that is not a text, in base64.
func BlobContents(uri, mime, blob string) Contents {
	return Contents{URI: uri, MIME: mime, Blob: &blob}
}

func (c *Content) decode(v Value) bool {
	*c = parseContent(v)
	return v.IsObject()
}

func parseContent(v Value) Content {
	c := Content{Type: v.text("type"), Raw: v}
	switch c.Type {
	case ContentText:
		c.Text = v.text("text")
	case ContentImage, ContentAudio:
		c.Data, c.MIME = v.text("data"), v.text("mimeType")
	case ContentLink:
		_ = decode(v, &c.Link)
		return c
	case ContentResource:
		_ = decode(v.Get("resource"), &c.Embedded)
	}
	c.Annotations, c.Meta = v.Get("annotations"), v.Get("_meta")
	return c
}

func (c Content) encode(w *writer, name string) {
	switch c.Type {
	case ContentText, ContentImage, ContentAudio, ContentLink, ContentResource:
	default:
		w.json(name, c.Raw.JSON())
		return
	}
	w.open(name, '{')
	w.text("type", c.Type)
	switch c.Type {
	case ContentText:
		w.text("text", c.Text)
	case ContentImage, ContentAudio:
		w.text("data", c.Data)
		w.text("mimeType", c.MIME)
	case ContentLink:
		w.fields(c.Link)
	case ContentResource:
		w.open("resource", '{')
		w.fields(c.Embedded)
		w.close('}')
	}
	w.value("annotations", c.Annotations)
	w.value("_meta", c.Meta)
	w.close('}')
}

// parseContentList reads a list of blocks. A single block counts as a list of one, as messages for a
// model may have it.
func parseContentList(v Value) (list []Content) {
	if v.IsObject() {
		return []Content{parseContent(v)}
	}
	if !v.IsList() {
		return nil
	}
	list = []Content{}
	for _, item := range v.Items() {
		if item.IsObject() {
			list = append(list, parseContent(item))
		}
	}
	return list
}
