package order_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/order"
)

// TestBy checks that a list is sorted as by package slices, and that equal elements keep their order.
func TestBy(t *testing.T) {
	byLetter := func(a, b string) int { return strings.Compare(a[:1], b[:1]) }
	for _, list := range [][]string{nil, {"b"}, {"c1", "a1", "b1", "a2", "c2", "b2", "a3"}, strings.Fields(strings.Repeat("z y x w ", 100))} {
		got, want := slices.Clone(list), slices.Clone(list)
		order.By(got, byLetter)
		slices.SortStableFunc(want, byLetter)
		if !slices.Equal(got, want) {
			t.Errorf("%q is sorted as %q, want %q", list, got, want)
		}
	}
}
