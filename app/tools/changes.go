package tools

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/changes"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Changes are the changed tools of a server that are withheld from AI apps.
type Changes struct {
	Before, Now string // the version of the server when its tools were approved, and its version now; empty if not known
	Lost        bool   // the file with the approved tools was damaged, so the old definitions are not known
	List        []pin.Change
}

// asked returns the changes that the user has not decided about.
func (c *Changes) asked() []pin.Change {
	if c == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.List), func(change pin.Change) bool { return change.Off })
}

// summary says in a sentence how many tools are withheld, and why.
func (c *Changes) summary() string {
	if asked := len(c.asked()); asked > 0 {
		return live.ChangedTools(asked)
	}
	off := len(c.List)
	return lang.N("{{.Count}} changed tools stay blocked.", off, map[string]any{"Count": off})
}

const (
	// maxChanges is how many changes are shown. A decision applies to all of them.
	maxChanges = 25
	// definitionWidth is the length of the lines of a definition, in characters.
	definitionWidth = 30
	maxSideHeight   = 1600  // in pixels; a longer definition scrolls
	maxLines        = 4_000 // how many lines of a comparison are shown
)

// newBanner returns the note above the list of tools that says that some are withheld. Its button calls open.
func newBanner(changes *Changes, open func()) fyne.CanvasObject {
	state, importance := theme.StateNotice, widget.HighImportance
	if len(changes.asked()) == 0 {
		state, importance = theme.StateIdle, widget.MediumImportance
	}
	button := kit.NewButton(lang.L("Review…"), importance, open)
	return kit.NewCard(kit.NewBeside(200, kit.Marked(state, kit.NewParagraph(changes.summary(), kit.TextStyle{})),
		button))
}

// changesPage shows the changed tools and asks about them.
type changesPage struct {
	*kit.Page
	drawn *Changes
	back  *kit.Button // gets the focus, so that Enter pressed by accident approves nothing
	trust *kit.Button
}

func newChanges(changes *Changes, tab *Tab) *changesPage {
	back := kit.NewButtonWithIcon(lang.L("All tools"), base.NavigateBackIcon(), widget.LowImportance, tab.leaveChanges)
	body := kit.Column(kit.GapWide,
		kit.Row(0, kit.Flush(back, true, false)),
		kit.NewText(live.ToApprove(len(changes.List)), kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true}))
	happened := changes.summary()
	if changes.Before != changes.Now && changes.Before != "" && changes.Now != "" {
		happened = kit.Together(lang.L("The server is version {{.Now}} now; it was {{.Before}}.",
			map[string]any{"Now": visible.Line(changes.Now), "Before": visible.Line(changes.Before)}), happened)
	}
	body.Add(kit.NewParagraph(happened, kit.TextStyle{}))

	approve := kit.NewButton(lang.L("Approve"), widget.HighImportance, func() { tab.decide(changes.List, true) })
	off := kit.NewButton(lang.L("Keep blocked"), widget.MediumImportance, func() { tab.decide(changes.List, false) })
	trust := kit.NewButton(lang.L("Allow tool changes without asking"), widget.MediumImportance, tab.trust)
	if len(changes.List) > 1 {
		approve.SetText(lang.L("Approve all"))
	}
	kit.SetEnabled(off, len(changes.asked()) > 0)
	body.Add(kit.NewFlow(kit.Gap, approve, off, trust))

	// a new version is one question about all tools
	each := len(changes.List) > 1 && changes.Before == changes.Now && !changes.Lost
	for i, change := range changes.List {
		if i == maxChanges {
			rest := len(changes.List) - i
			body.Add(kit.NewParagraph(lang.L("and {{.Count}} more", map[string]any{"Count": rest}),
				kit.TextStyle{Color: theme.ColorMuted}))
			break
		}
		body.Add(newChange(change, each, tab))
	}
	return &changesPage{kit.NewPage(kit.Inset(body, kit.GapWide, kit.GapEdge)), changes, back, trust}
}

