package limit_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/limit"
)

func TestMarshal(t *testing.T) {
	got, err := limit.Marshal(map[string]string{"text": "<b> & \"c\""})
	if want := `{"text":"<b> & \"c\""}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if got, err := limit.Marshal(func() {}); err == nil {
		t.Errorf("a function is %s", got)
	}
}
