package add

import (
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
)

// step is a step of the dialog.
type step int

const (
	stepChoose step = iota // choose a server
	stepReview             // fill in, look and add
	stepTry                // the server was added and is tried
)

// Dialog is the open dialog. Call its methods only on the goroutine of the window.
type Dialog struct {
	window  fyne.Window
	program Program
	sheet   *kit.Sheet
	before  func(*fyne.KeyEvent) // the key handler of the window without the dialog
	closed  bool
	unasked bool // see [Start.Unasked]; reset when a review is shown

	noKeychain bool // this computer has no keychain

	step   step
	places destination
	found  map[string]*bool // by command, whether the program was found; nil while it is being searched

	title   *kit.Text
	back    *kit.Button
	note    *kit.Lines        // says what was not done, until another step is shown
	noted   fyne.CanvasObject // contains note
	body    *fyne.Container
	foot    *fyne.Container
	closing closing
	chooser *chooser
	review  *reviewPage
	trial   *trialPage
}

// withoutKeychain offers to keep secrets in the file if the keychain cannot be used.
func (d *Dialog) withoutKeychain(absent bool) {
	d.noKeychain = absent
	if d.closed || d.review == nil {
		return
	}
	for _, card := range d.review.cards {
		for _, field := range card.fields {
			field.offerFile(d)
		}
	}
	d.review.update()
	d.review.arrange()
}

// destination is the toolbox that servers are added to.
type destination struct {
	toolboxes []string
	toolbox   string // one of toolboxes, or empty for a new one
	name      string // the name of the new toolbox
}

func (p *destination) isNew() bool { return p.toolbox == "" }

func (p *destination) chosen() string {
	if p.isNew() {
		return strings.TrimSpace(p.name)
	}
	return p.toolbox
}

// problem returns a text that says why nothing can be added there, or "".
func (p *destination) problem() string {
	switch {
	case !p.isNew():
		return ""
	case edit.CheckName("toolbox", p.chosen()) != nil:
		return lang.L("The new toolbox needs a name.")
	case slices.Contains(p.toolboxes, p.chosen()):
		return lang.L("There is a toolbox called “{{.Name}}” already.", map[string]any{"Name": p.chosen()})
	}
	return ""
}

// firstToolbox is the default name of the first toolbox.
const firstToolbox = "my-tools"

// Show opens the dialog over a window.
func Show(window fyne.Window, program Program, start Start) *Dialog {
	d := &Dialog{window: window, program: program, found: map[string]*bool{}, unasked: start.Unasked}
	d.places.toolboxes = program.Toolboxes()
	switch {
	case slices.Contains(d.places.toolboxes, start.Toolbox):
		d.places.toolbox = start.Toolbox
	case len(d.places.toolboxes) > 0:
		d.places.toolbox = d.places.toolboxes[0]
	default:
		d.places.name = firstToolbox
	}
	d.build()
	d.chooser = newChooser(d)
	program.NoKeychain(d.withoutKeychain)
	if len(start.Tried) > 0 {
		d.tryThese(start)
	} else {
		d.show(stepChoose)
	}
	window.Canvas().Overlays().Add(d.sheet)
	d.before = window.Canvas().OnTypedKey()
	window.Canvas().SetOnTypedKey(d.typedKey)
	if d.trial != nil {
		d.trial.start()
		return d
	}
	if start.Text != "" {
		start.Way = WayPaste
	}
	d.chooser.choose(start.Way)
	if start.Text != "" {
		d.Offer(start.Text)
	}
	if d.step == stepChoose {
		d.chooser.focus()
	}
	d.OfferFiles(start.Files)
	if start.Found != nil {
		d.take(fromText(*start.Found), kit.Words().Texts(start.Found.Says()))
	}
	return d
}

// pageChanged adapts the buttons to the page of the first step. It does nothing while the pages are made.
func (d *Dialog) pageChanged() {
	if d.chooser != nil {
		d.chooser.update()
	}
}

// FocusSearch gives the focus to the search field of the catalogue, if it is visible.
func (d *Dialog) FocusSearch() {
	if d.step == stepChoose && d.chooser.way() == WayCatalogue {
		d.chooser.focus()
	}
}

