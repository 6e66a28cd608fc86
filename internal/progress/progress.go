// Package progress tells how far long work is: by one line that is redrawn on a terminal, and by a line every half
// minute anywhere else.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// every is how long nothing may be printed where no line can be redrawn, and redraw how long a line stays on a terminal.
const (
	every  = 25 * time.Second
	redraw = time.Second
)

// width is how much of the line a terminal is shown, so that it does not wrap.
const width = 118

// Line tells how far one piece of work is. It is an [io.Writer] for what else the work prints, which stays above the
// line. Several goroutines may use it at a time.
type Line struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	say      func() string
	// shown says that the line is on the terminal now, and quiet since when nothing was printed.
	shown bool
	quiet time.Time
	over  chan struct{}
	ended sync.WaitGroup
}

// Begin tells what say returns until [Line.End]. Say is called in another goroutine.
func Begin(out *os.File, say func() string) *Line {
	terminal := isTerminal(out)
	l := newLine(out, terminal, say, time.Now())
	interval := every / 5
	if terminal {
		interval = redraw
	}
	l.ended.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case now := <-ticker.C:
				l.tick(now)
			case <-l.over:
				return
			}
		}
	})
	return l
}

func newLine(out io.Writer, terminal bool, say func() string, now time.Time) *Line {
	return &Line{out: out, terminal: terminal, say: say, quiet: now, over: make(chan struct{})}
}

// isTerminal says whether a file is a terminal on which a line can be redrawn.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb" && os.Getenv("CI") == ""
}

// tick shows the line if it is time.
func (l *Line) tick(now time.Time) {
	said := l.say() // without the lock: say may print
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case said == "":
	case l.terminal:
		fmt.Fprintf(l.out, "\r\x1b[K%s", clip(said))
		l.shown = true
	case now.Sub(l.quiet) >= every:
		fmt.Fprintln(l.out, said)
		l.quiet = now
	}
}

// clip returns the beginning of the line, as much as fits.
func clip(s string) string {
	if runes := []rune(s); len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return s
}

// Write prints something that stays. It should end with a line.
func (l *Line) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clear()
	l.quiet = time.Now()
	return l.out.Write(p)
}

// Printf prints a line that stays.
func (l *Line) Printf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	_, _ = io.WriteString(l, strings.TrimSuffix(text, "\n")+"\n") // an error of standard output cannot be reported
}

// End removes the line. What is written later is printed as it is.
func (l *Line) End() {
	close(l.over)
	l.ended.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clear()
}

func (l *Line) clear() {
	if l.shown {
		fmt.Fprint(l.out, "\r\x1b[K")
	}
	l.shown = false
}
