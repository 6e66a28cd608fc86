package main

import "bytes"

// withoutComments makes JSON of JSONC: comments, and commas behind the last item, become white space, so that every byte
// stays in its place.
func withoutComments(text []byte) []byte {
	out := bytes.Clone(text)
	comma := -1
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			i, comma = endOfString(out, i), -1
		case bytes.HasPrefix(out[i:], []byte("//")):
			i = blank(out, i, "\n")
		case bytes.HasPrefix(out[i:], []byte("/*")):
			i = blank(out, i, "*/")
		case out[i] == ',':
			comma = i
		case out[i] == ']' || out[i] == '}':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case !bytes.ContainsRune([]byte(" \t\r\n"), rune(out[i])):
			comma = -1
		}
	}
	return out
}

// endOfString returns where the string that begins at i has its closing quote.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// blank overwrites a comment that begins at i, its end included, and returns where that was. Lines stay lines.
func blank(text []byte, i int, end string) int {
	stop := len(text)
	if n := bytes.Index(text[i+len("//"):], []byte(end)); n >= 0 {
		stop = i + len("//") + n + len(end)
	}
	for ; i < stop; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
	return stop - 1
}

// line returns the number of the line that holds the byte before offset.
func line(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(max(offset-1, 0), int64(len(text)))], []byte("\n"))
}