// Offer handles text as if it had been pasted into the dialog, and shows what it contains. It does nothing while
// servers are being added or tried.
func (d *Dialog) Offer(text string) {
	if d.closed || d.step == stepTry || d.review != nil && d.review.adding {
		return
	}
	if d.step == stepReview {
		d.show(stepChoose)
	}
	d.chooser.choose(WayPaste)
	long := len(text) > maxField
	if !long && !share.Is(text) {
		d.chooser.paste.offer(text)
		return
	}
	switch found, box, err := d.recognise(text); {
	case box != nil:
		d.takeShared(box)
	case !long: // the page shows why it is not a shared toolbox
		d.chooser.paste.offer(text)
	case err == nil:
		d.take(fromText(found), kit.Words().Texts(found.Says()))
	default:
		d.chooser.paste.offer(text[:maxField])
		d.chooser.paste.fail(err) // the error is about the whole text
	}
}

// maxField is the most bytes of text that are put into the field. With much more, Fyne's field takes seconds for every
// change.
const maxField = 16 << 10

// OfferFiles shows the review of the servers in all files, and names the files without servers. If there are no
// servers at all, it shows the text of the first file, and the reasons for all files if some could not be read. It
// does nothing while servers are being added or tried.
func (d *Dialog) OfferFiles(files []File) {
	if len(files) == 0 || d.closed || d.step == stepTry || d.review != nil && d.review.adding {
		return
	}
	var all foreign.Found
	var without []string
	var extensions []*candidate
	for _, file := range files {
		if file.Err == nil && file.Extension != nil {
			extensions = append(extensions, fromExtension(file.Extension))
			continue
		}
		found, box, err := d.recognise(file.Text)
		switch {
		case file.Err != nil:
			err = file.Err
		case box != nil:
			err = errors.New(lang.L("Open a shared toolbox by itself."))
		}
		if err != nil {
			without = append(without, lang.L("Nothing was taken from {{.File}}: {{.Why}}",
				map[string]any{"File": kit.Line(file.Name), "Why": kit.Line(kit.SayError(err))}))
			continue
		}
		all.Entries = append(all.Entries, found.Entries...)
		all.Notes = append(all.Notes, found.Says()...)
	}
	candidates := append(fromText(all), extensions...)
	if len(candidates) == 0 {
		d.Offer(files[0].Text)
		if slices.ContainsFunc(files, func(f File) bool { return f.Err != nil }) {
			d.chooser.paste.refuse(without)
		}
		return
	}
	distinct(candidates)
	d.take(candidates, append(without, kit.Words().Texts(all.Notes)...))
}

// Close closes the dialog without asking. It cancels a running trial.
func (d *Dialog) Close() {
	if d.closed {
		return
	}
	d.closed = true
	if d.trial != nil {
		d.trial.runner.Stop()
		d.program.Tried(nil)
	}
	if d.review != nil {
		d.review.placed.giveUp()
	}
	kit.TakeOff(d.window.Canvas(), d.sheet)
	d.window.Canvas().SetOnTypedKey(d.before)
	d.program.Ended()
}

// Closed reports whether the dialog was closed.
func (d *Dialog) Closed() bool { return d.closed }

func (d *Dialog) build() {
	d.title = kit.NewText("", kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true})
	d.back = kit.NewIconButton(base.NavigateBackIcon(), lang.L("Back"), func() { d.show(stepChoose) })
	closing := kit.NewIconButton(base.CancelIcon(), lang.L("Close"), d.escape)
	d.body, d.foot = container.NewStack(), container.NewStack()
	d.note = kit.NewParagraph("", kit.TextStyle{Color: theme.StateNotice.Color()})
	d.noted = kit.InsetSides(d.note, kit.GapWide, 0, kit.GapBlock, kit.GapBlock)
	d.noted.Hide()
	foot := kit.Column(0, widget.NewSeparator(), d.noted, kit.Inset(d.foot, kit.GapWide, kit.GapBlock))
	head := kit.Inset(kit.Row(kit.GapTight, d.back, kit.Rest(d.title), closing), kit.GapWide, kit.GapBlock)
	// the order is that of the Tab key
	content := container.New(layout.NewBorderLayout(head, foot, nil, nil), d.body, foot, head)
	d.sheet = kit.NewSheet(content, func(room fyne.Size) fyne.Size {
		return fyne.NewSize(min(room.Width, sheetWidth), min(room.Height, sheetHeight))
	})
}

