package settings

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
)

// checks is the section that checks the computer.
type checks struct {
	*section
	screen *Screen

	state    *widget.Icon
	summary  *kit.Lines
	begin    *kit.Button
	stop     *kit.Button
	report   *kit.Button
	progress *widget.ProgressBar
	bar      fyne.CanvasObject // contains progress
	head     *fyne.Container
	problem  *kit.Lines
	list     *fyne.Container

	reveal  bool   // scroll to the section when its first results arrive
	drawn   string // a description of the list shown
	got     *got
	buttons map[string]*kit.Button // the buttons of the fixes, by the ID of the check
	fixing  map[string]bool        // checks whose fix is being applied
	failed  map[string]string      // why a fix could not be applied
}

func newChecks(screen *Screen, title string) *checks {
	c := &checks{
		screen: screen, state: widget.NewIcon(nil), summary: kit.NewParagraph("", kit.TextStyle{}),
		progress: widget.NewProgressBar(),
		problem:  kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}),
		list:     kit.Column(0), fixing: map[string]bool{}, failed: map[string]string{},
	}
	c.got = newGot(screen)
	c.begin = kit.NewButton(lang.L("Check my computer"), widget.HighImportance, func() {
		c.reveal = true
		c.screen.program.Check()
	})
	c.stop = kit.NewButton(lang.L("Stop"), widget.MediumImportance, func() { c.screen.program.StopCheck() })
	c.report = kit.NewButton(lang.L("Copy a report"), widget.MediumImportance, c.copy)
	c.progress.TextFormatter = func() string { return "" }
	c.bar = kit.Sized(1, 4, c.progress)
	c.head = kit.NewBeside(textAtLeast, kit.MarkedBy(c.state, c.summary), kit.Row(kit.Gap, c.report, c.stop, c.begin))
	words := muted(lang.L("A report contains no secrets, and not your name."))
	top := kit.Inset(paragraphs(c.head, c.bar, c.problem), kit.GapWide, kit.GapBlock)
	c.section = newSection(title, words,
		kit.NewFrame(kit.Column(0, top, c.list)), c.got.box)
	return c
}

// copy puts the report on the clipboard and says so.
func (c *checks) copy() {
	c.problem.Set("")
	c.screen.program.CopyReport(func(err error) {
		if err != nil {
			c.problem.Set(because(err))
			c.screen.page.Arrange()
			return
		}
		c.report.SetText(lang.L("Copied"))
		c.head.Refresh()
	})
}

// show updates the section.
func (c *checks) show() {
	c.got.show()
	view := c.screen.view.Doctor
	kit.SetVisible(c.begin, !view.Running)
	kit.SetVisible(c.stop, view.Running)
	kit.SetVisible(c.report, len(view.Checks) > 0 && !view.Running)
	kit.SetVisible(c.bar, view.Running)
	c.summarise(view)
	c.head.Refresh()
	c.draw(view)
}

// summarise sets the summary of the results.
func (c *checks) summarise(view Doctor) {
	done, wrong, notices := 0, 0, 0
	for _, check := range view.Checks {
		switch check.State {
		case doctor.Pending:
			continue
		case doctor.Wrong:
			wrong++
		case doctor.Notice:
			notices++
		}
		done++
	}
	state, text := theme.StateIdle, lang.L("Not checked")
	switch {
	case view.Running:
		state, text = theme.StateWorking,
			lang.L("Checking…")
		c.progress.SetValue(float64(done) / float64(max(1, len(view.Checks))))
		c.report.SetText(lang.L("Copy a report"))
	case wrong > 0:
		// Show the same number as the rest of the window, which also counts problems of single servers.
		count := max(wrong, c.screen.view.Problems)
		state, text = theme.StateWrong, lang.N("{{.Count}} problems", count, map[string]any{"Count": count})
	case len(view.Checks) > 0 && done < len(view.Checks):
		text = lang.L("Stopped")
	case done > 0 && c.screen.view.Problems > 0:
		count := c.screen.view.Problems
		state, text = theme.StateNotice,
			lang.N("{{.Count}} problems", count, map[string]any{"Count": count})
	case notices > 0:
		state, text = theme.StateNotice, lang.L("No problems")
	case done > 0:
		state, text = theme.StateConnected, lang.L("No problems")
	}
	if !view.Running && !view.Finished.IsZero() && done > 0 {
		text = kit.Facts(text,
			lang.L("Checked at {{.Time}}", map[string]any{"Time": live.Clock(view.Finished, view.Finished)}))
	}
	c.state.SetResource(state.Icon())
	c.summary.Set(text)
}

