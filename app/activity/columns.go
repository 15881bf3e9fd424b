package activity

import (
	"encoding/json"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// column is one property of a call: a column of the table, a field of exported files, or both.
type column struct {
	title string  // in the table; empty when the table does not show the column
	width float32 // in pixels; 0 for the column that gets what the others leave
	spare bool    // the column is left out of a narrow table
	right bool    // align the text right
	cell  func(call *model.Call, now time.Time) cell

	name     string                    // in exported files; empty if exported files do not have the column
	value    func(call model.Call) any // returns nil if the call has no such value
	searched bool                      // the filter searches this column
}

// cell is the content of one column in one row.
type cell struct {
	state theme.State // if mark is set, the icon of this state precedes the text
	mark  bool
	lead  string // precedes the text and is cut first
	text  string
	color fyne.ThemeColorName
	size  fyne.ThemeSizeName
}

// columns returns all columns in the order of the table and of exported files.
func columns() []column {
	return []column{
		{
			title: lang.L("Time"), width: 62, cell: func(call *model.Call, now time.Time) cell {
				return muted(clock(call.Started, now))
			},
			name: "time", value: func(call model.Call) any { return call.Started },
		},
		{
			title: lang.L("AI app"), width: 124, spare: true, cell: func(call *model.Call, _ time.Time) cell {
				return muted(call.Client)
			},
			name: "client", value: func(call model.Call) any { return call.Client }, searched: true,
		},
		{title: lang.L("Call"), cell: func(call *model.Call, _ time.Time) cell {
			return cell{lead: kit.Way(call.Toolbox, call.Server) + " ›", text: call.Tool}
		}},
		{title: lang.L("Duration"), width: 78, right: true, cell: func(call *model.Call, now time.Time) cell {
			return muted(duration(*call, now))
		}},
		{name: "toolbox", value: func(call model.Call) any { return call.Toolbox }, searched: true},
		{name: "server", value: func(call model.Call) any { return call.Server }, searched: true},
		{name: "tool", value: func(call model.Call) any { return call.Tool }, searched: true},
		{
			title: lang.L("Outcome"), width: 124, cell: func(call *model.Call, _ time.Time) cell {
				ending := endingOf(call.Outcome)
				return cell{mark: true, state: ending.state, text: ending.word, color: ending.state.Color(), size: theme.SizeSmall}
			},
			name: "outcome", value: func(call model.Call) any { return string(call.Outcome) },
		},
		{name: "durationMs", value: func(call model.Call) any { return float64(call.Duration.Microseconds()) / 1000 }},
		{name: "resultBytes", value: func(call model.Call) any { return call.ResultBytes }},
		{name: "problem", value: func(call model.Call) any { return textOrNone(kit.Say(call.Problem)) }, searched: true},
		{name: "arguments", value: func(call model.Call) any {
			if json.Valid([]byte(call.Arguments)) {
				return json.RawMessage(call.Arguments)
			}
			return textOrNone(call.Arguments) // The text was cut, so it is not JSON.
		}},
	}
}

func muted(text string) cell {
	return cell{text: text, color: theme.ColorMuted, size: theme.SizeSmall}
}

func textOrNone(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// inTable returns the columns of the table.
func inTable() []column {
	var shown []column
	for _, c := range columns() {
		if c.title != "" {
			shown = append(shown, c)
		}
	}
	return shown
}

// Measures of the table, in pixels.
const (
	rowHeight  = 34
	headHeight = 30
	rowPad     = kit.GapWide  // at both sides of a row
	columnGap  = kit.GapBlock // between columns
	// spare columns are left out if the column without a fixed width would be narrower than this
	restAtLeast = 250
)

// place is where a column is in the table, in pixels. The width is 0 if there is no room for the column.
type place struct{ left, width float32 }

// arrange returns the places of the columns in a table of the given width.
func arrange(columns []column, width float32) []place {
	rest := width - 2*rowPad + columnGap
	spare := float32(0)
	for _, c := range columns {
		rest -= c.width + columnGap
		if c.spare {
			spare += c.width + columnGap
		}
	}
	narrow := rest < restAtLeast
	if narrow {
		rest += spare
	}
	places, left := make([]place, len(columns)), float32(rowPad)
	for i, c := range columns {
		if c.spare && narrow {
			continue
		}
		places[i] = place{left, c.width}
		if c.width == 0 {
			places[i].width = max(0, rest)
		}
		left += places[i].width + columnGap
	}
	return places
}