// The greatest size of the dialog, in pixels. A larger one would be harder to read.
const (
	sheetWidth  = 940
	sheetHeight = 720
)

// show goes to a step.
func (d *Dialog) show(to step) {
	d.step, d.closing.asking = to, false
	d.noted.Hide()
	kit.SetVisible(d.back, to == stepReview)
	switch to {
	case stepChoose:
		if d.review != nil {
			d.review.placed.giveUp()
		}
		d.review = nil
		d.title.Set(lang.L("Add a server"))
		d.body.Objects = []fyne.CanvasObject{d.chooser.root}
	case stepReview:
		d.title.Set(d.review.title())
		d.body.Objects = []fyne.CanvasObject{d.review.page}
	case stepTry:
		d.title.Set(d.trial.title())
		d.body.Objects = []fyne.CanvasObject{d.trial.page}
	}
	d.fillFoot()
	d.sheet.Refresh()
}

// Say shows a text above the buttons until another step is shown.
func (d *Dialog) Say(text string) {
	d.note.Set(text)
	d.noted.Show()
	d.sheet.Refresh()
}

// fillFoot shows the buttons for the current state.
func (d *Dialog) fillFoot() {
	var foot fyne.CanvasObject
	switch {
	case d.closing.asking:
		question, keep := d.closing.foot(d)
		foot = question
		defer d.focus(keep)
	case d.step == stepChoose:
		d.chooser.update()
		foot = d.chooser.foot
	case d.step == stepReview:
		foot = d.review.foot
	default:
		foot = d.trial.foot
	}
	d.foot.Objects = []fyne.CanvasObject{foot}
	d.foot.Refresh()
}

// focus moves the focus, if the dialog is still open.
func (d *Dialog) focus(to fyne.Focusable) {
	if !d.closed && slices.Contains(d.window.Canvas().Overlays().List(), fyne.CanvasObject(d.sheet)) {
		d.window.Canvas().Focus(to)
	}
}

// typedKey handles keys while nothing has the focus. If something else lies over the dialog, such as a file dialog,
// the window handles them.
func (d *Dialog) typedKey(event *fyne.KeyEvent) {
	if d.window.Canvas().Overlays().Top() != d.sheet {
		if d.before != nil {
			d.before(event)
		}
		return
	}
	switch event.Name {
	case fyne.KeyEscape:
		d.escape()
	case fyne.KeyReturn, fyne.KeyEnter:
		d.enter()
	default:
		kit.ScrollByKey(d.window.Canvas(), event)
	}
}

// enter does what the main button of the step does.
func (d *Dialog) enter() {
	switch {
	case d.closing.asking:
	case d.step == stepChoose:
		d.chooser.next()
	case d.step == stepReview:
		d.review.add()
	case d.step == stepTry:
		d.trial.leave()
	}
}

// input returns a field of one line.
func (d *Dialog) input(placeholder, text string, changed func(string)) *kit.Input {
	in := kit.NewInput(placeholder)
	in.Text = text
	in.OnChanged = changed
	in.OnSubmitted = func(string) { d.enter() }
	return in
}

// take goes on to the review of candidates.
func (d *Dialog) take(candidates []*candidate, notes []string) {
	d.review = newReviewPage(d, candidates, notes, nil)
	d.show(stepReview)
	d.review.focus()
}

// lookFor finds out whether a program exists, once for each command. It calls changed when that is known.
func (d *Dialog) lookFor(command string, changed func()) {
	if _, known := d.found[command]; known || command == "" || strings.Contains(command, "${") {
		return
	}
	d.found[command] = nil
	d.program.Finds(command, func(found bool) {
		d.found[command] = &found
		if !d.closed {
			changed()
		}
	})
}
