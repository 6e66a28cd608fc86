// Package jsonc reads the form of JSON that Wrangler's configuration is written in.
package jsonc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Plain makes JSON of JSONC: it overwrites comments and trailing commas with white space, so
// that all other bytes keep their place.
func Plain(text []byte) []byte {
	out := bytes.Clone(text)
	comma := -1
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			i, comma = endOfString(out, i), -1
		case bytes.HasPrefix(out[i:], []byte("//")):
			i = blank(out, i, bytes.IndexAny(out[i:], "\r\n"), 1)
		case bytes.HasPrefix(out[i:], []byte("/*")):
			i = blank(out, i, 2+bytes.Index(out[i+2:], []byte("*/")), 2)
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

// endOfString returns the index of the closing quote of the string that begins at i.
func endOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// blank overwrites the comment that begins at i, except its newlines, and returns the index of its
// last byte. Its end of size bytes begins at a distance from i, or there is none.
func blank(text []byte, i, end, size int) int {
	stop := len(text)
	if end >= size {
		stop = i + end + size
	}
	for ; i < stop; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
	return stop - 1
}

// Line returns the number of the line that holds the byte before offset.
func Line(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(max(offset-1, 0), int64(len(text)))], []byte("\n"))
}

// Locate adds a file's name and a line to an error about its JSON.
func Locate(file string, text []byte, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%s:%d: %w", file, Line(text, syntax.Offset), err)
	}
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s:%d: %w", file, Line(text, mismatch.Offset), err)
	}
	return err
}
