package activity

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// engines is the row of cards for the engines that run now.
type engines struct {
	root    *fyne.Container
	cards   *fyne.Container
	scroll  *container.Scroll
	none    fyne.CanvasObject
	program Program
	resized func() // called when the height of the row has changed

	view    View
	drawn   string                 // a description of the cards shown
	closing map[openToolbox]bool   // toolboxes that are being closed
	failed  map[openToolbox]string // why a toolbox could not be closed
}

// openToolbox is a toolbox that is open in an engine.
type openToolbox struct {
	engine  ipc.EngineID
	toolbox string
}

func newEngines(program Program) *engines {
	e := &engines{program: program, closing: map[openToolbox]bool{}, failed: map[openToolbox]string{}}
	e.cards = container.New(layout.NewCustomPaddedHBoxLayout(kit.GapWide))
	// The space below is for the scroll bar.
	e.scroll = container.NewHScroll(kit.InsetSides(e.cards, kit.GapHair, kit.GapWide, kit.GapEdge, kit.GapEdge))
	e.none = kit.Inset(kit.NewText(
		lang.L("No AI app is connected now."),
		kit.TextStyle{Color: theme.ColorMuted, Shrinks: true}), kit.GapHair, kit.GapEdge)
	e.scroll.Hide() // There is no engine yet.
	e.root = container.NewStack(e.scroll, e.none)
	return e
}

// show shows the engines of a view. It creates new cards only if something on them has changed.
func (e *engines) show(view View) {
	// The window's own engine runs all the time. It gets a card only while it has a toolbox open.
	view.Engines = slices.DeleteFunc(slices.Clone(view.Engines), func(engine model.Engine) bool {
		return engine.Own && len(engine.Open) == 0
	})
	// Those of others come last.
	slices.SortStableFunc(view.Engines, func(a, b model.Engine) int { return order(a.Elsewhere) - order(b.Elsewhere) })
	e.view = view
	for open := range e.closing {
		e.forget(open)
	}
	for open := range e.failed {
		e.forget(open)
	}
	e.draw()
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

// forget drops what is known about a toolbox in an engine if the toolbox is no longer open there.
func (e *engines) forget(open openToolbox) {
	i := slices.IndexFunc(e.view.Engines, func(engine model.Engine) bool { return engine.ID == open.engine })
	if i < 0 || !slices.Contains(e.view.Engines[i].Open, open.toolbox) {
		delete(e.closing, open)
		delete(e.failed, open)
	}
}

func (e *engines) draw() {
	drawn := e.describe()
	if drawn == e.drawn {
		return
	}
	e.drawn = drawn
	before := e.root.MinSize().Height
	e.cards.RemoveAll()
	for _, engine := range e.view.Engines {
		e.cards.Add(e.card(engine))
	}
	kit.SetVisible(e.none, len(e.view.Engines) == 0)
	kit.SetVisible(e.scroll, len(e.view.Engines) > 0)
	e.root.Refresh()
	if e.root.MinSize().Height != before && e.resized != nil {
		e.resized()
	}
}

// describe returns a text that changes whenever something on the cards changes.
func (e *engines) describe() string {
	var b strings.Builder
	for _, engine := range e.view.Engines {
		fmt.Fprintf(&b, "%d %q %q %v %v %q %v %q\n", engine.ID, engine.Client, engine.Open, engine.Own, engine.Elsewhere,
			note(engine, e.view.Version), engine.Initialized.IsZero(), connection(engine, e.view.Now))
		for _, toolbox := range engine.Open {
			open := openToolbox{engine.ID, toolbox}
			fmt.Fprintf(&b, "%v %q ", e.closing[open], e.failed[open])
		}
	}
	return b.String()
}

const (
	cardWidth  = 288
	chipHeight = 28
	maxChips   = 2 // the most toolboxes named on a card; the others are in a menu
)

// card returns a card with the given lines. The card is as high as the lines need at cardWidth.
func card(lines fyne.CanvasObject) fyne.CanvasObject {
	card := kit.NewCard(lines)
	kit.Settle(card, cardWidth)
	return kit.Sized(cardWidth, 0, card)
}

// card returns the card of one engine.
func (e *engines) card(engine model.Engine) fyne.CanvasObject {
	state := theme.StateConnected
	switch {
	case engine.Trouble != model.NoTrouble:
		state = theme.StateNotice
	case engine.Initialized.IsZero() && !engine.Own:
		state = theme.StateWorking
	}
	small := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}
	if engine.Elsewhere { // of another account or another file; nothing can be done with it here
		where := lang.L("It has other toolboxes, from {{.Folder}}.", map[string]any{"Folder": filepath.Dir(engine.Config)})
		name := kit.NewText(engine.Client, kit.TextStyle{Size: theme.SizeHeading, Color: theme.ColorMuted, Shrinks: true})
		return card(kit.Column(kit.GapTight, e.title(engine, kit.Marked(theme.StateIdle, name)),
			kit.NewParagraph(where, kit.Small())))
	}
	title := kit.Marked(state,
		kit.NewText(engine.Client, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}))
	lines := kit.Column(kit.GapTight, e.title(engine, title), kit.NewText(connection(engine, e.view.Now), small))
	if text := note(engine, e.view.Version); text != "" {
		lines.Add(kit.NewParagraph(text, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWorking}))
	}
	if engine.Trouble != model.NoTrouble { // Its open toolboxes are unknown and cannot be closed.
		return card(lines)
	}
	lines.Add(e.toolboxes(engine))
	for _, toolbox := range engine.Open {
		if problem := e.failed[openToolbox{engine.ID, toolbox}]; problem != "" {
			lines.Add(kit.NewParagraph(problem, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}))
		}
	}
	return card(lines)
}

