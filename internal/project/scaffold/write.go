package scaffold

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// write writes files into a folder, which it makes if there is none. Nothing outside of the folder
// is touched, and no file is overwritten.
func write(dir string, files []file) ([]string, error) {
	if err := os.Mkdir(dir, 0o755); err != nil && !os.IsExist(err) {
		return nil, fmt.Errorf("the folder cannot be made: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var written []string
	for _, f := range files {
		if err := writeFile(root, f); err != nil {
			return written, fmt.Errorf("%s cannot be written, and the project is not complete: %w", filepath.Join(dir, f.path), err)
		}
		written = append(written, f.path)
	}
	return written, nil
}

func writeFile(root *os.Root, f file) (err error) {
	if err := root.MkdirAll(path.Dir(f.path), 0o755); err != nil {
		return err
	}
	out, err := root.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := out.Write(f.text); err != nil {
		_ = out.Close() // the write's error says more
		return err
	}
	return out.Close()
}
