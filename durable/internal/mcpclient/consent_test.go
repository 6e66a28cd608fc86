package mcpclient

import "testing"

// TestConsentHolds is the table of the calls that can be made without asking a person.
func TestConsentHolds(t *testing.T) {
	const now, other = "now", "other"
	for name, c := range map[string]struct {
		consent Consent
		needed  bool
		holds   bool
	}{
		"nothing is fixed, and nobody is needed":         {Consent{}, false, true},
		"nothing is fixed, and a person is needed":       {Consent{}, true, false},
		"a call has begun, and nobody is needed":         {Consent{Digest: now}, false, true},
		"a call has begun, and a person is needed":       {Consent{Digest: now}, true, false},
		"a call has begun with another tool":             {Consent{Digest: other}, false, false},
		"a call has begun with another tool, needed":     {Consent{Digest: other}, true, false},
		"a person has approved it":                       {Consent{now, true}, true, true},
		"a person has approved it, and nobody is needed": {Consent{now, true}, false, true},
		"a person has approved another tool":             {Consent{other, true}, true, false},
		"a person has approved a tool that needs none":   {Consent{other, true}, false, false},
		"somebody says so of no tool":                    {Consent{"", true}, true, false},
	} {
		if got := c.consent.Holds(Tool{Digest: now}, c.needed); got != c.holds {
			t.Errorf("%s: holds %v, want %v", name, got, c.holds)
		}
	}
}
