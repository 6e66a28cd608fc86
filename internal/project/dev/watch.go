package dev

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// debounce is how long no file may change before a build begins: an editor writes a file several
// times, and a formatter or a checkout writes many files.
const debounce = 75 * time.Millisecond

// watcher reports changes of the files that a build is made of.
type watcher struct {
	fs      *fsnotify.Watcher
	touched chan string
	changes chan []string

	mu      sync.Mutex
	sources *sources
	// ignored are the files that have changed and did not count, since the sources were found.
	ignored map[string]bool
}

// mostIgnored is how many files are remembered that did not count.
const mostIgnored = 10_000

// watch begins to watch the files of a build. The watcher ends with the context.
func watch(ctx context.Context, of *sources) (*watcher, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("files cannot be watched: %w", err)
	}
	w := &watcher{fs: notify, touched: make(chan string), changes: make(chan []string)}
	if err := w.use(ctx, of); err != nil {
		return nil, errors.Join(err, notify.Close())
	}
	go w.read(ctx)
	go gather(ctx, w.touched, w.changes, func() <-chan time.Time { return time.After(debounce) })
	return w, nil
}

// use watches the files of a later build. A file that changed before it was known to be one of them
// is reported now. Folders that no longer matter stay watched, but what changes in them is not
// reported.
func (w *watcher) use(ctx context.Context, of *sources) error {
	for _, folder := range of.folders() {
		if _, err := w.add(folder); err != nil {
			return err
		}
	}
	for file := range of.files {
		if err := w.addOne(filepath.Dir(file)); err != nil {
			return err
		}
	}
	w.mu.Lock()
	w.sources = of
	ignored := w.ignored
	w.ignored = map[string]bool{}
	w.mu.Unlock()
	for path := range ignored {
		w.touch(ctx, path)
	}
	return nil
}

// touch reports a file that has changed, if it counts.
func (w *watcher) touch(ctx context.Context, path string) {
	if w.counts(path) {
		w.send(ctx, path)
	}
}

func (w *watcher) counts(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sources.counts(path) {
		return true
	}
	if len(w.ignored) < mostIgnored {
		w.ignored[path] = true
	}
	return false
}

func (w *watcher) send(ctx context.Context, name string) {
	select {
	case w.touched <- name:
	case <-ctx.Done():
	}
}

// addOne watches a folder without the folders below, if it is there.
func (w *watcher) addOne(folder string) error {
	if err := w.fs.Add(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be watched: %w", folder, err)
	}
	return nil
}

// add watches a folder with all folders below, and returns the files in them.
func (w *watcher) add(root string) (files []string, err error) {
	// With a separator behind it, a root that is a symbolic link is followed.
	err = filepath.WalkDir(root+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
		switch path = filepath.Clean(path); {
		case errors.Is(err, fs.ErrNotExist): // removed in the meantime
			return nil
		case errors.Is(err, fs.ErrPermission):
			return fs.SkipDir
		case err != nil:
			return err
		case !d.IsDir():
			files = append(files, path)
			return nil
		case path != root && foreign(path):
			return fs.SkipDir
		}
		return w.addOne(path)
	})
	return files, err
}

// foreign reports whether a folder below a module has files that are no part of the module: hidden
// folders, npm's packages, modules of their own.
func foreign(path string) bool {
	name := filepath.Base(path)
	if strings.HasPrefix(name, ".") || name == "node_modules" {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

// read reports the files that change.
func (w *watcher) read(ctx context.Context) {
	defer w.fs.Close()
	for {
		select {
		case event := <-w.fs.Events:
			if event.Op == fsnotify.Chmod {
				continue
			}
			w.touch(ctx, event.Name)
			for _, file := range w.inside(event) {
				w.touch(ctx, file)
			}
		case err := <-w.fs.Errors:
			// Events were lost, or a folder cannot be read: anything may have changed.
			w.send(ctx, err.Error())
		case <-ctx.Done():
			return
		}
	}
}

// inside returns the files of a folder that is new. It is watched from now on, and the files may
// have been there before it was.
func (w *watcher) inside(event fsnotify.Event) []string {
	if !event.Has(fsnotify.Create) {
		return nil
	}
	info, err := os.Lstat(event.Name)
	if err != nil || !info.IsDir() || foreign(event.Name) {
		return nil
	}
	files, err := w.add(event.Name)
	if err != nil {
		return append(files, event.Name)
	}
	return files
}

// gather merges the names that are touched until none is for a while: until the channel receives
// that quiet returned last. Names that nobody has received yet are merged with those that follow.
func gather(ctx context.Context, touched <-chan string, changes chan<- []string, quiet func() <-chan time.Time) {
	var names []string
	var timer <-chan time.Time
	var ready chan<- []string
	for {
		select {
		case name := <-touched:
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			timer, ready = quiet(), nil
		case <-timer:
			timer, ready = nil, changes
		case ready <- names:
			names, ready = nil, nil
		case <-ctx.Done():
			return
		}
	}
}
