package add

import (
	"cmp"
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
)

// reviewPage is the second step: what to fill in, what would be started, and the toolbox.
type reviewPage struct {
	dialog     *Dialog
	candidates []*candidate
	notes      []string
	shared     *share.Toolbox // set if all candidates are from one shared toolbox
	cards      []*card
	typed      bool    // the user has filled in or chosen something
	adding     bool    // the servers are being added
	unasked    bool    // the review opened by itself: a key or a click meant for something else must not add anything
	settling   bool    // nothing can be added yet, see settlingTime
	failed     string  // why adding has failed
	placed     *placed // the files unpacked for the servers that are being added, until these are written; otherwise nil

	trouble    *kit.Lines // shows failed above the cards, because it may be long and says what to do
	troubleRow fyne.CanvasObject

	page    *kit.Page
	foot    fyne.CanvasObject
	toolbox *kit.Select
	newName *kit.Input
	hint    *kit.Lines
	cancel  *kit.Button
	confirm *kit.Button
}

func newReviewPage(d *Dialog, candidates []*candidate, notes []string, shared *share.Toolbox) *reviewPage {
	r := &reviewPage{dialog: d, candidates: candidates, notes: notes, shared: shared, unasked: d.unasked}
	d.unasked = false
	r.settle()
	r.build()
	return r
}

// build makes the page in the present language of the window, with what is filled in.
func (r *reviewPage) build() {
	candidates, notes, shared := r.candidates, r.notes, r.shared
	r.cards = nil
	column := kit.Column(kit.GapWide)
	r.trouble = kit.NewParagraph("", kit.TextStyle{Color: theme.ColorWrong})
	r.troubleRow = kit.Marked(theme.StateWrong, r.trouble)
	r.troubleRow.Hide()
	column.Add(r.troubleRow)
	if r.linked() {
		column.Add(kit.Sign(theme.StateNotice, kit.NewParagraph(
			lang.L("This comes from a link. Whoever made the link chose what is started here: add it only if you know the "+
				"page and trust it."), kit.TextStyle{Bold: true})))
	}
	if len(notes) > 0 {
		lines := kit.Column(kit.GapTight)
		for _, note := range notes {
			lines.Add(kit.Sign(theme.StateIdle, kit.NewParagraph(note, kit.Small())))
		}
		column.Add(lines)
	}
	if shared != nil {
		column.Add(r.aboutShared(shared))
	}
	r.page = kit.NewPage(kit.Inset(column, kit.GapTight, kit.GapEdge))
	for _, c := range candidates {
		w := newCard(r, c, len(candidates) > 1)
		r.cards = append(r.cards, w)
		column.Add(w.root)
	}
	column.Add(kit.NewGap(0, kit.Gap))
	r.makeFoot()
	r.update()
}

func (r *reviewPage) title() string {
	switch {
	case r.shared != nil:
		return lang.L("Toolbox “{{.Name}}” from a file", map[string]any{"Name": kit.Line(r.shared.Name)})
	case len(r.candidates) == 1 && r.candidates[0].from != nil:
		return kit.Say(r.candidates[0].from.Title)
	case len(r.candidates) == 1 && r.candidates[0].published != nil:
		return r.candidates[0].published.server.Title
	case len(r.candidates) == 1 && r.candidates[0].extension != nil:
		return r.candidates[0].extension.Title
	case len(r.candidates) == 1:
		return lang.L("Check what will be added")
	}
	return lang.N("{{.Count}} servers to look at", len(r.candidates), map[string]any{"Count": len(r.candidates)})
}

