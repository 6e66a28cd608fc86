package protocol

// Message decodes one message of the list. Most messages of a list equal the stored ones, and need
// no decoding.
func (p PushMessages) Message(i int) (Message, error) { return takeMessage(p.texts, i) }

// Stored returns the text that storage holds if this message of the list is stored unchanged. It
// equals the result of [Message.Encode] if the client writes JSON without white space, as
// JSON.stringify does. Nothing is decoded, and the text is only for comparison.
func (p PushMessages) Stored(i int) string {
	var metadata, parts string
	_ = (&scanner{text: p.texts[i]}).fields(func(name, value string) error { // the text was scanned before, so there is no error
		switch name {
		case "metadata":
			metadata = value
		case "parts":
			parts = value
		}
		return nil
	})
	b := make([]byte, 0, len(p.texts[i])+len(`{"id":,"role":,"metadata":,"parts":}`))
	b = AppendQuoted(append(b, `{"id":`...), p.List[i].ID)
	b = AppendQuoted(append(b, `,"role":`...), p.List[i].Role)
	if metadata != "" {
		b = append(append(b, `,"metadata":`...), metadata...)
	}
	b = append(append(b, `,"parts":`...), parts...)
	return string(append(b, '}'))
}
