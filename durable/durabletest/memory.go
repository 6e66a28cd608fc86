package durabletest

import "testing"

// Memory returns storage in memory that is closed when the test ends.
func Memory(t testing.TB) *SQLite {
	t.Helper()
	storage, err := OpenSQLite("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := storage.Close(); err != nil {
			t.Error(err)
		}
	})
	return storage
}
