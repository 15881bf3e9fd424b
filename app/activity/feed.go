package activity

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// entry is a row of the table: either a call, or the number of calls missed just before or after that call because
// they were too fast.
type entry struct {
	*model.Call
	missed int  // 0 for the row of the call itself
	after  bool // the calls were missed after Call, not before
}

// entryKey identifies a row.
type entryKey struct {
	call   model.CallKey
	missed bool
	after  bool
}

func (e entry) entryKey() entryKey { return entryKey{e.Key(), e.missed > 0, e.after} }

// isCall reports whether the row is a call. Only calls can be selected.
func (e entry) isCall() bool { return e.missed == 0 }

// entriesOf returns the rows for calls, which are sorted from new to old. Rows say where calls were missed, unless the
// list is filtered, because a filtered list lacks calls anyway.
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

// missedWords returns the text of a row that reports missed calls.
func missedWords(count int) string {
	return lang.N("{{.Count}} calls were too fast to be shown", count, map[string]any{"Count": count})
}

// filter selects the calls that are shown.
type filter model.CallFilter

// The choices of outcomes.
const (
	anyOutcome = iota
	onlyRunning
	onlyProblems
)

// matches reports whether a call passes the filter. Every word of the text must occur in a column that the filter
// searches.
func (f filter) matches(call *model.Call, columns []column) bool {
	switch f.Outcome {
	case onlyRunning:
		if call.Outcome != status.Running {
			return false
		}
	case onlyProblems:
		if call.Outcome != status.Error && call.Outcome != status.ToolError {
			return false
		}
	}
	if f.Text == "" {
		return true
	}
	var all strings.Builder
	for _, c := range columns {
		if c.searched {
			if text, ok := c.value(*call).(string); ok {
				all.WriteString(strings.ToLower(text) + "\n")
			}
		}
	}
	for word := range strings.FieldsSeq(strings.ToLower(f.Text)) {
		if !strings.Contains(all.String(), word) {
			return false
		}
	}
	return true
}

// feed is the list of calls. It can be paused for reading.
type feed struct {
	all    []model.Call // from new to old
	paused bool
	held   map[model.CallKey]bool // the calls that are shown while paused
}

// take sets the calls, which can be in any order.
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

// pause keeps new calls out of the list, or lets them in again. Calls already in the list are still updated.
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

// shown returns the calls that pass a filter, from new to old, and the number of new calls that a pause holds back.
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
