package web

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Text returns the title and the readable text of HTML: the main part of the page, if the page says
// which it is, without scripts, forms and navigation. Headings and lists are written as in Markdown.
func Text(source string) (title, text string, err error) {
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return "", "", fmt.Errorf("the page is no HTML: %w", err)
	}
	if t := find(root, atom.Title); t != nil {
		var w writer
		w.children(t)
		title = w.text()
	}
	for _, main := range []atom.Atom{atom.Main, atom.Article, atom.Body} {
		n := find(root, main)
		if n == nil {
			continue
		}
		var w writer
		w.children(n)
		if text = w.text(); text != "" { // a main part that a script fills is empty
			return title, text, nil
		}
	}
	return title, "", nil
}

// find returns the first element of a kind.
func find(n *html.Node, kind atom.Atom) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.DataAtom == kind {
			return d
		}
	}
	return nil
}

// marks are written before the text of elements.
var marks = map[atom.Atom]string{
	atom.H1: "# ", atom.H2: "## ", atom.H3: "### ", atom.H4: "#### ", atom.H5: "##### ", atom.H6: "###### ", atom.Li: "- ",
}

// writer gathers text. Runs of white space become one blank, as on the screen.
type writer struct {
	b strings.Builder
	// lines is how many line ends come before the next word: 2 for a new paragraph.
	lines int
	// blank says that a blank comes before the next word, and mark is what else does.
	blank bool
	mark  string
	// plain says that white space stays as it is.
	plain bool
}

func (w *writer) text() string { return strings.TrimSpace(w.b.String()) }

func (w *writer) children(n *html.Node) {
	for c := range n.ChildNodes() {
		w.node(c)
	}
}

func (w *writer) node(n *html.Node) {
	switch {
	case n.Type == html.TextNode && w.plain:
		w.write(n.Data)
	case n.Type == html.TextNode:
		w.words(n.Data)
	case n.Type == html.ElementNode && !hidden(n):
		w.element(n)
	}
}

func (w *writer) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Br:
		w.end(1)
	case atom.Td, atom.Th:
		w.children(n)
		w.mark, w.blank = "| ", true
	case atom.Pre:
		w.end(2)
		w.plain = true
		w.children(n)
		w.plain = false
		w.end(2)
	case atom.Tr:
		w.block(n, 1)
		w.mark = "" // of the last cell
	case atom.Li, atom.Dt, atom.Dd:
		w.block(n, 1)
	case atom.Address, atom.Article, atom.Blockquote, atom.Div, atom.Dl, atom.Figcaption, atom.Figure, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Header, atom.Hr, atom.Main, atom.Ol, atom.P, atom.Section, atom.Table, atom.Ul, atom.Details, atom.Summary, atom.Caption:
		w.block(n, 2)
	default:
		w.children(n)
	}
}

// block writes an element that stands in lines of its own. What begins a list item stands behind the
// item's mark.
func (w *writer) block(n *html.Node, lines int) {
	if w.mark == "" {
		w.end(lines)
	}
	if mark := marks[n.DataAtom]; mark != "" {
		w.mark = mark
		defer func() { w.mark = "" }()
	}
	w.children(n)
	w.end(lines)
}

// end ends the line.
func (w *writer) end(lines int) {
	w.lines, w.blank = max(w.lines, lines), false
}

func (w *writer) words(text string) {
	for i, word := range strings.Fields(text) {
		w.blank = w.blank || i > 0 || startsBlank(text)
		w.write(word)
	}
	w.blank = w.blank || text != "" && startsBlank(text[len(text)-1:])
}

func startsBlank(text string) bool { return strings.TrimLeft(text, " \t\r\n\f") != text }

// write writes text behind the line ends, the blank and the mark before it.
func (w *writer) write(text string) {
	if text == "" {
		return
	}
	switch {
	case w.b.Len() == 0:
	case w.lines > 0:
		w.b.WriteString("\n\n"[:w.lines])
	case w.blank:
		w.b.WriteByte(' ')
	}
	w.b.WriteString(w.mark + text)
	w.lines, w.blank, w.mark = 0, false, ""
}

// hidden says whether an element is not for reading.
func hidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Iframe, atom.Nav, atom.Footer, atom.Aside, atom.Form, atom.Button,
		atom.Select, atom.Textarea, atom.Head, atom.Canvas, atom.Object, atom.Audio, atom.Video, atom.Math:
		return true
	}
	for _, a := range n.Attr {
		if a.Key == "hidden" || a.Key == "aria-hidden" && a.Val == "true" {
			return true
		}
	}
	return false
}
