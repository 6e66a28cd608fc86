package mcp

// TasksExtension is the name of the extension for tasks.
const TasksExtension = "io.modelcontextprotocol/tasks"

// ClientCapabilities is what a client can be asked for. A modern client declares it on every request.
type ClientCapabilities struct {
	// Form and URL are the two modes of elicitation.
	Form, URL bool
	// Sampling says that the client's model can be asked, and SamplingTools that it takes tools.
	Sampling, SamplingTools bool
	Roots                   bool
	// Tasks says that a call may be answered with a [Task].
	Tasks bool
}

func parseClientCapabilities(v Value) ClientCapabilities {
	elicit := v.Get("elicitation")
	return ClientCapabilities{
		// A client that names no mode takes forms, as before there were modes.
		Form:     elicit.hasObject("form") || elicit.IsObject() && !elicit.Get("url").Exists(),
		URL:      elicit.hasObject("url"),
		Sampling: v.hasObject("sampling"), SamplingTools: v.Get("sampling").hasObject("tools"),
		Roots: v.hasObject("roots"),
		Tasks: v.Get("extensions").hasObject(TasksExtension),
	}
}

func (c *ClientCapabilities) decode(v Value) bool {
	*c = parseClientCapabilities(v)
	return v.IsObject()
}

func (c ClientCapabilities) encode(w *writer, name string) {
	w.open(name, '{')
	w.flag("roots", c.Roots)
	if c.Sampling {
		w.open("sampling", '{')
		w.flag("tools", c.SamplingTools)
		w.close('}')
	}
	if c.Form || c.URL {
		w.open("elicitation", '{')
		w.flag("form", c.Form)
		w.flag("url", c.URL)
		w.close('}')
	}
	writeExtensions(w, c.Tasks)
	w.close('}')
}

func writeExtensions(w *writer, tasks bool) {
	if tasks {
		w.open("extensions", '{')
		w.flag(TasksExtension, true)
		w.close('}')
	}
}

// Missing returns those of the needed capabilities that c lacks. The second result says whether there
// are any.
func (c ClientCapabilities) Missing(needed ClientCapabilities) (ClientCapabilities, bool) {
	lacks := ClientCapabilities{
		Form: needed.Form && !c.Form, URL: needed.URL && !c.URL, Sampling: needed.Sampling && !c.Sampling,
		SamplingTools: needed.SamplingTools && !c.SamplingTools, Roots: needed.Roots && !c.Roots, Tasks: needed.Tasks && !c.Tasks,
	}
	lacks.Sampling = lacks.Sampling || lacks.SamplingTools
	return lacks, lacks != ClientCapabilities{}
}

// ServerCapabilities is what a server offers.
type ServerCapabilities struct {
	Tools, ToolsChanged                             bool
	Resources, ResourcesChanged, ResourcesSubscribe bool
	Prompts, PromptsChanged                         bool
	Completions, Logging                            bool
	Tasks                                           bool
}

func parseServerCapabilities(v Value) ServerCapabilities {
	tools, resources, prompts := v.Get("tools"), v.Get("resources"), v.Get("prompts")
	return ServerCapabilities{
		Tools: tools.IsObject(), ToolsChanged: tools.isTrue("listChanged"),
		Resources: resources.IsObject(), ResourcesChanged: resources.isTrue("listChanged"),
		ResourcesSubscribe: resources.isTrue("subscribe"),
		Prompts:            prompts.IsObject(), PromptsChanged: prompts.isTrue("listChanged"),
		Completions: v.hasObject("completions"), Logging: v.hasObject("logging"),
		Tasks: v.Get("extensions").hasObject(TasksExtension),
	}
}

func (c *ServerCapabilities) decode(v Value) bool {
	*c = parseServerCapabilities(v)
	return v.IsObject()
}

func (c ServerCapabilities) encode(w *writer, name string) {
	w.open(name, '{')
	w.flag("logging", c.Logging)
	w.flag("completions", c.Completions)
	writeOffer(w, "prompts", c.Prompts, false, c.PromptsChanged)
	writeOffer(w, "resources", c.Resources, c.ResourcesSubscribe, c.ResourcesChanged)
	writeOffer(w, "tools", c.Tools, false, c.ToolsChanged)
	writeExtensions(w, c.Tasks)
	w.close('}')
}

func writeOffer(w *writer, name string, offered, subscribe, changed bool) {
	if offered {
		w.open(name, '{')
		w.yes("subscribe", subscribe)
		w.yes("listChanged", changed)
		w.close('}')
	}
}
