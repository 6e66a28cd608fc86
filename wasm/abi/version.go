package abi

import "fmt"

// Version is the number that guest and host must share. It changes with every change to anything in
// this package.
const Version = 4

// NamespacePrefix begins the name of the module from which a guest imports its functions. The guest's
// version follows.
const NamespacePrefix = "tributary_v"

// Namespace is the module from which a guest of this version imports. The name has the version, so
// that a host can check it before it runs anything.
const Namespace = "tributary_v4"

// VersionError says that host and guest speak different versions of the ABI.
type VersionError struct{ Host, Guest int }

func (e VersionError) Error() string {
	return fmt.Sprintf("abi: the host speaks version %d, the module speaks version %d: build and deploy both from one tree", e.Host, e.Guest)
}

// CheckNamespace checks the name of a module from which a guest imports. It returns nil if the name
// is not a version of this ABI at all.
func CheckNamespace(name string) error {
	var guest int
	if n, err := fmt.Sscanf(name, NamespacePrefix+"%d", &guest); n != 1 || err != nil || guest == Version {
		return nil
	}
	return VersionError{Host: Version, Guest: guest}
}
