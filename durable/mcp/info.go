package mcp

// Info is what a client or a server says of its software. Nobody has verified it: it is for display.
type Info struct {
	Name, Version               string
	Title, Description, Website string
	// Icons is a list of icons, as it was sent.
	Icons Value
}

func parseInfo(v Value) Info {
	return Info{
		Name: v.text("name"), Version: v.text("version"), Title: v.text("title"),
		Description: v.text("description"), Website: v.text("websiteUrl"), Icons: v.Get("icons"),
	}
}

// write writes the info unless it has no name.
func (i Info) write(w *writer, name string) {
	if i.Name == "" {
		return
	}
	w.open(name, '{')
	w.text("name", i.Name)
	w.some("title", i.Title)
	w.text("version", i.Version)
	w.some("description", i.Description)
	w.some("websiteUrl", i.Website)
	w.value("icons", i.Icons)
	w.close('}')
}