// makeFoot creates the choice of the toolbox and the buttons.
func (r *reviewPage) makeFoot() {
	d := r.dialog
	fresh := lang.L("New toolbox…")
	r.newName = d.input(lang.L("Name of the toolbox"), d.places.name, func(text string) {
		d.places.name = text
		r.update()
	})
	newName := kit.Sized(150, 0, r.newName)
	options := append(slices.Clone(d.places.toolboxes), fresh)
	r.toolbox = kit.NewSelect(options, nil)
	if d.places.isNew() {
		r.toolbox.SetSelectedIndex(len(options) - 1)
	} else {
		r.toolbox.SetSelected(d.places.toolbox)
	}
	kit.SetVisible(newName, d.places.isNew())
	r.toolbox.OnChanged = func(chosen string) {
		if r.toolbox.SelectedIndex() == len(options)-1 {
			chosen = ""
		}
		d.places.toolbox = chosen
		kit.SetVisible(newName, d.places.isNew())
		r.update()
		d.fillFoot()
		if d.places.isNew() {
			d.focus(r.newName)
		}
	}
	label := kit.NewText(lang.L("Toolbox"), kit.TextStyle{Bold: true})
	r.hint = kit.NewLines(2, kit.TextStyle{Color: theme.ColorMuted, Size: theme.SizeSmall})
	r.cancel = kit.NewButton(lang.L("Cancel"), widget.MediumImportance, d.escape)
	r.confirm = kit.NewButton(lang.L("Add and try"), widget.HighImportance, r.add)
	r.foot = kit.Row(kit.Gap, label, kit.Sized(170, 0, r.toolbox), newName, kit.Rest(r.hint), r.cancel, r.confirm)
}

// around returns what the preview of a candidate depends on.
func (r *reviewPage) around(c *candidate) surroundings {
	d := r.dialog
	s := surroundings{toolbox: d.places.chosen(), found: d.found}
	if !d.places.isNew() {
		s.taken = append(s.taken, d.program.Taken(d.places.toolbox)...)
	}
	for _, other := range r.candidates {
		if other == c {
			break // the second of two candidates with the same name has to change
		}
		if other.included {
			s.taken = append(s.taken, other.name)
		}
	}
	return s
}

// included returns the candidates to add.
func (r *reviewPage) included() []*candidate {
	return slices.DeleteFunc(slices.Clone(r.candidates), func(c *candidate) bool { return !c.included })
}

// blocked returns a text that says why nothing can be added now, or "".
func (r *reviewPage) blocked() string {
	if r.adding {
		return lang.L("Adding…")
	}
	if problem := r.dialog.places.problem(); problem != "" {
		return problem
	}
	if len(r.included()) == 0 {
		return lang.L("Choose at least one server")
	}
	for _, w := range r.cards {
		if w.candidate.included && w.shown.blocked != "" {
			if len(r.cards) > 1 {
				return w.candidate.name + ": " + w.shown.blocked
			}
			return w.shown.blocked
		}
	}
	return ""
}

// update shows the current state.
func (r *reviewPage) update() {
	for _, c := range r.candidates {
		server, _ := c.server(r.dialog.places.chosen())
		if !c.brings(server.Command) {
			r.dialog.lookFor(server.Command, r.update)
		}
	}
	for _, w := range r.cards {
		w.update()
	}
	blocked := r.blocked()
	hint, label, importance := blocked, lang.L("Add and try"), widget.HighImportance
	if missing := r.missing(); missing != "" && !r.adding { // the button that installs it is the main one
		hint, label, importance = cmp.Or(blocked, missing), lang.L("Add anyway"), widget.MediumImportance
		r.getFirst()
	}
	r.failedHint(hint)
	r.confirm.Importance = importance
	r.confirm.SetText(label)
	kit.SetEnabled(r.confirm, blocked == "" && !r.settling)
}

// missing returns a text about a missing program, or "".
func (r *reviewPage) missing() string {
	for _, w := range r.cards {
		if w.candidate.included && w.shown.missing != "" {
			return w.shown.missing
		}
	}
	return ""
}

// getFirst moves the focus from the button that adds to the button that installs the missing program.
func (r *reviewPage) getFirst() {
	if r.dialog.window.Canvas().Focused() != fyne.Focusable(r.confirm) {
		return
	}
	for _, w := range r.cards {
		if get, ok := w.get.(interface{ TakeFocus() }); ok && w.candidate.included {
			get.TakeFocus()
			return
		}
	}
}

// again looks again for programs that were not found.
func (r *reviewPage) again() {
	for command, found := range r.dialog.found {
		if found != nil && !*found {
			delete(r.dialog.found, command)
		}
	}
	r.update()
	if r.dialog.window.Canvas().Focused() == nil { // the button that installed the program is gone
		r.focus()
	}
}

