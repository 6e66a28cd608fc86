package scaffold

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/module"
)

// framework is the module path of the framework.
const framework = "github.com/tributary-agents/tributary"

// maxName is the length of a Worker's name, in bytes. It becomes a part of a host name, which may
// have 63, and a deployment of two Workers adds to it.
const maxName = 54

// nameOf makes a name of a folder's name. It is the Worker's and the package's name: lower-case
// letters and digits, with dashes between them.
func nameOf(folder string) string {
	words := strings.FieldsFunc(strings.ToLower(folder), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	name := strings.Join(words, "-")
	if name == "" {
		return "app"
	}
	return strings.TrimRight(name[:min(len(name), maxName)], "-")
}

// checkModule refuses a path that cannot be the path of a project's module.
func checkModule(path string) error {
	first, _, _ := strings.Cut(path, "/")
	check := module.CheckPath
	if !strings.Contains(first, ".") { // a module that nobody fetches needs no host
		check = module.CheckImportPath
	}
	if err := check(path); err != nil {
		return fmt.Errorf("%q is no module path, choose another one with -module: %s", path, reason(err))
	}
	if slices.Contains(standard, first) {
		return fmt.Errorf("%s belongs to Go itself: choose another module path with -module", first)
	}
	if path == framework {
		return fmt.Errorf("%s is the path of Tributary itself: choose another module path with -module", path)
	}
	return nil
}

// reason returns the last part of an error, which says what is wrong.
func reason(err error) string {
	parts := strings.Split(err.Error(), ": ")
	return parts[len(parts)-1]
}

// standard are the first elements of the import paths of Go's own packages, and of the names that
// the go command gives a meaning of their own.
var standard = strings.Fields(`all archive bufio builtin bytes cmd cmp compress container context crypto database debug
	embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin
	reflect regexp runtime slices sort std strconv strings structs sync syscall testing text time tool unicode unique
	unsafe vendor weak work`)
