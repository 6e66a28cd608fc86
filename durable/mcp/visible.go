package mcp

import "unicode/utf16"

// This file is about characters that a model or a server reads and that a person does not see.

// unseen are the ranges of the characters that nobody sees: control characters, those without a width, those that change
// the direction of a text, and those that choose a form of the one before.
var unseen = [...][2]rune{
	{0, 0x1f},
	{0x7f, 0x9f},
	{0xad, 0xad},
	{0x34f, 0x34f},
	{0x61c, 0x61c},
	{0x115f, 0x1160},
	{0x17b4, 0x17b5},
	{0x180b, 0x180f},
	{0x200b, 0x200f},
	{0x2028, 0x202e},
	{0x2060, 0x206f},
	{0x3164, 0x3164},
	{0xfe00, 0xfe0f},
	{0xfeff, 0xfeff},
	{0xffa0, 0xffa0},
	{0xfff0, 0xfffb},
	{0x1bca0, 0x1bca3},
	{0x1d173, 0x1d17a},
	{0xe0000, 0xe0fff},
}

// Visible says whether a person who is shown a character sees it.
func Visible(r rune) bool {
	for _, u := range unseen {
		if u[0] <= r && r <= u[1] {
			return false
		}
	}
	return true
}

// Escaped returns a text in which a person sees all that there is. A character that nobody would see is written as an
// escape of JSON, but for line breaks and tabs.
func Escaped(text string) string {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t' || Visible(r):
			out = append(out, string(r)...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = escape(escape(out, high), low)
		default:
			out = escape(out, r)
		}
	}
	return string(out)
}

func escape(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
