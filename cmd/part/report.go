package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// reporter reads what a command prints, line by line, and prints what is worth reading. Its methods are called one at
// a time, but for now.
type reporter interface {
	line(out io.Writer, line string)
	// now says what runs.
	now(at time.Time) string
	end(out io.Writer)
}

// feed hands the lines of a command to a reporter.
type feed struct {
	report reporter
	out    io.Writer
	rest   []byte
}

// Write implements [io.Writer].
func (f *feed) Write(p []byte) (int, error) {
	f.rest = append(f.rest, p...)
	for {
		line, rest, found := bytes.Cut(f.rest, []byte("\n"))
		if !found {
			return len(p), nil
		}
		f.rest = rest
		f.report.line(f.out, string(line))
	}
}

// flush hands over a last line without an end.
func (f *feed) flush() {
	if len(f.rest) > 0 {
		f.report.line(f.out, string(f.rest))
	}
	f.rest = nil
}

// lines prints every line, but for those that say what runs.
type lines struct {
	mu   sync.Mutex
	last string
}

// says is the beginning of a line that says what runs.
const says = "now: "

func (l *lines) line(out io.Writer, line string) {
	said, isNow := strings.CutPrefix(line, says)
	if !isNow {
		fmt.Fprintln(out, line)
		said = strings.TrimSpace(line)
	}
	if said == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = said
}

func (l *lines) now(time.Time) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

func (l *lines) end(io.Writer) {}

// drawn is the variable that chooses what tests run of what is too much: see package internal/draw.
const drawn = "TRIBUTARY_DRAW"

// repeatable returns a command as it can be typed.
func repeatable(args []string) string {
	var words []string
	if chosen := os.Getenv(drawn); chosen != "" {
		words = append(words, drawn+"="+quote(chosen))
	}
	for _, arg := range args {
		if arg != "-json" {
			words = append(words, quote(arg))
		}
	}
	return strings.Join(words, " ")
}

// quote returns a word as a shell reads it.
func quote(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%", r)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