// newChange shows one tool: its old definition beside its new one. buttons adds buttons that decide about only this
// tool.
func newChange(change pin.Change, buttons bool, tab *Tab) fyne.CanvasObject {
	name := kit.NewText(visible.Line(change.Tool), kit.TextStyle{Bold: true, Mono: true, Shrinks: true})
	head := kit.Row(kit.Gap, kit.Rest(name))
	if change.Off {
		head.Add(kit.NewChip(kit.NewText(lang.L("Blocked"), kit.TextStyle{Size: theme.SizeSmall})))
	}
	if buttons {
		one := []pin.Change{change}
		head.Add(kit.NewButton(lang.L("Approve"), widget.LowImportance, func() { tab.decide(one, true) }))
		if !change.Off {
			head.Add(kit.NewButton(lang.L("Keep blocked"), widget.LowImportance, func() { tab.decide(one, false) }))
		}
	}
	content := kit.Column(kit.Gap, head)
	for _, mark := range pin.Marks(pin.Definition{Name: change.Tool, Raw: change.New}, nil) {
		content.Add(kit.Marked(theme.StateNotice,
			kit.NewParagraph(kit.Sentence(kit.Say(mark.Text())), kit.TextStyle{Color: theme.ColorWorking})))
	}
	if change.New == nil {
		return kit.NewCard(content)
	}
	if change.Old == nil {
		_, now := sides("", changes.Tool(change.New, definitionWidth))
		shown := code.NewDifference(now)
		content.Add(container.NewStack(kit.NewGap(0, min(shown.FullHeight(), maxSideHeight)), shown))
		return kit.NewCard(content)
	}
	before, now := sides(changes.Tool(change.Old, definitionWidth), changes.Tool(change.New, definitionWidth))
	left, right := code.NewDifference(before), code.NewDifference(now)
	height := min(max(left.FullHeight(), right.FullHeight()), maxSideHeight)
	side := func(title string, shown *code.Entry) fyne.CanvasObject {
		return kit.Column(kit.GapTight, kit.NewText(title, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
			container.NewStack(kit.NewGap(0, height), shown))
	}
	content.Add(kit.NewHalves(side(lang.L("Before"), left), side(lang.L("Now"), right)))
	return kit.NewCard(content)
}

// sides returns the two columns of a comparison: the changed lines with some lines around them. Equal lines are at the
// same height.
func sides(before, now string) (left, right code.Difference) {
	all := code.Compare([]byte(before), []byte(now))
	left.Removed, right.Added = all.Removed, all.Added
	blank := code.DifferentLine{Sign: '@'}
	level := func() {
		for len(left.Lines) < len(right.Lines) {
			left.Lines = append(left.Lines, blank)
		}
		for len(right.Lines) < len(left.Lines) {
			right.Lines = append(right.Lines, blank)
		}
	}
	shift := 0 // the number of a line in the old text, less its number in the new text
	for i, line := range all.Lines {
		if i >= maxLines {
			break
		}
		switch line.Sign {
		case '-':
			left.Lines = append(left.Lines, line)
			shift++
		case '+':
			shift--
			right.Lines = append(right.Lines, line)
		case '@':
			level()
			if i > 0 { // lines are left out between two parts
				gap := code.DifferentLine{Sign: '@', Text: "…"}
				left.Lines, right.Lines = append(left.Lines, gap), append(right.Lines, gap)
			}
		default:
			level()
			old := line
			old.Number += shift
			left.Lines, right.Lines = append(left.Lines, old), append(right.Lines, line)
		}
	}
	level()
	return left, right
}

// trustOps returns the edit that lets the tools of the server change without approval.
func (v View) trustOps() []edit.Op {
	return []edit.Op{edit.SetField{Target: v.Target(), Field: []string{"trustToolChanges"}, Value: jsonc.Value(true)}}
}
