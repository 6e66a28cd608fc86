package model

// framing is how the body of an answer is written. Servers send events under application/json, and one
// JSON text under text/event-stream, so the body says it and not its media type.
type framing int

const (
	// unframed: nothing but space has come.
	unframed framing = iota
	// streamed: server-sent events.
	streamed
	// single: one JSON text, or one in each line.
	single
	// page: a page of HTML.
	page
)

// framingOf tells the framing by the first byte that is neither space nor of a byte order mark.
func framingOf(data []byte) framing {
	for _, b := range data {
		switch b {
		case ' ', '\t', '\r', '\n', 0xef, 0xbb, 0xbf:
		case '{', '[':
			return single
		case '<':
			return page
		default:
			return streamed
		}
	}
	return unframed
}

// isJSON says whether a text begins like an object or a list.
func isJSON(data []byte) bool { return framingOf(data) == single }

func errPage() *Error {
	return Garbledf("the model's endpoint answered with a web page: see %s", VarBaseURL)
}
