package mcp

// Tools is a page of tools.
type Tools struct {
	final
	Cache Cache
	Tools []Tool
	// Next is the cursor of the next page, or nil at the end.
	Next *string
}

func (r Tools) write(w *writer) {
	w.open("tools", '[')
	for _, t := range r.Tools {
		t.write(w)
	}
	w.close(']')
	writeEnd(w, r.Next, r.Cache)
}

// writeEnd writes what is common to all pages. A legacy client ignores how long the page stays good.
func writeEnd(w *writer, next *string, cache Cache) {
	w.pointer("nextCursor", next)
	cache.write(w)
}

// parsePage reads what is common to all pages.
func parsePage(v Value, name string) (items []Value, next *string, cache Cache, err error) {
	if !v.Get(name).IsList() {
		return nil, nil, Cache{}, errPage
	}
	if cursor := v.Get("nextCursor"); cursor.IsText() {
		text := cursor.Text()
		next = &text
	}
	return v.Get(name).Items(), next, parseCache(v), nil
}

// ParseTools reads a page of tools. What is no tool is left to a [Catalogue] to refuse.
func ParseTools(v Value) (r Tools, err error) {
	items, next, cache, err := parsePage(v, "tools")
	r = Tools{Cache: cache, Next: next}
	for _, item := range items {
		r.Tools = append(r.Tools, parseTool(item))
	}
	return r, err
}

// Prompt is a template of messages.
type Prompt struct {
	Name, Title, Description string
	Arguments                []Argument
	Icons, Meta              Value
}

// Argument is a named text that a prompt takes.
type Argument struct {
	Name, Title, Description string
	Required                 bool
}

// Prompts is a page of prompts.
type Prompts struct {
	final
	Cache   Cache
	Prompts []Prompt
	// Next is the cursor of the next page, or nil at the end.
	Next *string
}

func (r Prompts) write(w *writer) {
	w.open("prompts", '[')
	for _, p := range r.Prompts {
		p.write(w)
	}
	w.close(']')
	writeEnd(w, r.Next, r.Cache)
}

func (p Prompt) write(w *writer) {
	w.open("", '{')
	writeNames(w, p.Name, p.Title, p.Description)
	if p.Arguments != nil {
		w.open("arguments", '[')
		for _, a := range p.Arguments {
			w.open("", '{')
			writeNames(w, a.Name, a.Title, a.Description)
			w.yes("required", a.Required)
			w.close('}')
		}
		w.close(']')
	}
	w.value("icons", p.Icons)
	w.value("_meta", p.Meta)
	w.close('}')
}

func writeNames(w *writer, name, title, description string) {
	w.text("name", name)
	w.some("title", title)
	w.some("description", description)
}

// ParsePrompts reads a page of prompts, without those that have no name.
func ParsePrompts(v Value) (r Prompts, err error) {
	items, next, cache, err := parsePage(v, "prompts")
	r = Prompts{Cache: cache, Next: next}
	for _, item := range items {
		p := Prompt{Icons: item.Get("icons"), Meta: item.Get("_meta")}
		p.Name, p.Title, p.Description = parseNames(item)
		for _, a := range item.Get("arguments").Items() {
			argument := Argument{Required: a.isTrue("required")}
			argument.Name, argument.Title, argument.Description = parseNames(a)
			p.Arguments = append(p.Arguments, argument)
		}
		if p.Name != "" {
			r.Prompts = append(r.Prompts, p)
		}
	}
	return r, err
}

func parseNames(v Value) (name, title, description string) {
	return v.text("name"), v.text("title"), v.text("description")
}

// Resource is what a server can be asked to read.
type Resource struct {
	// URI is the resource's. In a page of templates it is a template of RFC 6570.
	URI                      string
	Name, Title, Description string
	MIME                     string
	// Size is in bytes, nil if the server does not say it.
	Size                     *int64
	Annotations, Icons, Meta Value
}

// Resources is a page of resources.
type Resources struct {
	final
	Cache     Cache
	Resources []Resource
	// Next is the cursor of the next page, or nil at the end.
	Next *string
}

func (r Resources) write(w *writer) {
	writeResources(w, "resources", "uri", r.Resources)
	writeEnd(w, r.Next, r.Cache)
}

// Templates is a page of templates of resources.
type Templates struct {
	final
	Cache     Cache
	Templates []Resource
	// Next is the cursor of the next page, or nil at the end.
	Next *string
}

func (r Templates) write(w *writer) {
	writeResources(w, "resourceTemplates", "uriTemplate", r.Templates)
	writeEnd(w, r.Next, r.Cache)
}

func writeResources(w *writer, name, uri string, list []Resource) {
	w.open(name, '[')
	for _, r := range list {
		w.open("", '{')
		r.write(w, uri)
		w.close('}')
	}
	w.close(']')
}

func (r Resource) write(w *writer, uri string) {
	w.text(uri, r.URI)
	writeNames(w, r.Name, r.Title, r.Description)
	w.some("mimeType", r.MIME)
	if r.Size != nil {
		w.integer("size", *r.Size)
	}
	w.value("annotations", r.Annotations)
	w.value("icons", r.Icons)
	w.value("_meta", r.Meta)
}

func parseResource(v Value, uri string) Resource {
	r := Resource{
		URI: v.text(uri), MIME: v.text("mimeType"),
		Annotations: v.Get("annotations"), Icons: v.Get("icons"), Meta: v.Get("_meta"),
	}
	r.Name, r.Title, r.Description = parseNames(v)
	if size, ok := v.Get("size").Integer(); ok {
		r.Size = &size
	}
	return r
}

func parseResources(items []Value, uri string) (list []Resource) {
	for _, item := range items {
		if r := parseResource(item, uri); r.URI != "" && r.Name != "" {
			list = append(list, r)
		}
	}
	return list
}

// ParseResources reads a page of resources, without those that have no name or URI.
func ParseResources(v Value) (Resources, error) {
	items, next, cache, err := parsePage(v, "resources")
	return Resources{Cache: cache, Next: next, Resources: parseResources(items, "uri")}, err
}

// ParseTemplates reads a page of templates, without those that have no name or template.
func ParseTemplates(v Value) (Templates, error) {
	items, next, cache, err := parsePage(v, "resourceTemplates")
	return Templates{Cache: cache, Next: next, Templates: parseResources(items, "uriTemplate")}, err
}
