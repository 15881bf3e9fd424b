package downstream

import (
	"fmt"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestRelistPace: a server whose lists change now and then is listed at once, and one that reports changes
// all the time less and less often.
func TestRelistPace(t *testing.T) {
	// run returns the number of listings in an hour and the longest pause, for a time between changes.
	run := func(every time.Duration, news bool) (listings int, longest time.Duration) {
		var pace relistPace
		start := time.Unix(1_000_000_000, 0)
		for now := start; now.Sub(start) < time.Hour; listings++ {
			pause := pace.pause(now)
			longest = max(longest, pause)
			pace.listed(news)
			now = now.Add(max(pause, every))
		}
		return listings, longest
	}
	if _, longest := run(15*time.Second, true); longest > 100*time.Millisecond {
		t.Errorf("a change each 15 s waits %v", longest)
	}
	if listings, _ := run(0, true); listings > 260 || listings < 200 {
		t.Errorf("%d listings in an hour of changes", listings)
	}
	if listings, longest := run(0, false); listings > 200 || longest > minRelistPause<<maxListings {
		t.Errorf("%d listings in an hour of notices without a change, with pauses of up to %v", listings, longest)
	}
	var pace relistPace
	now := time.Unix(1_000_000_000, 0)
	if first := pace.pause(now); first != minRelistPause {
		t.Errorf("the first change waits %v", first)
	}
	for range 100 {
		pace.listed(false)
	}
	if pause := pace.pause(now); pause != minRelistPause<<maxListings {
		t.Errorf("after 100 listings, the pause is %v", pause)
	}
	if pause := pace.pause(now.Add(time.Hour)); pause != minRelistPause {
		t.Errorf("after an hour, the pause is %v", pause)
	}
}

// TestFaults: each fault is reported once, and at most so many in total, however often a list is read.
func TestFaults(t *testing.T) {
	var faults Faults
	told, last := 0, ""
	for round := range 10 {
		var found []Diagnostic
		for i := range 9 {
			found = append(found, Diagnostic{Kind: Prompts, Name: fmt.Sprintf("%d of %d", i, round),
				Message: words.Foreign("wrong")}, Diagnostic{Kind: Prompts, Name: "same", Message: words.Foreign("wrong")})
		}
		for _, d := range faults.New(found) {
			told, last = told+1, d.Text().String()
		}
	}
	if told != maxFaults+1 || last != "More is wrong with its prompts" {
		t.Errorf("%d faults were reported, the last one %q", told, last)
	}
	if got := faults.New([]Diagnostic{{Kind: Tools, Name: "x", Message: words.Foreign("wrong")}}); len(got) != 1 {
		t.Errorf("for another list, the faults are %v", got)
	}
}
