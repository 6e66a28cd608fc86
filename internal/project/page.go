package project

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tributary-agents/tributary/internal/project/module"
)

// developerVar is the variable by which dev tells a build where pages hear of builds.
const developerVar = "TRIBUTARY_DEV"

// The file of the page that has the headers of its answers, and what it says of connections: to the
// page's own origin alone.
const (
	pageHeaders = "_headers"
	ownOrigin   = "connect-src 'self'"
)

// unpack writes the files of a zip file into a folder, and removes what else is in it. While the
// project is developed, the page may also connect to the events of the build.
func unpack(archive []byte, dir, events string) error {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return fmt.Errorf("the page: %w", err)
	}
	wanted := map[string]bool{}
	for _, file := range r.File {
		data, err := contents(file)
		if err != nil {
			return fmt.Errorf("the page: %s: %w", file.Name, err)
		}
		if file.Name == pageHeaders && events != "" {
			data = bytes.ReplaceAll(data, []byte(ownOrigin), []byte(ownOrigin+" "+events))
		}
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		wanted[path] = true
		if err := module.Put(path, data); err != nil {
			return err
		}
	}
	return prune(dir, wanted)
}

func contents(file *zip.File) ([]byte, error) {
	r, err := file.Open()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

// prune removes the files of a folder that are not wanted.
func prune(dir string, wanted map[string]bool) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || wanted[path] {
			return err
		}
		return os.Remove(path)
	})
}
