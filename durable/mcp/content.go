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
	URI, MIME string
	Text      string
	// Blob is in base64. Binary says that it counts, and not Text.
	Blob   string
	Binary bool
	Meta   Value
}

func parseContents(v Value) Contents {
	return Contents{
		URI: v.text("uri"), MIME: v.text("mimeType"), Text: v.text("text"), Blob: v.text("blob"),
		Binary: v.hasText("blob"), Meta: v.Get("_meta"),
	}
}

func (c Contents) write(w *writer, name string) {
	w.open(name, '{')
	w.text("uri", c.URI)
	w.some("mimeType", c.MIME)
	if c.Binary {
		w.text("blob", c.Blob)
	} else {
		w.text("text", c.Text)
	}
	w.value("_meta", c.Meta)
	w.close('}')
}

func parseContent(v Value) Content {
	c := Content{Type: v.text("type"), Raw: v}
	switch c.Type {
	case ContentText:
		c.Text = v.text("text")
	case ContentImage, ContentAudio:
		c.Data, c.MIME = v.text("data"), v.text("mimeType")
	case ContentLink:
		c.Link = parseResource(v, "uri")
		return c
	case ContentResource:
		c.Embedded = parseContents(v.Get("resource"))
	}
	c.Annotations, c.Meta = v.Get("annotations"), v.Get("_meta")
	return c
}

func (c Content) write(w *writer) {
	switch c.Type {
	case ContentText, ContentImage, ContentAudio, ContentLink, ContentResource:
	default:
		w.separate()
		w.out = append(w.out, c.Raw.JSON()...)
		return
	}
	w.open("", '{')
	w.text("type", c.Type)
	switch c.Type {
	case ContentText:
		w.text("text", c.Text)
	case ContentImage, ContentAudio:
		w.text("data", c.Data)
		w.text("mimeType", c.MIME)
	case ContentLink:
		c.Link.write(w, "uri")
	case ContentResource:
		c.Embedded.write(w, "resource")
	}
	w.value("annotations", c.Annotations)
	w.value("_meta", c.Meta)
	w.close('}')
}

func writeContent(w *writer, list []Content) {
	w.open("content", '[')
	for _, c := range list {
		c.write(w)
	}
	w.close(']')
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
