package activity

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// entry is one row of the table: a call, or how many were too fast to be told of before or after it.
type entry struct {
	*model.Call
	missed int
	after  bool
}

// entryKey identifies a row.
type entryKey struct {
	call   model.CallKey
	missed bool
	after  bool
}

func (e entry) entryKey() entryKey { return entryKey{e.Key(), e.missed > 0, e.after} }

// isCall reports whether it can be selected.
func (e entry) isCall() bool { return e.missed == 0 }

// entriesOf returns the rows of calls, the newest first. Where calls are missing, a row says so, unless the missing ones
// were left out by a filter.
func entriesOf(calls []*model.Call, filtered bool) []entry {
	entries := make([]entry, 0, len(calls))
	for _, call := range calls {
		if call.MissedAfter > 0 && !filtered {
			entries = append(entries, entry{Call: call, missed: call.MissedAfter, after: true})
		}
		entries = append(entries, entry{Call: call})
		if call.Missed > 0 && !filtered {
			entries = append(entries, entry{Call: call, missed: call.Missed})
		}
	}
	return entries
}

// missedWords say how many calls are missing.
func missedWords(count int) string {
	return lang.N("{{.Count}} calls were too fast to be shown", count, map[string]any{"Count": count})
}

// filter says which calls are shown.
type filter struct {
	text    string
	outcome int // one of the constants below
}

// The choices of outcomes.
const (
	anyOutcome = iota
	onlyRunning
	onlyProblems
)

// matches reports whether a call is to be shown. Every word of the text has to be in one of the columns where the filter looks.
func (f filter) matches(call *model.Call, columns []column) bool {
	switch f.outcome {
	case onlyRunning:
		if call.Outcome != status.Running {
			return false
		}
	case onlyProblems:
		if call.Outcome != status.Error && call.Outcome != status.ToolError {
			return false
		}
	}
	if f.text == "" {
		return true
	}
	var all strings.Builder
	for _, c := range columns {
		if c.found {
			if text, ok := c.value(*call).(string); ok {
				all.WriteString(strings.ToLower(text) + "\n")
			}
		}
	}
	for word := range strings.FieldsSeq(strings.ToLower(f.text)) {
		if !strings.Contains(all.String(), word) {
			return false
		}
	}
	return true
}

// feed is the list of calls, which can be stopped so that one can read it.
type feed struct {
	all    []model.Call // the newest, sorted
	paused bool
	held   map[model.CallKey]bool // while paused: those that are shown
}

// take takes up calls in any order.
func (f *feed) take(calls []model.Call) {
	f.all = calls
	if !slices.IsSortedFunc(calls, newestFirst) {
		f.all = slices.Clone(calls)
		slices.SortStableFunc(f.all, newestFirst)
	}
}

func newestFirst(a, b model.Call) int {
	if order := b.Started.Compare(a.Started); order != 0 {
		return order
	}
	return cmp.Or(cmp.Compare(a.Engine, b.Engine), cmp.Compare(b.ID, a.ID))
}

// pause keeps new calls out of the list, or lets them in again. Those in it go on.
func (f *feed) pause(paused bool) {
	f.paused, f.held = paused, nil
	if !paused {
		return
	}
	f.held = make(map[model.CallKey]bool, len(f.all))
	for i := range f.all {
		f.held[f.all[i].Key()] = true
	}
}

// shown returns the calls that pass a filter, the newest first, and how many more came during the pause.
func (f *feed) shown(filter filter) (calls []*model.Call, waiting int) {
	columns := columns()
	for i := range f.all {
		call := &f.all[i]
		if !filter.matches(call, columns) {
			continue
		}
		if f.paused && !f.held[call.Key()] {
			waiting++
			continue
		}
		calls = append(calls, call)
	}
	return calls, waiting
}
