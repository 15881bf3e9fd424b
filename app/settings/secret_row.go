package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// secretRow is the row of a secret in the keychain. The secret is set and deleted in the row itself.
type secretRow struct {
	screen *Screen
	secret Secret
	root   *fyne.Container

	state   *widget.Icon
	name    *kit.Text
	word    *kit.Text
	used    *kit.Lines
	note    *kit.Lines
	problem *kit.Lines

	buttons *fyne.Container
	set     *kit.Button
	remove  *kit.Button

	editor *fyne.Container // to set the secret
	value  *kit.SecretInput
	save   *kit.Button

	question *fyne.Container // asks whether to delete the secret
	really   *kit.Button
}

func newSecretRow(screen *Screen) *secretRow {
	r := &secretRow{
		screen: screen, state: widget.NewIcon(nil),
		name: kit.NewText("", kit.TextStyle{Bold: true, Shrinks: true}), word: kit.NewText("", kit.Small()),
		used: kit.NewLines(2, kit.Small()), note: kit.NewLines(2, kit.Small()),
		problem: kit.NewLines(maxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}),
	}
	r.set = kit.NewButton(lang.L("Fill it in"), widget.MediumImportance, func() { r.edit(true) })
	r.remove = kit.NewButton(lang.L("Delete…"), widget.LowImportance, func() { r.ask(true) })
	r.buttons = kit.Row(kit.GapTight, r.remove, r.set)

	r.value = kit.NewSecretInput(lang.L("Value"))
	// creates the renderer before Show hides the text; otherwise it would add a show button that the keyboard cannot
	// reach
	r.value.Input.MinSize()
	r.value.Show("", true)
	r.value.OnValue = func(value string) { kit.SetEnabled(r.save, value != "") }
	r.value.Input.OnEscape = func() { r.edit(false) }
	r.value.Input.OnSubmitted = func(string) { r.store() }
	r.save = kit.NewButton(lang.L("Save"), widget.HighImportance, r.store)
	cancel := kit.NewButton(lang.L("Cancel"), widget.LowImportance, func() { r.edit(false) })
	r.editor = kit.Row(kit.GapTight, kit.Rest(r.value.Input), r.value.Eye, r.save, cancel)

	r.really = kit.NewButton(lang.L("Delete"), widget.DangerImportance, r.drop)
	keep := kit.NewButton(lang.L("Keep"), widget.MediumImportance, func() { r.ask(false) })
	warning := kit.NewParagraph(lang.L(
		"Servers that use it cannot start without it. Once deleted, it cannot be brought back."), kit.TextStyle{})
	r.question = kit.NewBeside(textAtLeast, warning, kit.Row(kit.GapTight, r.really, keep))
	r.editor.Hide()
	r.question.Hide()

	text := paragraphs(kit.Row(kit.Gap, r.name, r.word), r.used, r.note, r.problem)
	r.root = kit.Column(kit.Gap, kit.NewBeside(textAtLeast, kit.MarkedBy(r.state, text), r.buttons), r.editor, r.question)
	return r
}

// show updates the row.
func (r *secretRow) show(secret Secret) {
	r.secret = secret
	state, word := theme.StateIdle, lang.L("Not checked")
	switch secret.State {
	case model.SecretPresent:
		state, word = theme.StateConnected, lang.L("In the keychain")
	case model.SecretMissing:
		state, word = theme.StateWrong, lang.L("Missing")
	case model.SecretUnreachable:
		state, word = theme.StateNotice, lang.L("The keychain does not answer")
	}
	r.state.SetResource(state.Icon())
	r.name.Set(secret.Name)
	r.word.SetStyle(word, kit.TextStyle{Size: theme.SizeSmall, Color: state.Color()})
	r.used.Set(lang.L("Used by {{.Names}}", map[string]any{"Names": kit.SayList(secret.UsedBy)}))
	r.note.Set(secret.Note)
	text := lang.L("Fill it in")
	if secret.State == model.SecretPresent {
		text = lang.L("Change…")
	}
	r.set.SetText(text)
	kit.SetVisible(r.remove, secret.State == model.SecretPresent)
	r.buttons.Refresh()
}

// edit shows or hides the field for a value.
func (r *secretRow) edit(open bool) {
	r.problem.Set("")
	r.value.Show("", true)
	r.value.Open(false)
	kit.SetEnabled(r.save, false)
	kit.SetVisible(r.editor, open)
	kit.SetVisible(r.buttons, !open)
	r.arrange()
	if open {
		r.focus(r.value.Input)
	} else {
		r.focus(r.set)
	}
}

// store stores the typed value.
func (r *secretRow) store() {
	value := r.value.Value()
	if value == "" || r.save.Disabled() {
		return
	}
	r.save.Disable()
	r.screen.program.SetSecret(r.secret.Name, value, func(err error) {
		if err == nil {
			r.edit(false)
			return
		}
		kit.SetEnabled(r.save, true) // the field still has the typed value
		r.problem.Set(because(err))
		r.arrange()
	})
}

// ask shows or hides the question whether to delete the secret.
func (r *secretRow) ask(open bool) {
	r.problem.Set("")
	kit.SetVisible(r.question, open)
	kit.SetVisible(r.buttons, !open)
	r.arrange()
	if open {
		r.focus(r.really)
	} else {
		r.focus(r.remove)
	}
}

// drop deletes the secret.
func (r *secretRow) drop() {
	r.really.Disable()
	r.screen.program.DeleteSecret(r.secret.Name, func(err error) {
		r.really.Enable()
		r.ask(false)
		if err != nil {
			r.problem.Set(because(err))
			r.arrange()
		}
	})
}

func (r *secretRow) arrange() {
	r.root.Refresh()
	r.screen.page.Arrange()
}

func (r *secretRow) focus(object fyne.Focusable) {
	if shown, ok := object.(fyne.CanvasObject); ok && shown.Visible() {
		kit.Focus(object)
	}
}
