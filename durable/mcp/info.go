package mcp

// Info is what a client or a server says of its software. Nobody has verified it: it is for display.
type Info struct {
	Name        string `mcp:"name"`
	Title       string `mcp:"title,omit"`
	Version     string `mcp:"version"`
	Description string `mcp:"description,omit"`
	Website     string `mcp:"websiteUrl,omit"`
	// Icons is a list of icons, as it was sent.
	Icons Value `mcp:"icons"`
}

func parseInfo(v Value) (i Info) {
	_ = decode(v, &i)
	return i
}

// write writes the info unless it has no name.
func (i Info) write(w *writer, name string) {
	if i.Name == "" {
		return
	}
	w.open(name, '{')
	w.fields(i)
	w.close('}')
}
