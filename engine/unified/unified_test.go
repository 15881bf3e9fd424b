package unified_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/unified"
)

var head = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$`)

// check compares each line of a diff with the line that its head says it is, in both texts, and counts the lines.
func check(t *testing.T, before, after string) {
	t.Helper()
	diff := unified.Diff("old", "new", before, after)
	if (diff == "") != (before == after) {
		t.Fatalf("%q and %q: the diff is %q", before, after, diff)
	}
	older, newer := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	at := func(lines []string, number int) string {
		if number < 1 || number > len(lines) {
			return "no such line"
		}
		return strings.TrimSuffix(lines[number-1], "\n")
	}
	count := func(text string) int {
		if text == "" {
			return 1
		}
		n, _ := strconv.Atoi(text)
		return n
	}
	var o, n, oldLeft, newLeft int
	for i, line := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n") {
		if i < 2 || strings.HasPrefix(line, `\`) {
			continue
		}
		if m := head.FindStringSubmatch(line); m != nil {
			if oldLeft != 0 || newLeft != 0 {
				t.Fatalf("line %d of the diff: a hunk lacks %d and %d lines\n%s", i+1, oldLeft, newLeft, diff)
			}
			o, _ = strconv.Atoi(m[1])
			n, _ = strconv.Atoi(m[3])
			oldLeft, newLeft = count(m[2]), count(m[4])
			continue
		}
		text := line[1:]
		if line[0] != '+' {
			if at(older, o) != text {
				t.Fatalf("line %d of the diff is not line %d of the older text\n%s", i+1, o, diff)
			}
			o, oldLeft = o+1, oldLeft-1
		}
		if line[0] != '-' {
			if at(newer, n) != text {
				t.Fatalf("line %d of the diff is not line %d of the newer text\n%s", i+1, n, diff)
			}
			n, newLeft = n+1, newLeft-1
		}
	}
}

func TestLineNumbers(t *testing.T) {
	for i, c := range [][2]string{
		{"", "a\n"}, {"a\n", ""}, {"a", "b"}, {"", "a\nb"}, {"a\nb\n", "a\nb"}, {"-- x\n", "++ x\n"},
		{"@@ -1 +1 @@\n", "@@ -2 +2 @@\n"}, {"same", "same"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) { check(t, c[0], c[1]) })
	}
	// Changes of every size, near to each other and far.
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var older []string
		for i := range r.IntN(120) {
			older = append(older, []string{"x", "-- y", "++ z", "@@ w", ""}[r.IntN(5)]+strconv.Itoa(i%7))
		}
		newer := slices.Clone(older)
		for range r.IntN(6) {
			at := r.IntN(len(newer) + 1)
			end := min(len(newer), at+r.IntN(4))
			newer = slices.Replace(newer, at, end, slices.Repeat([]string{"new " + strconv.Itoa(r.IntN(9))}, r.IntN(4))...)
		}
		ends := func() string { return []string{"", "\n"}[r.IntN(2)] }
		check(t, strings.Join(older, "\n")+ends(), strings.Join(newer, "\n")+ends())
	}
}