// title returns the first line of a card: the name of an engine, and a button for its log. All are equally high.
func (e *engines) title(engine model.Engine, name fyne.CanvasObject) fyne.CanvasObject {
	if !e.program.HasLogs() {
		return name
	}
	log := kit.NewButton(lang.L("Log"), widget.LowImportance, func() { e.program.ShowLog(engine) })
	if engine.Elsewhere {
		return kit.Sized(0, log.MinSize().Height, name)
	}
	e.scrollToFocused(log)
	return kit.Row(kit.Gap, kit.Rest(name), log)
}

// toolboxes lists the open toolboxes of an engine, each with a button to close it.
func (e *engines) toolboxes(engine model.Engine) fyne.CanvasObject {
	if len(engine.Open) == 0 {
		return kit.Sized(0, chipHeight,
			kit.NewText(lang.L("No toolbox is open"),
				kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}))
	}
	shown := engine.Open
	if len(shown) > maxChips {
		shown = shown[:maxChips]
	}
	chips := kit.NewFlow(kit.Gap)
	for _, toolbox := range shown {
		chips.Add(e.chip(engine.ID, toolbox, len(shown) == 1))
	}
	if rest := engine.Open[len(shown):]; len(rest) > 0 {
		var more *kit.Button
		more = kit.NewButton(lang.L("and {{.Count}} more", map[string]any{"Count": len(rest)}), widget.LowImportance,
			func() {
				menu := fyne.NewMenu("")
				for _, toolbox := range rest {
					menu.Items = append(menu.Items,
						fyne.NewMenuItem(lang.L("Close {{.Toolbox}}", map[string]any{"Toolbox": kit.Line(toolbox)}), func() {
							e.close(engine.ID, toolbox)
						}))
				}
				more.ShowMenu(menu)
			})
		chips.Add(kit.Sized(0, chipHeight, kit.Flush(more, true, false)))
	}
	return chips
}

// scrollToFocused makes the cards scroll until the button is visible whenever the button gets the focus.
func (e *engines) scrollToFocused(button *kit.Button) {
	button.OnFocus = func(focused bool) {
		driver := fyne.CurrentApp().Driver()
		left := driver.AbsolutePositionForObject(button).X - driver.AbsolutePositionForObject(e.scroll).X
		switch right := left + button.Size().Width + kit.GapEdge - e.scroll.Size().Width; {
		case !focused:
		case left < 0:
			e.scroll.ScrollToOffset(e.scroll.Offset.AddXY(left-kit.GapEdge, 0))
		case right > 0:
			e.scroll.ScrollToOffset(e.scroll.Offset.AddXY(right, 0))
		}
	}
}

// chip returns the name of an open toolbox with a button to close it.
func (e *engines) chip(engine ipc.EngineID, toolbox string, alone bool) fyne.CanvasObject {
	most := float32(86) // leaves room for two chips
	if alone {
		most = 210
	}
	text := kit.NewText(toolbox, kit.TextStyle{Size: theme.SizeSmall, Shrinks: true})
	button := kit.NewIconButton(base.CancelIcon(),
		lang.L("Close {{.Toolbox}}", map[string]any{"Toolbox": toolbox}), func() { e.close(engine, toolbox) })
	e.scrollToFocused(button)
	if e.closing[openToolbox{engine, toolbox}] {
		button.Disable()
	}
	width := min(text.Full().Width, most)
	inside := kit.InsetSides(kit.Row(kit.GapHair, kit.Sized(width, chipHeight, text),
		kit.Sized(chipHeight, chipHeight, button)), 0, 0, kit.Gap, 0)
	return kit.NewBox(kit.BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeChipRadius}, inside)
}

// close closes a toolbox. If that fails, the card shows why.
func (e *engines) close(engine ipc.EngineID, toolbox string) {
	open := openToolbox{engine, toolbox}
	if e.closing[open] {
		return
	}
	e.closing[open] = true
	delete(e.failed, open)
	e.draw()
	e.program.CloseToolbox(engine, toolbox, func(err error) {
		delete(e.closing, open)
		if err != nil {
			e.failed[open] = lang.L("That could not be done: {{.Reason}}", map[string]any{"Reason": kit.SayError(err)})
		}
		e.draw()
	})
}

// connection says when an engine was connected, or why it is not.
func connection(engine model.Engine, now time.Time) string {
	switch {
	case engine.Trouble == model.Silent:
		return lang.L("Not responding")
	case engine.Trouble == model.OtherVersion:
		return lang.L("Unknown")
	case engine.Initialized.IsZero() && !engine.Own:
		return lang.L("Connecting…")
	}
	since := engine.Initialized
	if engine.Own {
		since = engine.Started
	}
	return lang.L("Connected since {{.Time}}.", map[string]any{"Time": live.Clock(since, now)})
}

// note returns a remark about an engine that does not work normally, or "".
func note(engine model.Engine, version string) string {
	switch {
	case engine.Trouble == model.Silent:
		return live.Unresponsive(engine.Client)
	case engine.Trouble == model.OtherVersion:
		return live.OtherVersion(engine.Client)
	case engine.Program != "" && version != "" && engine.Program != version:
		return live.OtherVersion(engine.Client)
	}
	return ""
}
