package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
)

// page builds the page and returns its files as a zip file. The same files give the same bytes: they
// are sorted by name, and have no time.
func page(root string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "tributary-page-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if _, err := tool(root, "vite", "build", "--config", "web/vite.config.ts", "--logLevel", "warn", "--outDir", dir, "--emptyOutDir"); err != nil {
		return nil, err
	}
	return archive(os.DirFS(dir))
}

func archive(files fs.FS) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		into, err := w.CreateHeader(&zip.FileHeader{Name: filepath.ToSlash(path), Method: zip.Deflate})
		if err != nil {
			return err
		}
		_, err = into.Write(data)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
