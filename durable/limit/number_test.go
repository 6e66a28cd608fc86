package limit_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/limit"
)

// numbers are numbers with what it costs at least and at most to read them.
var numbers = []struct {
	text          string
	least, atMost int
}{
	{"0", 1, 1},
	{"-1", 1, 1},
	{"123456789012345", 1, 1},
	{"0.1", 1, 1},
	{"-12.50e+3", 1, 1},
	{"1e22", 1, 1},
	{"1e23", 1, 1},
	{"1.7976931348623157e308", 1, 1},
	{"0.12345678901234567", 1, 1},
	{"-0.12345678901234567", 1, 1},
	{"179.76931348623157", 1, 1},
	{"2.2250738585072014e-306", 1, 1},
	{"0e-400", 1, 1},
	{"-0.000000000000000000000", 1, 1},
	{"9007199254740993", 40, 40},
	{"-9007199254740993", 40, 40},
	{"9007199254740993.0", 40, 40},
	{"90071992547409930e-1", 40, 40},
	{"123456789012345678", 40, 40},
	{"12345678901234567890", 400, 500},
	{"0.123456789012345678901234", 400, 500},
	{"9007199254740993." + strings.Repeat("0", 300) + "1", 400, 1_000},
	{strings.Repeat("9", 300), 400, 1_000},
	{"1e-308", 1_000, 1_000},
	{"-1e-308", 1_000, 1_000},
	{"1E-320", 1_000, 1_000},
	{"5e-324", 1_000, 1_000},
	{"2.2250738585072011e-308", 1_000, 1_000},
	{"22250738585072011e-324", 1_000, 1_000},
	{"123456789012345678e-340", 1_000, 1_000},
	{"0." + strings.Repeat("0", 310) + "1", 1_000, 1_000},
	{"0.000001e-302", 1_000, 1_000},
	{"100000e-327", 1_000, 1_000},
	{"1e-330", 1_000, 1_000},
	{"1e-340", 1, 1},
	{"1e-99999999999999999999", 1, 1},
}

func TestNumberCost(t *testing.T) {
	for _, n := range numbers {
		if got := limit.NumberCost(n.text); got < n.least || got > n.atMost {
			t.Errorf("%.40s costs %d, want %d to %d", n.text, got, n.least, n.atMost)
		}
	}
}

// BenchmarkNumbers measures what [limit.NumberCost] says.
func BenchmarkNumbers(b *testing.B) {
	for _, n := range numbers {
		b.Run(n.text[:min(len(n.text), 30)], func(b *testing.B) {
			for b.Loop() {
				_, _ = strconv.ParseFloat(n.text, 64)
			}
		})
	}
}
