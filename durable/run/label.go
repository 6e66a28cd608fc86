package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/limit"
)

// Label is a key and its value, by which runs are found.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// CheckLabels says what is wrong with the labels of a run.
func CheckLabels(labels map[string]string) error {
	if n := len(labels); n > limit.Labels {
		return fmt.Errorf("%d labels, at most %d", n, limit.Labels)
	}
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if err := checkLabel(Label{key, labels[key]}); err != nil {
			return err
		}
	}
	return nil
}

func checkLabel(l Label) error {
	switch {
	case !limit.IsID(l.Key, limit.LabelKey):
		return fmt.Errorf("%.80q is no key of a label: 1 to %d bytes of text are", l.Key, limit.LabelKey)
	case len(l.Value) > limit.LabelValue:
		return fmt.Errorf("the value of the label %q has %d bytes, at most %d", l.Key, len(l.Value), limit.LabelValue)
	case !utf8.ValidString(l.Value):
		return fmt.Errorf("the value of the label %q is no text", l.Key)
	}
	return nil
}

func storedLabels(labels map[string]string) string {
	if len(labels) == 0 {
		return ""
	}
	return string(limit.MustMarshal(labels))
}

// readLabels reads stored labels. Damaged ones are none.
func readLabels(stored json.RawMessage) (labels map[string]string) {
	if stored == nil || json.Unmarshal(stored, &labels) != nil {
		return nil
	}
	return labels
}
