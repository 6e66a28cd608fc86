package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// sources is everything that the files are made of, and the files themselves: a file that was changed by hand is made
// anew. The packages are known by the list that npm writes when it installs them.
var sources = []string{
	"web", "worker", "wasm/shim", "wrangler.jsonc", "package-lock.json", "node_modules/.package-lock.json", folder,
}

// digestFile keeps the digest of the sources that the files were last made of.
var digestFile = filepath.Join("build", "release.sum")

// digest returns a hash of the sources, and of this program.
func digest(root string) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	if err := addFile(sum, program, ""); err != nil {
		return "", err
	}
	for _, source := range sources {
		err := filepath.WalkDir(filepath.Join(root, source), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			return addFile(sum, path, path)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // npm may keep no list
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// addFile adds the name and the bytes of a file to a hash.
func addFile(sum hash.Hash, path, name string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(sum, "%s %d\n", name, info.Size())
	_, err = io.Copy(sum, f)
	return err
}

// isUnchanged says whether the files were made of the sources as they are.
func isUnchanged(root string) (bool, error) {
	sum, err := digest(root)
	if err != nil {
		return false, err
	}
	have, err := os.ReadFile(filepath.Join(root, digestFile))
	if err != nil { // it is not there, or cannot be read: the files are made
		return false, nil
	}
	return string(have) == sum, nil
}

// keepDigest notes that the files are made of the sources as they are.
func keepDigest(root string) error {
	sum, err := digest(root)
	if err != nil {
		return err
	}
	path := filepath.Join(root, digestFile)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(sum), 0o644)
}
