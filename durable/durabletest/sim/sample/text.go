package sample

import (
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// odd are texts that code often does not expect.
var odd = []string{"", " ", "<b>&amp;", "日本語 👋🏽", "../.env", "'; --", "0", "null", strings.Repeat("long ", 400)}

// text returns a text. Most of them are of words that are used nowhere else.
func (d drawer) text(s *jsonschema.Schema) string {
	if s == nil {
		return d.Word()
	}
	switch {
	case s.Pattern != "":
		if expression, err := syntax.Parse(s.Pattern, syntax.Perl); err == nil {
			return d.match(expression.Simplify())
		}
	case s.Format != "":
		return d.formatted(s.Format)
	}
	text := "about " + d.Word() + d.Word()
	if d.Chance(8) {
		text = odd[d.Under(len(odd))]
	}
	if s.MinLength != nil {
		for len([]rune(text)) < *s.MinLength {
			text += d.Word()
		}
	}
	if r := []rune(text); s.MaxLength != nil && len(r) > *s.MaxLength {
		text = string(r[:*s.MaxLength])
	}
	return text
}

func (d drawer) formatted(format string) string {
	date := fmt.Sprintf("20%02d-%02d-%02d", d.Under(60), 1+d.Under(12), 1+d.Under(28))
	time := fmt.Sprintf("%02d:%02d:%02dZ", d.Under(24), d.Under(60), d.Under(60))
	switch format {
	case "date":
		return date
	case "time":
		return time
	case "date-time":
		return date + "T" + time
	case "email":
		return d.Word() + "@" + d.Word() + ".test"
	case "hostname":
		return d.Word() + ".test"
	case "uri", "url", "iri":
		return "https://" + d.Word() + ".test/" + d.Word()
	case "uuid":
		return fmt.Sprintf("%08x-0000-4000-8000-%012x", d.Seed(), d.Seed())
	case "ipv4":
		return fmt.Sprintf("192.0.2.%d", d.Under(256))
	}
	return d.Word()
}

// match returns a text that matches an expression.
func (d drawer) match(r *syntax.Regexp) string {
	switch r.Op {
	case syntax.OpLiteral:
		return string(r.Rune)
	case syntax.OpCharClass:
		at := 2 * d.Under(len(r.Rune)/2)
		from, to := r.Rune[at], min(r.Rune[at+1], r.Rune[at]+100)
		return string(from + rune(d.Under(int(to-from)+1)))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return string('a' + rune(d.Under(26)))
	case syntax.OpCapture:
		return d.match(r.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		least := map[syntax.Op]int{syntax.OpPlus: 1}[r.Op]
		most := map[syntax.Op]int{syntax.OpStar: 3, syntax.OpPlus: 4, syntax.OpQuest: 1}[r.Op]
		return d.repeat(r.Sub[0], least+d.Under(most-least+1))
	case syntax.OpConcat:
		text := ""
		for _, part := range r.Sub {
			text += d.match(part)
		}
		return text
	case syntax.OpAlternate:
		return d.match(r.Sub[d.Under(len(r.Sub))])
	}
	return "" // the beginning, the end, and other empty matches
}

func (d drawer) repeat(r *syntax.Regexp, n int) string {
	text := ""
	for range n {
		text += d.match(r)
	}
	return text
}
