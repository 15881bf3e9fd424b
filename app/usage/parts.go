package usage

import (
	"cmp"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	kept "github.com/workbench-mcp/workbench-desktop/engine/usage"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// summary says in one line since when calls are counted, and how many there were.
func summary(r *kept.Report) string {
	return kit.Facts(counted(r.Calls),
		lang.L("Since {{.Day}}", map[string]any{"Day": kit.Say(words.DayAndYear(r.Since.Local()))}))
}

// counted says how many calls there were and how many of them failed.
func counted(c kept.Calls) string {
	parts := []string{kit.Say(kept.CallCount(c.Count))}
	if c.Failed > 0 {
		parts = append(parts, kit.Say(kept.FailedCount(c.Failed)))
	}
	return kit.Facts(parts...)
}

// nameOf returns the name to show for a server of a toolbox.
func nameOf(toolbox, server string) string {
	if toolbox == "" {
		return lang.L("Others")
	}
	return kit.Way(toolbox, cmp.Or(server, "…"))
}

// days shows the calls per day, in one chart for each app. All charts have the same scale.
type days struct {
	root   *fyne.Container
	scale  *kit.Text
	charts []*kit.Bars
}

// mostApps + 1 is the number of charts. If there are more apps, the first mostApps have a chart of their own, and the
// others share the last one.
const mostApps = 4

func newDays() *days {
	d := &days{scale: kit.NewText("", kit.Small())}
	title := kit.NewText(lang.L("Calls a day"), kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true})
	rows := kit.Column(kit.GapBlock, kit.Row(kit.Gap, kit.Rest(title), d.scale))
	for range mostApps + 1 {
		chart := kit.NewBars()
		d.charts = append(d.charts, chart)
		rows.Add(chart)
	}
	d.root = container.NewStack(kit.NewCard(rows))
	return d
}

// leastDays is how many days a chart shows at least. With fewer days, each bar would be too wide.
const leastDays = 7

func (d *days) show(view View) {
	r := view.Report
	shown := r.Days
	if missing := leastDays - len(shown); missing > 0 { // pad with earlier days without calls
		first := view.Now
		if at, err := time.ParseInLocation(time.DateOnly, shown[0].Day, time.Local); err == nil {
			first = at
		}
		var before []kept.DayUse
		for i := missing; i > 0; i-- {
			before = append(before, kept.DayUse{Day: first.AddDate(0, 0, -i).Format(time.DateOnly)})
		}
		shown = append(before, shown...)
	}
	type line struct {
		name string
		apps []string
		all  kept.Calls
	}
	var lines []line
	for i, app := range r.Apps {
		if i < mostApps || len(r.Apps) == mostApps+1 {
			lines = append(lines, line{live.ClientName(app.App, app.App), []string{app.App}, app.Calls})
			continue
		}
		if i == mostApps {
			lines = append(lines, line{name: lang.L("Others")})
		}
		last := &lines[len(lines)-1]
		last.apps, last.all.Count, last.all.Failed = append(last.apps, app.App), last.all.Count+app.Count,
			last.all.Failed+app.Failed
	}
	calls := func(l line, day kept.DayUse) int {
		n := 0
		for _, app := range l.apps {
			n += day.Apps[app]
		}
		return n
	}
	highest := 1
	for _, l := range lines {
		for _, day := range shown {
			highest = max(highest, calls(l, day))
		}
	}
	d.scale.Set(lang.N("Peak: {{.Count}} calls", highest, map[string]any{"Count": kit.Say(words.Number(highest))}))
	for i, chart := range d.charts {
		if kit.SetVisible(chart, i < len(lines)); i >= len(lines) {
			continue
		}
		var bars []kit.Bar
		for _, day := range shown {
			n := calls(lines[i], day)
			bars = append(bars, kit.Bar{Value: float64(n), Say: kit.Facts(dayWord(day.Day), kit.Say(kept.CallCount(n)))})
		}
		chart.Set(lines[i].name, counted(lines[i].all), bars, float64(highest), dayWord(shown[0].Day),
			dayWord(shown[len(shown)-1].Day))
	}
}

// dayWord writes a date such as 2026-11-21 for people to read.
func dayWord(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return kit.Say(words.Day(at))
}

func fillServers(p *part, view View) {
	servers := view.Report.Servers
	for _, s := range servers[:min(most, len(servers))] {
		highest := float64(servers[0].Count)
		p.add(nameOf(s.Toolbox, s.Server), counted(s.Calls), "", float64(s.Count)/highest, float64(s.Failed)/highest)
	}
	p.rest(len(servers))
}

