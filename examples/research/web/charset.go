package web

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// decode returns a text in UTF-8. Pages of the last twenty years are in UTF-8. Older ones are in
// Windows-1252, as browsers assume. Tables for the other charsets would make the module much larger.
func decode(body []byte, charset string) (string, error) {
	switch charset = strings.ToLower(charset); {
	case charset == "utf-8", charset == "" && utf8.Valid(body):
		return strings.ToValidUTF8(string(body), "\uFFFD"), nil
	case charset == "", charset == "iso-8859-1", charset == "us-ascii", charset == "windows-1252":
		text, err := charmap.Windows1252.NewDecoder().Bytes(body)
		return string(text), err
	}
	return "", fmt.Errorf("the page is in the charset %.40s, which is not read", charset)
}
