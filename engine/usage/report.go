package usage

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Report is the usage of one configuration. It is immutable.
type Report struct {
	Wanted bool      `json:"kept"`           // the user wants usage to be kept
	Since  time.Time `json:"since,omitzero"` // since when usage is kept; zero if nothing is kept yet

	Damaged bool `json:"damaged,omitempty"` // lines of the store were damaged, and are not in the report

	Calls
	Saved int `json:"savedTokens"` // see [ToolboxUse]

	// Days are in order and include days without calls. The last one is today. They are empty if nothing is kept.
	Days      []DayUse     `json:"days"`
	Apps      []AppUse     `json:"apps"`      // sorted by the number of calls, as are all lists below
	Servers   []ServerUse  `json:"servers"`   // that were called
	Tools     []ToolUse    `json:"tools"`     // that were called
	Toolboxes []ToolboxUse `json:"toolboxes"` // those that were offered

	uses map[[2]string]LastUse // by toolbox and server, for those that were offered
}

// DayUse is the usage of a day.
type DayUse struct {
	Day    string         `json:"day"` // such as 2006-01-02, in the user's time zone
	Calls  int            `json:"calls"`
	Failed int            `json:"failed"`
	Apps   map[string]int `json:"apps"` // calls by app
	Saved  int            `json:"savedTokens"`
}

// AppUse is the usage by an app. Its name is the ID of a known app, or the name by which it identifies
// itself.
type AppUse struct {
	App string `json:"app"`
	Calls
}

// ServerUse is the usage of a server.
type ServerUse struct {
	Toolbox   string `json:"toolbox"`
	Server    string `json:"server"`
	TypicalMs int64  `json:"typicalMs"` // about half of the calls took less
	Calls
}

// ToolUse is the usage of a tool. The name is empty for the sum of the tools that are not counted
// individually.
type ToolUse struct {
	Toolbox   string `json:"toolbox"`
	Server    string `json:"server"`
	Tool      string `json:"tool"`
	TypicalMs int64  `json:"typicalMs"`
	Calls
}

// ToolboxUse is the usage of a toolbox, and what it saved by being closed. For each session of an app, at
// most once a day, in which the toolbox was offered and neither open nor used, it saved the tokens of its
// tools when it was last opened. A toolbox that was never opened in the kept time saved tokens too, but their
// number is unknown, so they are not counted.
type ToolboxUse struct {
	Toolbox  string `json:"toolbox"`
	Sessions int    `json:"sessions"`
	Used     int    `json:"used"`   // sessions in which it was open or used
	Opened   int    `json:"opened"` // how often
	Tools    int    `json:"tools"`
	Tokens   int    `json:"tokens"` // of its tools, roughly; 0 if not known
	Saved    int    `json:"savedTokens"`
}

// Read returns the usage of the configuration at a path. With an error, the report is empty but not nil.
func Read(folder Folder, preferences, config string, now time.Time) (*Report, error) {
	r := &reading{config: ofConfig(config), days: map[string]day{}, report: &Report{
		Wanted: Wanted(preferences), Days: []DayUse{}, Apps: []AppUse{}, Servers: []ServerUse{}, Tools: []ToolUse{},
		Toolboxes: []ToolboxUse{},
		uses:      map[[2]string]LastUse{},
	}}
	if !r.report.Wanted {
		return r.report, nil
	}
	if err := r.read(folder, now); err != nil {
		return &Report{Wanted: true, Days: r.report.Days, Apps: r.report.Apps, Servers: r.report.Servers,
			Tools: r.report.Tools, Toolboxes: r.report.Toolboxes}, err
	}
	return r.finish(now), nil
}

// reading is a report that is being made.
type reading struct {
	config string
	report *Report

	days map[string]day // days with usage of the configuration, by name
}

func (r *reading) read(folder Folder, now time.Time) error {
	servers, damaged, err := folder.readServers()
	if err != nil {
		return err
	}
	r.report.Since, r.report.Damaged = servers.since, damaged
	since := &r.report.Since
	for key, s := range servers.servers {
		if key.config == r.config {
			r.report.uses[[2]string{key.toolbox, key.server}] = LastUse{Since: s.First}
		}
	}
	for _, name := range lastDays(now) {
		today, _, err := folder.readDay(name)
		if err != nil {
			return err
		}
		r.report.Damaged = r.report.Damaged || today.lost
		if len(today.calls) > 0 { // usage was kept by then, whatever the file of the servers says
			if start, _ := time.ParseInLocation(dayFormat, name, now.Location()); since.IsZero() ||
				name < since.In(now.Location()).Format(dayFormat) {
				*since = start
			}
		}
		maps.DeleteFunc(today.calls, func(key callKey, _ Calls) bool { return key.config != r.config })
		maps.DeleteFunc(today.boxes, func(key boxKey, _ Box) bool { return key.config != r.config })
		r.days[name] = today
	}
	return nil
}

// lastDays returns the days that are kept, in order.
func lastDays(now time.Time) []string {
	days := make([]string, Days)
	for i := range days {
		days[i] = now.AddDate(0, 0, i+1-Days).Format(dayFormat)
	}
	return days
}

