package main

import (
	"fmt"
	"strings"
)

func (r result) line() string {
	verdict := "FAILS"
	if r.passes() {
		verdict = "passes"
	}
	return fmt.Sprintf("%s %s: %s (%.1f s): %s, used %s %v, late %d, %d of %d offered, %d named, %d left (%d requests "+
		"more, %d at the next question, answered %q), answer %d of %d bytes, %s; instructions %s; file: %s; list after "+
		"%v ms, held %d ms; %s",
		r.Name, r.Version, verdict, r.Took, r.Mode, r.How, r.Works, r.Late, r.Offered, r.Tools, r.Named, r.Left, r.Longer,
		r.LeftAgain, r.Gone, r.SeenBytes, r.AnswerBytes, r.Cut,
		r.Instructions, r.Restored, r.ListAfterMs, r.HeldMs, strings.Join(r.Trouble, "; "))
}

// table returns the results in Markdown, with one row for each agent.
func table(what string, results []result) string {
	titles := []string{"client", "version", "run on", "mode", "passed", "the tool was called"}
	switch what {
	case "open":
		titles = append(titles, "tools in the first request", "after closing")
	case "search":
		titles = append(titles, "tools that find_tools named", "offered after opening", "still offered after closing")
	default:
		titles = append(titles, "offered after opening", "names in the answer", "still offered after closing",
			"instructions", "its file after disconnecting")
	}
	var b strings.Builder
	row := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row(titles)
	b.WriteString(strings.Repeat("|---", len(titles)) + "|\n")
	for i, r := range results {
		if i > 0 && results[i-1].Agent == r.Agent {
			continue
		}
		runs, passed := 0, 0
		last := r
		for _, other := range results {
			if other.Agent == r.Agent {
				runs++
				if other.passes() {
					passed++
				} else {
					last = other // the failed run is the one to report
				}
			}
		}
		cells := []string{r.Name, r.Version, r.Date, last.Mode, fmt.Sprintf("%d of %d", passed, runs), last.How}
		left := fmt.Sprint(last.Left)
		if last.Refused {
			left += ", calls refused by the agent"
		}
		offered := fmt.Sprintf("%d of %d", last.Offered, last.Tools)
		if last.Mode == "proxy" {
			offered = "by `use_tool`"
		}
		switch what {
		case "open":
			again := "a call fails"
			if last.Again {
				again = "a call works"
			}
			cells = append(cells, fmt.Sprintf("%d of %d", last.AtFirst, last.Tools),
				fmt.Sprintf("%d offered, %s", last.Left, again))
		case "search":
			cells = append(cells, fmt.Sprint(last.Found), offered, left)
		default:
			cells = append(cells, offered, fmt.Sprintf("%d of %d", last.Named, last.Tools), left, last.Instructions,
				last.Restored)
		}
		row(cells)
	}
	return b.String()
}
