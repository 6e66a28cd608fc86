package validator

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// TestSuite runs the official test suite, of which package jsonschema has a copy.
func TestSuite(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	for folder, version := range map[string]string{"draft2020-12": "", "draft7": "http://json-schema.org/draft-07/schema#"} {
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "jsonschema", "testdata", folder, "*.json"))
		if err != nil || len(files) < 30 {
			t.Fatalf("there are %d files of %s: %v", len(files), folder, err)
		}
		checked, elsewhere := 0, 0
		for _, file := range files {
			for _, g := range groupsOf(t, file) {
				name := strings.TrimSuffix(filepath.Base(file), ".json") + "/" + g.Description
				s, err := Compile(inVersion(t, g.Schema, version))
				if err != nil {
					if !refersElsewhere(t, g.Schema) {
						t.Errorf("%s %s: %v", folder, name, err)
					}
					elsewhere++
					continue
				}
				for _, one := range g.Tests {
					checked++
					if err := s.Check(one.Data); (err == nil) != one.Valid {
						t.Errorf("%s %s/%s: got %v, want it to fit: %t", folder, name, one.Description, err, one.Valid)
					}
				}
			}
		}
		if checked < 800 || elsewhere > 40 {
			t.Errorf("%s: %d values were checked, and %d groups were not", folder, checked, elsewhere)
		}
	}
}

type group struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

func groupsOf(t *testing.T, file string) (groups []group) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &groups)
	}
	if err != nil {
		t.Fatal(err)
	}
	return groups
}

// inVersion adds the version to a schema that says none.
func inVersion(t *testing.T, schema json.RawMessage, version string) json.RawMessage {
	t.Helper()
	if version == "" || schema[0] != '{' || strings.Contains(string(schema), `"$schema"`) {
		return schema
	}
	return json.RawMessage(`{"$schema":"` + version + `",` + string(schema[1:]))
}

// refersElsewhere says whether package jsonschema finds no schema that is referred to either.
func refersElsewhere(t *testing.T, schema json.RawMessage) bool {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return true
	}
	_, err := s.Resolve(nil)
	return err != nil
}