// finish calculates the sums.
func (r *reading) finish(now time.Time) *Report {
	report := r.report
	days := map[string]*DayUse{}
	if from := report.Since; !from.IsZero() {
		for _, name := range lastDays(now) {
			if name >= from.Local().Format(dayFormat) {
				report.Days = append(report.Days, DayUse{Day: name, Apps: map[string]int{}})
			}
		}
		for i := range report.Days {
			days[report.Days[i].Day] = &report.Days[i]
		}
	}
	apps, servers, tools := map[string]Calls{}, map[[2]string]Calls{}, map[[3]string]Calls{}
	for name, rows := range r.days {
		for key, calls := range rows.calls {
			report.add(calls)
			addTo(apps, key.app, calls)
			addTo(servers, [2]string{key.toolbox, key.server}, calls)
			addTo(tools, [3]string{key.toolbox, key.server, key.tool}, calls)
			if day := days[name]; day != nil {
				day.Calls += calls.Count
				day.Failed += calls.Failed
				day.Apps[key.app] += calls.Count
			}
		}
	}
	for app, calls := range apps {
		report.Apps = append(report.Apps, AppUse{app, calls})
	}
	slices.SortStableFunc(report.Apps, func(a, b AppUse) int {
		return cmp.Or(more(a.Calls, b.Calls), cmp.Compare(a.App, b.App))
	})
	for at, calls := range servers {
		report.Servers = append(report.Servers, ServerUse{at[0], at[1], calls.Typical().Milliseconds(), calls})
		if use, known := report.uses[at]; known {
			use.Last = calls.Last
			report.uses[at] = use
		}
	}
	slices.SortStableFunc(report.Servers, func(a, b ServerUse) int {
		return cmp.Or(more(a.Calls, b.Calls), cmp.Compare(a.Toolbox, b.Toolbox), cmp.Compare(a.Server, b.Server))
	})
	for at, calls := range tools {
		report.Tools = append(report.Tools, ToolUse{at[0], at[1], at[2], calls.Typical().Milliseconds(), calls})
	}
	slices.SortStableFunc(report.Tools, func(a, b ToolUse) int {
		return cmp.Or(more(a.Calls, b.Calls), cmp.Compare(a.Toolbox, b.Toolbox), cmp.Compare(a.Server, b.Server),
			cmp.Compare(a.Tool, b.Tool))
	})
	r.toolboxes(days)
	report.withoutSteps()
	return report
}

// withoutSteps removes what only the sums needed.
func (r *Report) withoutSteps() {
	r.Steps = nil
	for i := range r.Apps {
		r.Apps[i].Steps = nil
	}
	for i := range r.Servers {
		r.Servers[i].Steps = nil
	}
	for i := range r.Tools {
		r.Tools[i].Steps = nil
	}
}

// toolboxes adds up the usage of toolboxes, and what the closed ones saved.
func (r *reading) toolboxes(days map[string]*DayUse) {
	sums := map[string]Box{}
	for _, rows := range r.days {
		for key, box := range rows.boxes {
			sum := sums[key.toolbox]
			sum.add(box)
			sums[key.toolbox] = sum
		}
	}
	for name, rows := range r.days {
		for key, box := range rows.boxes {
			if day := days[name]; day != nil {
				day.Saved += saved(box, sums[key.toolbox].Tokens)
			}
		}
	}
	for name, sum := range sums {
		use := ToolboxUse{name, sum.Sessions, sum.Used, sum.Opened, sum.Tools, sum.Tokens, saved(sum, sum.Tokens)}
		r.report.Saved += use.Saved
		r.report.Toolboxes = append(r.report.Toolboxes, use)
	}
	slices.SortStableFunc(r.report.Toolboxes, func(a, b ToolboxUse) int {
		return cmp.Or(-cmp.Compare(a.Saved, b.Saved), -cmp.Compare(a.Used, b.Used), cmp.Compare(a.Toolbox, b.Toolbox))
	})
}

// saved returns how many tokens a toolbox saved by being closed.
func saved(b Box, tokens int) int { return max(0, b.Sessions-b.Used) * tokens }

func addTo[K comparable](sums map[K]Calls, at K, calls Calls) {
	sum := sums[at]
	sum.add(calls)
	sums[at] = sum
}

func more(a, b Calls) int { return -cmp.Compare(a.Count, b.Count) }

// LastUse says when a server was last called, as far as that is kept.
type LastUse struct {
	Last  time.Time // zero if it was not called since Since
	Since time.Time // the beginning of the known time; zero if nothing is known
}

// LastUse returns when a server was last called.
func (r *Report) LastUse(toolbox, server string) LastUse {
	if r == nil || !r.Wanted || r.Since.IsZero() {
		return LastUse{}
	}
	use, known := r.uses[[2]string{toolbox, server}]
	if !known {
		use, known = r.uses[[2]string{Name(toolbox), Name(server)}]
	}
	if known && use.Since.Before(r.Since) {
		use.Since = r.Since
	}
	return use // zero for a server that was not offered to any app yet
}

// Unused reports whether a server was not called in all the time for which calls are kept. It is false if the
// server has not been known for so long.
func (u LastUse) Unused(now time.Time) bool {
	return !u.Since.IsZero() && u.Last.IsZero() && now.Sub(u.Since) >= Days*24*time.Hour
}
