package conformance

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// compare compares the results of the suite, without and with the engine, with the list in testdata. A scenario that
// differs is run again alone, because some scenarios have time limits of half a second, which a busy machine exceeds.
func compare(t *testing.T, name string, run func(suite) (direct, through result)) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	kept, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	before := sections(kept)
	direct, through := run(suites()[name])
	again := differences(before, sections(list(direct, through)))
	if *update || len(again) > maxAgain {
		again = nil
	}
	for scenario := range again {
		directly, engine := run(suites()[name].only(scenario))
		direct.replace(scenario, directly)
		through.replace(scenario, engine)
	}
	if *why {
		for c, o := range through {
			if c.id != "" && direct[c].status == "pass" && o.status != "pass" {
				t.Logf("%s %s: %s: %s", c.scenario, c.id, o.status, o.why)
			}
		}
	}
	found := list(direct, through)
	if bytes.Equal(kept, found) {
		return
	}
	after := sections(found)
	for scenario := range differences(before, after) {
		was, is := strings.Split(before[scenario], "\n"), strings.Split(after[scenario], "\n")
		in := func(lines []string) func(string) bool {
			return func(line string) bool { return slices.Contains(lines, line) }
		}
		t.Logf("%s\nwas:\n%s\nis:\n%s", scenario, strings.Join(slices.DeleteFunc(slices.Clone(was), in(is)), "\n"),
			strings.Join(slices.DeleteFunc(slices.Clone(is), in(was)), "\n"))
	}
	if !*update {
		t.Errorf("%s differs from what the suite found; if the change is right, run go test ./e2e/conformance -update", file)
		return
	}
	if err := os.WriteFile(file, found, 0o644); err != nil {
		t.Fatal(err)
	}
}

// sections splits a list into the lines of each scenario.
func sections(list []byte) map[string]string {
	found := map[string]string{}
	scenario := ""
	for line := range strings.Lines(string(list)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name := line[min(nameColumn, len(line)):]; !strings.HasPrefix(name, indent) {
			scenario = strings.TrimSpace(name)
		}
		found[scenario] += line
	}
	return found
}

// differences returns the scenarios whose lines differ.
func differences(a, b map[string]string) map[string]bool {
	differ := map[string]bool{}
	for _, pair := range [][2]map[string]string{{a, b}, {b, a}} {
		for scenario, section := range pair[0] {
			if pair[1][scenario] != section {
				differ[scenario] = true
			}
		}
	}
	return differ
}

// replace replaces the checks of a scenario by those of another result.
func (r result) replace(scenario string, other result) {
	maps.DeleteFunc(r, func(c check, _ outcome) bool { return c.scenario == scenario })
	for c, o := range other {
		if c.scenario == scenario {
			r[c] = o
		}
	}
}

const (
	// maxAgain is how many scenarios are run again. If more differ, it is not by chance.
	maxAgain = 5
	// nameColumn is the column at which the names begin in a line of a list.
	nameColumn = 18
	// indent precedes the name of a check.
	indent = "    "
)

// list returns results in the form of the lists in testdata: one line for each scenario that passes without
// the engine, followed by its checks.
func list(direct, through result) []byte {
	all := maps.Clone(direct)
	maps.Copy(all, through)
	made := map[string]bool{} // scenarios that pass without the engine and have a check that passes
	for c, o := range direct {
		if c.id != "" && o.status == "pass" && direct[check{scenario: c.scenario}].status == "pass" {
			made[c.scenario] = true
		}
	}
	var shown []check
	var scenarios, checks score
	for c := range all {
		if !made[c.scenario] {
			continue // it fails without the engine or has no check that passes, so it shows nothing about the engine
		}
		shown = append(shown, c)
		of := &checks
		if c.id == "" {
			of = &scenarios
		}
		of.count(direct[c].status, through[c].status)
	}
	slices.SortFunc(shown, func(a, b check) int {
		return cmp.Or(strings.Compare(a.scenario, b.scenario), strings.Compare(a.id, b.id))
	})
	out := fmt.Appendf(nil, "# Written by go test ./e2e/conformance -update. Of what passes without the engine, there "+
		"pass through it:\n"+
		"# %d of %d scenarios, %d of %d checks in them.\n#\n# without  through  scenario, check\n", scenarios.through,
		scenarios.direct, checks.through, checks.direct)
	status := func(r result, c check) string { return cmp.Or(r[c].status, "-") }
	for _, c := range shown {
		name := c.scenario
		if c.id != "" {
			name = indent + c.id
		}
		out = fmt.Appendf(out, "%-8s %-8s %s\n", status(direct, c), status(through, c), name)
	}
	return out
}

// score counts the checks or scenarios that pass directly, and how many of those pass through the engine.
type score struct{ direct, through int }

func (s *score) count(direct, through string) {
	if direct != "pass" {
		return
	}
	s.direct++
	if through == "pass" {
		s.through++
	}
}