// draw creates the list of the checks if it has changed.
func (c *checks) draw(view Doctor) {
	drawn := fmt.Sprint(view.Running, c.fixing, c.failed)
	for _, check := range view.Checks {
		drawn += fmt.Sprintln(check.ID, check.Group, check.Title, check.State, check.Detail, check.Advice)
		if check.Fix != nil {
			drawn += fmt.Sprintln(*check.Fix)
		}
	}
	if drawn == c.drawn {
		return
	}
	c.drawn = drawn
	focused := c.focusedFix()
	c.buttons = map[string]*kit.Button{}
	c.list.RemoveAll()
	group := doctor.Group("")
	for _, check := range view.Checks {
		if check.Group != group {
			group = check.Group
			if len(c.list.Objects) > 0 {
				c.list.Add(kit.NewGap(0, kit.Gap))
			}
			c.list.Add(widget.NewSeparator())
			c.list.Add(kit.Inset(kit.NewText(heading(group),
				kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Bold: true}), kit.Gap, kit.GapBlock))
		}
		c.list.Add(kit.Inset(c.check(check, view.Running), kit.Gap, kit.GapBlock))
	}
	if len(view.Checks) > 0 {
		c.list.Add(kit.NewGap(0, kit.Gap))
	}
	c.list.Refresh()
	// Give the focus to the button that replaces the focused one.
	if button := c.buttons[focused]; button != nil && !button.Disabled() {
		kit.Focus(button)
	}
}

// heading returns the title of a group.
func heading(group doctor.Group) string {
	switch group {
	case doctor.Programs:
		return lang.L("Programs")
	case doctor.Files:
		return lang.L("Files")
	}
	return lang.L("Computer")
}

// focusedFix returns the ID of the check whose button has the focus, or "".
func (c *checks) focusedFix() string {
	for id, button := range c.buttons {
		if button.Focused() {
			return id
		}
	}
	return ""
}

// check returns the row of one check.
func (c *checks) check(check doctor.Check, running bool) fyne.CanvasObject {
	state, word := theme.StateIdle, ""
	switch check.State {
	case doctor.OK:
		state, word = theme.StateConnected, lang.L("OK")
	case doctor.Notice:
		state, word = theme.StateNotice, lang.L("Note")
	case doctor.Wrong:
		state, word = theme.StateWrong, lang.L("Problem")
	case doctor.Pending:
		word = lang.L("Not checked")
		if running {
			state, word = theme.StateWorking, lang.L("Checking…")
		}
	}
	title := kit.Row(kit.Gap, kit.NewText(kit.Say(check.Title), kit.TextStyle{Shrinks: true}),
		kit.NewText(word, kit.TextStyle{Size: theme.SizeSmall, Color: state.Color()}))
	text := paragraphs(title)
	for _, line := range []struct {
		text  string
		color fyne.ThemeColorName
	}{{check.Describe(kit.Words()), theme.ColorMuted}, {kit.Say(check.Advice), theme.ColorText},
		{c.failed[check.ID], theme.ColorWrong}} {
		if line.text != "" {
			text.Add(kit.NewParagraph(line.text, kit.TextStyle{Size: theme.SizeSmall, Color: line.color}))
		}
	}
	marked := kit.Marked(state, text)
	if check.Fix == nil {
		return marked
	}
	fix := *check.Fix
	if get := c.get(fix.Runtime); get != nil {
		return kit.NewBeside(textAtLeast, marked, get)
	}
	button := kit.NewButton(kit.Say(fix.Title), widget.MediumImportance, func() { c.fix(check.ID, fix) })
	if c.fixing[check.ID] {
		button.Disable()
	}
	c.buttons[check.ID] = button
	return kit.NewBeside(textAtLeast, marked, button)
}

// get returns a widget that installs the program with an ID, or nil if Workbench cannot install the program.
func (c *checks) get(id string) fyne.CanvasObject {
	for _, r := range c.screen.view.Runtimes {
		if r.ID == id {
			return c.screen.program.Get(id, widget.MediumImportance, func(bool) { c.screen.page.Arrange() })
		}
	}
	return nil
}

// fix applies the fix of a check: it opens the web page of the fix, or calls the Fix action if there is none.
func (c *checks) fix(id string, fix doctor.Fix) {
	if strings.HasPrefix(fix.URL, "https://") {
		c.screen.program.OpenURL(fix.URL)
		return
	}
	c.fixing[id] = true
	delete(c.failed, id)
	c.redraw()
	c.screen.program.Fix(fix, func(err error) {
		delete(c.fixing, id)
		if err != nil {
			c.failed[id] = because(err)
		}
		c.redraw()
	})
}

func (c *checks) redraw() {
	c.draw(c.screen.view.Doctor)
	c.screen.page.Arrange()
}