// failedHint shows above the cards why adding has failed, or else the text blocked beside the buttons.
func (r *reviewPage) failedHint(blocked string) {
	failed := r.failed != "" && !r.adding
	if failed {
		r.trouble.Set(r.failed)
		blocked = ""
	}
	r.hint.Set(blocked)
	if r.troubleRow.Visible() != failed {
		kit.SetVisible(r.troubleRow, failed)
		r.page.Arrange()
		if failed {
			r.page.Reveal(r.troubleRow)
		}
	}
}

func (r *reviewPage) arrange() { r.page.Arrange() }

// focus gives the focus to the first empty required field, or to the main button. If the user has not opened the
// review, or if a link proposes the servers, it gives the focus to the button that cancels.
func (r *reviewPage) focus() {
	if r.unasked || r.linked() { // The Enter key would add the servers even in a field.
		r.dialog.focus(r.cancel)
		return
	}
	for _, w := range r.cards {
		for _, f := range w.fields {
			if f.field.missing() {
				r.dialog.focus(f.first)
				return
			}
		}
	}
	r.dialog.focus(r.confirm)
	if r.missing() != "" {
		r.getFirst()
	}
}

// settlingTime is how long nothing can be added after the review has opened by itself. A web page can choose the
// moment and the place of a click.
const settlingTime = time.Second

// settle makes a review that nobody has asked for wait before anything can be added.
func (r *reviewPage) settle() {
	if !r.unasked {
		return
	}
	r.settling = true
	r.dialog.program.Later(settlingTime, func() {
		r.settling = false
		if !r.dialog.closed && r.dialog.review == r {
			r.update()
		}
	})
}

// linked reports whether a link proposes the servers.
func (r *reviewPage) linked() bool {
	return slices.ContainsFunc(r.candidates, func(c *candidate) bool { return c.pasted != nil && c.pasted.FromLink })
}

// add unpacks extensions, stores the secrets, adds the servers and goes on to try them.
func (r *reviewPage) add() {
	if r.blocked() != "" || r.settling {
		return
	}
	d := r.dialog
	toolbox := d.places.chosen()
	var servers []Server
	var secrets []secretEntry
	var tried []model.Tried
	var extensions []*extension.Extension
	for _, c := range r.included() {
		server, kept := c.server(toolbox)
		servers = append(servers, Server{Name: server.Name, Entry: foreign.JSON(server)})
		secrets = append(secrets, kept...)
		tried = append(tried, model.ToTry(server))
		if c.extension != nil {
			extensions = append(extensions, c.extension)
		}
	}
	files := &placed{}
	files.ctx, files.cancel = context.WithCancel(context.Background())
	r.placed = files
	r.adding, r.failed = true, ""
	r.update()
	r.unpack(files, extensions, func() {
		r.keep(secrets, func() {
			if files.ctx.Err() != nil { // The user has given up meanwhile.
				return
			}
			r.placed = nil // from here on the files are only removed if adding fails
			d.program.Add(toolbox, d.places.isNew(), d.about(), servers, func(err error) {
				if err != nil {
					files.giveUp()
				}
				if d.closed {
					return
				}
				if err != nil {
					r.fail(kit.ErrorSentence(err))
					return
				}
				r.adding, r.typed = false, false
				d.tries(model.TrialsOfAll(toolbox, tried))
				d.show(stepTry)
				d.trial.start()
			})
		})
	})
}

// keep stores secrets in the keychain, one after the other. Then it calls done, unless storing failed or the dialog
// was closed.
func (r *reviewPage) keep(secrets []secretEntry, done func()) {
	if len(secrets) == 0 {
		done()
		return
	}
	r.dialog.program.KeepInKeychain(secrets[0].name, secrets[0].value, func(err error) {
		if r.dialog.closed {
			return
		}
		if err != nil {
			r.fail(kit.ErrorSentence(err))
			r.dialog.withoutKeychain(true)
			r.focusFile()
			return
		}
		r.keep(secrets[1:], done)
	})
}

// focusFile shows the first box that keeps a value in the file, with the keyboard: it is what helps now.
func (r *reviewPage) focusFile() {
	for _, card := range r.cards {
		for _, field := range card.fields {
			if field.inFile != nil && !field.inFile.Checked && card.candidate.included {
				r.dialog.focus(field.inFile)
				return
			}
		}
	}
}

func (r *reviewPage) fail(why string) {
	r.placed.giveUp()
	r.placed = nil
	r.adding, r.failed = false, why
	r.update()
}
