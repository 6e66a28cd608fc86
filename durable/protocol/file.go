package protocol

import "encoding/json"

// FileChunk shows a file that a call of a tool has returned, by its data URL. A client adds its part
// at the end of the message, so the chunk follows the call's output. The call is named in the
// metadata: in the log of a helper it may be a call of an earlier message.
func FileChunk(call, media, url string) Chunk {
	return Chunk{Type: ChunkFile, URL: url, MediaType: media, Provider: Caller(call)}
}

// Of returns the id of the call that the chunk belongs to, or "".
func (c Chunk) Of() string {
	if c.Type != ChunkFile {
		return c.ToolCallID
	}
	var m struct{ Tributary struct{ Parent string } }
	_ = json.Unmarshal(c.Provider, &m) // a file without metadata belongs to no call
	return m.Tributary.Parent
}

// applyFile adds the part of a file. The published client keeps no metadata with it. A file of an
// unknown call is ignored, like its output.
func (f *Fold) applyFile(c Chunk) {
	if call := c.Of(); call != "" && f.tool(call) == nil {
		return
	}
	f.push(Part{Type: PartFile, MediaType: c.MediaType, URL: c.URL})
	size := len(c.URL) + len(c.MediaType)
	f.bytes += size
	f.data += size + partSize
}
