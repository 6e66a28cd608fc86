package protocol

// Message decodes a message of the list. Most messages of a list are stored as they are, and
// never have to be.
func (p PushMessages) Message(i int) (Message, error) { return takeMessage(p.texts, i) }

// Stored is what storage holds of a message of the list if that is stored as it is: the result of
// [Message.Encode] where the client writes JSON without white space, as JSON.stringify does.
// Nothing is decoded for it, and it is to be compared only.
func (p PushMessages) Stored(i int) string {
	var metadata, parts string
	_ = (&scanner{text: p.texts[i]}).fields(func(name, value string) error { // it was scanned before
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
