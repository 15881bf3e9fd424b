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
	return fmt.Sprintf("%s %s: %s (%.1f s): %s, used %s %v, late %d, %d of %d offered, %d named, %d left (%d requests more, %d at the next question, answered %q), answer %d of %d bytes, %s; instructions %s; file: %s; list after %v ms, held %d ms; %s",
		r.Name, r.Version, verdict, r.Took, r.Mode, r.How, r.Works, r.Late, r.Offered, r.Tools, r.Named, r.Left, r.Longer, r.LeftAgain, r.Gone, r.SeenBytes, r.AnswerBytes, r.Cut,
		r.Instructions, r.Restored, r.ListAfterMs, r.HeldMs, strings.Join(r.Trouble, "; "))
}

// table returns the results in Markdown, a row for each agent.
func table(results []result) string {
	var b strings.Builder
	b.WriteString("| client | version | run on | mode | passed | the tool was called | offered after opening | names in the answer | still offered after closing | instructions | its file after disconnecting |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|\n")
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
					last = other // what went wrong is what to tell
				}
			}
		}
		left := fmt.Sprint(last.Left)
		if last.Refused {
			left += ", calls refused by the agent"
		}
		offered := fmt.Sprintf("%d of %d", last.Offered, last.Tools)
		if last.Mode == "proxy" {
			offered = "by `use_tool`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d of %d | %s | %s | %d of %d | %s | %s | %s |\n",
			r.Name, r.Version, r.Date, last.Mode, passed, runs, last.How, offered, last.Named, last.Tools, left, last.Instructions, last.Restored)
	}
	return b.String()
}