func fillTimes(p *part, view View) {
	servers := slices.Clone(view.Report.Servers)
	slices.SortStableFunc(servers, func(a, b kept.ServerUse) int { return -cmp.Compare(a.TypicalMs, b.TypicalMs) })
	for _, s := range servers[:min(most, len(servers))] {
		says := lang.L("about {{.Typical}}, longest {{.Longest}}",
			map[string]any{"Typical": milliseconds(s.TypicalMs), "Longest": milliseconds(s.Longest)})
		p.add(nameOf(s.Toolbox, s.Server), says, "", float64(s.TypicalMs)/float64(max(1, servers[0].TypicalMs)), 0)
	}
	p.rest(len(servers))
	p.note.Set(lang.L("The bars show how long a typical call takes."))
}

func milliseconds(ms int64) string { return kit.Say(kept.Took(time.Duration(ms) * time.Millisecond)) }

func fillFailures(p *part, view View) {
	var failed []kept.ToolUse
	for _, tool := range view.Report.Tools {
		if tool.Failed > 0 {
			failed = append(failed, tool)
		}
	}
	slices.SortStableFunc(failed, func(a, b kept.ToolUse) int { return -cmp.Compare(a.Failed, b.Failed) })
	for _, tool := range failed[:min(most, len(failed))] {
		name := kit.Way(nameOf(tool.Toolbox, tool.Server), tool.Tool)
		share := float64(tool.Failed) / float64(tool.Count)
		p.add(name, lang.N("{{.Shown}} of {{.Count}} calls", tool.Count,
			map[string]any{"Shown": kit.Say(words.Number(tool.Failed)), "Count": kit.Say(words.Number(tool.Count))}), "",
			share, share)
	}
	p.rest(len(failed))
	if len(failed) == 0 {
		p.note.Set(lang.L("None"))
	}
}

func fillSaved(p *part, view View) {
	r := view.Report
	var saved []kept.ToolboxUse
	for _, toolbox := range r.Toolboxes {
		if toolbox.Saved > 0 {
			saved = append(saved, toolbox)
		}
	}
	for _, toolbox := range saved[:min(most, len(saved))] {
		closed := lang.L("Closed in {{.Closed}} of {{.Sessions}} sessions",
			map[string]any{"Closed": toolbox.Sessions - toolbox.Used, "Sessions": toolbox.Sessions})
		p.add(toolbox.Toolbox, kit.Say(kept.TokenCount(toolbox.Saved)), closed,
			float64(toolbox.Saved)/float64(saved[0].Saved), 0)
	}
	p.rest(len(saved))
	if r.Saved == 0 {
		p.note.Set(lang.L("Nothing yet: a toolbox saves tokens in each session in which it stays closed, once it is " +
			"known how many its tools take."))
		return
	}
	p.note.Set(lang.L("About {{.Number}} tokens saved: the AI did not have to read them, because a toolbox stayed closed.",
		map[string]any{"Number": kit.Say(words.Number(kept.Roughly(r.Saved)))}))
}

// fillUnused lists the servers that were not used for 30 days. If calls have not been counted for that long, it says
// so.
func (s *Screen) fillUnused(p *part, view View) {
	unused := view.unused()
	for _, at := range unused[:min(most, len(unused))] {
		p.rows.Add(kit.NewText(nameOf(at.Toolbox, at.Server), kit.TextStyle{Shrinks: true}))
	}
	p.rest(len(unused))
	switch {
	case len(unused) > 0:
		p.rows.Add(kit.Row(0, kit.NewButton(lang.L("Show"), widget.MediumImportance, s.program.ShowUnused)))
	default:
		p.note.Set(lang.L("None"))
	}
}

// newEmpty says why there is nothing to show.
func (s *Screen) newEmpty(view View) fyne.CanvasObject {
	title, text := lang.L("No calls yet"),
		lang.L("When an AI app uses a tool of one of your servers, it is counted here: by app, day and server, how long "+
			"it took and whether it failed. What was asked and answered is not kept.")
	var more fyne.CanvasObject = kit.NewGap(0, 0)
	switch {
	case view.Err != nil:
		title, text = lang.L("This cannot be shown"), kit.ErrorSentence(view.Err)
	case view.Report != nil && view.Report.Damaged:
		text = kit.ErrorSentence(kept.ErrDamaged)
	case view.Report != nil && !view.Report.Wanted:
		title, text = lang.L("Tool calls are not counted"), ""
		more = kit.NewButton(lang.L("Settings"), widget.MediumImportance, s.program.ShowSettings)
	}
	return kit.NewEmpty(kit.WidthNote, base.NewColoredResource(theme.ChartIcon(), theme.ColorMuted), title, text, more)
}
