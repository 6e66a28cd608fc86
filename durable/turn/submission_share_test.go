package turn_test

import (
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/turn"
)

// TestSubmissionsAreShared checks that one person's submissions do not have those of others forgotten, by which their
// keys find them: at the limit of one person, one beyond it, and far beyond it.
func TestSubmissionsAreShared(t *testing.T) {
	each, most := share.Submissions.Each, share.Submissions.Most
	if most != turn.KeepSubmissions {
		t.Fatalf("the share is of %d, and %d are kept", most, turn.KeepSubmissions)
	}
	for _, tt := range []struct {
		name string
		// mallory sends so many, and each of some others so many.
		mallory, others, each int
		// kept are how many of mallory's are kept, and left of all others.
		kept, left int
	}{
		{"at the limit", each, 1, 10, each, 10},
		{"one beyond", each + 1, 1, 10, each, 10},
		{"far beyond", 2 * most, 1, 10, each, 10},
		{"when others have much", 2 * most, 4, 110, 100, 400},
		{"when very many others have a little", 2 * most, 60, 8, most - 480, 480},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tx := open(t)
			ends := func(person string, i int) {
				id := fmt.Sprint(person, i)
				s := turn.Accept(tx, turn.Turn{Request: "submission-" + id, Submission: id, SubmittedText: "x", Claims: fmt.Sprintf(`{"sub":%q,"scopes":[]}`, person)})
				turn.Move(tx, &s, turn.Running, "")
				turn.Move(tx, &s, turn.Completed, "")
			}
			for i := range tt.each {
				for other := range tt.others {
					ends(fmt.Sprint("other ", other, " "), i)
				}
			}
			for i := range tt.mallory {
				ends("mallory ", i)
			}
			kept, left := 0, 0
			for _, s := range turn.List(tx, turn.Filter{Limit: most}) {
				if s.Claims == `{"sub":"mallory ","scopes":[]}` {
					kept++
				} else {
					left++
				}
			}
			if kept != tt.kept || left != tt.left {
				t.Errorf("%d of mallory and %d of others are kept, want %d and %d", kept, left, tt.kept, tt.left)
			}
			if _, found := turn.Submitted(tx, fmt.Sprint("mallory ", tt.mallory-1)); !found {
				t.Error("the newest is forgotten")
			}
		})
	}
}
