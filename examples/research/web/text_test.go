package web

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for name, test := range map[string]struct{ source, title, text string }{
		"paragraphs":     {"<title> Tides </title><p>High  and\nlow.</p><p>Twice <b>a</b> day.</p>", "Tides", "High and low.\n\nTwice a day."},
		"headings":       {"<h1>Tides</h1>They rise.<h2><a href=x>Why</a></h2>The moon.", "", "# Tides\n\nThey rise.\n\n## Why\n\nThe moon."},
		"lists":          {"<ul><li>ebb<li><p>flow</p></ul>end", "", "- ebb\n- flow\n\nend"},
		"tables":         {"<table><tr><th>Port</th><th>Hours</th></tr><tr><td>Brest</td><td>6</td></tr></table>", "", "Port | Hours\nBrest | 6"},
		"code":           {"<p>So:</p><pre>a\n  b</pre><p>Done.", "", "So:\n\na\n  b\n\nDone."},
		"inline":         {"un<b>believ</b>able, <i>really</i> so<br>next", "", "unbelievable, really so\nnext"},
		"entities":       {"<p>a &lt; b &amp; c&nbsp;d</p>", "", "a < b & c d"},
		"main part":      {"<nav>Home</nav><main>The text.</main><div>Adverts</div>", "", "The text."},
		"empty main":     {"<main id=app></main><p>The text.</p>", "", "The text."},
		"not for people": {"<script>x()</script><style>p{}</style><noscript>No</noscript><form>Mail</form><footer>©</footer><p hidden>h</p><p aria-hidden=true>i</p><p>Text</p>", "", "Text"},
		"no text":        {"<script>render()</script>", "", ""},
		"broken":         {"<p>a<div><b>c</p></i>d", "", "a\n\nc\n\nd"},
	} {
		t.Run(name, func(t *testing.T) {
			title, text, err := Text(test.source)
			if err != nil || title != test.title || text != test.text {
				t.Errorf("got %q, %q, %v, want %q, %q", title, text, err, test.title, test.text)
			}
		})
	}
}

// TestDeepText checks that a page nested without end is an error and not the end of the stack.
func TestDeepText(t *testing.T) {
	if _, _, err := Text(strings.Repeat("<div>", 100_000)); err == nil {
		t.Error("a page of 100,000 nested elements was read")
	}
}

func TestDecode(t *testing.T) {
	for _, test := range []struct{ body, charset, want string }{
		{"Gezeiten f\xc3\xbcr", "UTF-8", "Gezeiten für"},
		{"Gezeiten f\xc3\xbcr", "", "Gezeiten für"},
		{"Gezeiten f\xfcr", "", "Gezeiten für"},
		{"\x80 5", "iso-8859-1", "€ 5"},
		{"a\xffb", "utf-8", "a\uFFFDb"},
	} {
		if got, err := decode([]byte(test.body), test.charset); err != nil || got != test.want {
			t.Errorf("%q in %q: got %q, %v, want %q", test.body, test.charset, got, err, test.want)
		}
	}
	if got, err := decode([]byte("x"), "shift_jis"); err == nil {
		t.Errorf("shift_jis: got %q", got)
	}
}
