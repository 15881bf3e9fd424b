package add

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
)

// withChooser returns a field for a path with a button to choose the path. what is kindFolder or kindFile.
func (d *Dialog) withChooser(in *kit.Input, what kind) fyne.CanvasObject {
	choose := d.program.ChooseFile
	spoken := lang.L("Choose a file")
	icon := base.FileIcon()
	if what == kindFolder {
		choose, spoken, icon = d.program.ChooseFolder, lang.L("Choose a folder"), base.FolderOpenIcon()
	}
	pick := kit.NewIconButton(icon, spoken, func() {
		choose(func(path string) {
			if path != "" && !d.closed {
				in.SetText(path)
			}
		})
	})
	return container.NewBorder(nil, nil, nil, pick, in)
}

// formField is a field with its widgets.
type formField struct {
	field   *field
	root    fyne.CanvasObject
	first   fyne.Focusable // gets the focus first
	problem *kit.Lines
	inFile  *kit.Check      // keeps the value in the file; nil for a field that is not a secret
	kept    *fyne.Container // contains inFile if the keychain cannot be used
}

// newFormField returns the widgets of a field. They call changed when the user changes the value or where it is kept,
// and resized when an input is added to a list or removed.
func newFormField(d *Dialog, f *field, changed func(), resized func()) *formField {
	w := &formField{field: f, problem: kit.NewParagraph("",
		kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong})}
	var control fyne.CanvasObject
	set := func(text string) {
		f.value = text
		changed()
	}
	in := d.input(f.fallback, f.value, set)
	switch f.kind {
	case kindSwitch: // the label is part of the check box
		w.root, w.first = newCheckField(f, set)
		return w
	case kindChoice:
		control, w.first = newFieldChoice(f, set)
	case kindList:
		l := newFieldList(d, f, set, resized)
		control, w.first = l.root, l.inputs[0]
	case kindSecret:
		in.Password = true
		control, w.first = d.withEye(in), in
	case kindFolder, kindFile:
		control, w.first = d.withChooser(in, f.kind), in
	default:
		control, w.first = in, in
	}
	label := kit.NewText(f.label, kit.TextStyle{Bold: true, Size: theme.SizeSmall, Shrinks: true})
	tag := lang.L("Optional")
	if f.required && f.fallback == "" || f.known {
		tag = ""
	}
	lines := []fyne.CanvasObject{kit.Row(kit.Gap, label, kit.NewText(tag, kit.Small())), control}
	if f.ours {
		lines = append(lines, kit.NewLinked(f.hint, kit.Small(), d.program.OpenURL))
	} else {
		lines = append(lines, kit.NewParagraph(f.hint, kit.Small()))
	}
	if f.kind == kindSecret {
		w.inFile = kit.NewCheck(lang.L("Keep it in the file"), func(checked bool) {
			f.inFile = checked
			changed()
		})
		w.inFile.Follow(f.inFile)
		w.kept = kit.Column(0)
		w.offerFile(d)
		lines = append(lines, w.kept)
	}
	lines = append(lines, w.problem)
	w.root = kit.Column(kit.GapTight, lines...)
	return w
}

// offerFile offers to keep the value in the file if the keychain cannot be used. Otherwise nobody is asked: the value
// goes into the keychain.
func (w *formField) offerFile(d *Dialog) {
	if w.inFile != nil && d.noKeychain && len(w.kept.Objects) == 0 {
		w.kept.Add(w.inFile)
	}
}

// newCheckField returns a check box, with the hint of the field below it if there is one.
func newCheckField(f *field, set func(string)) (fyne.CanvasObject, fyne.Focusable) {
	box := kit.NewCheck(f.label, func(checked bool) { set(strconv.FormatBool(checked)) })
	box.Follow(f.value == "true")
	return kit.Column(kit.GapHair, box, kit.NewParagraph(f.hint, kit.Small())), box
}

// update shows what is wrong with the field's value.
func (w *formField) update() { w.problem.Set(w.field.problem()) }

// withEye returns a field with a button that shows or hides its value.
func (d *Dialog) withEye(in *kit.Input) fyne.CanvasObject {
	var eye *kit.Button
	eye = kit.NewIconButton(base.VisibilityIcon(), lang.L("Show the value"), func() {
		in.Password = !in.Password
		if in.Password {
			eye.SetMeaning(base.VisibilityIcon(), lang.L("Show the value"))
		} else {
			eye.SetMeaning(base.VisibilityOffIcon(), lang.L("Hide the value"))
		}
		in.Refresh()
	})
	return container.NewBorder(nil, nil, nil, eye, in)
}

// newFieldChoice returns a menu of choices.
func newFieldChoice(f *field, set func(string)) (fyne.CanvasObject, fyne.Focusable) {
	labels := make([]string, len(f.options))
	for i, option := range f.options {
		labels[i] = kit.Say(option.Label)
	}
	s := kit.NewSelect(labels, nil)
	value := cmp.Or(f.value, f.fallback)
	s.SetSelectedIndex(slices.IndexFunc(f.options, func(option catalogue.Option) bool { return option.Value == value }))
	s.OnChanged = func(string) { set(f.options[s.SelectedIndex()].Value) }
	return s, s
}

// fieldList shows a field with several values: an input for each value, and a button to add one.
type fieldList struct {
	dialog  *Dialog
	field   *field
	set     func(string)
	resized func()
	root    *fyne.Container
	inputs  []*kit.Input
}

func newFieldList(d *Dialog, f *field, set func(string), resized func()) *fieldList {
	l := &fieldList{dialog: d, field: f, set: set, resized: resized, root: kit.Column(kit.GapTight)}
	for _, value := range strings.Split(strings.TrimSpace(f.value), "\n") {
		l.add(value)
	}
	l.show()
	return l
}

func (l *fieldList) add(value string) *kit.Input {
	in := l.dialog.input("", value, func(string) { l.changed() })
	l.inputs = append(l.inputs, in)
	return in
}

func (l *fieldList) changed() {
	values := make([]string, 0, len(l.inputs))
	for _, in := range l.inputs {
		if value := strings.TrimSpace(in.Text); value != "" {
			values = append(values, value)
		}
	}
	l.set(strings.Join(values, "\n"))
}

func (l *fieldList) show() {
	l.root.RemoveAll()
	for i, in := range l.inputs {
		l.root.Add(l.row(i, in))
	}
	text := lang.L("Add another")
	if l.field.of == kindFolder {
		text = lang.L("Add another")
	}
	more := kit.NewButton(text, widget.LowImportance, func() {
		in := l.add("")
		l.show()
		l.resized()
		l.dialog.focus(in)
	})
	more.SetIcon(base.ContentAddIcon())
	l.root.Add(kit.Row(0, more))
}

// row returns an input with buttons to choose its value and, if there are several inputs, to remove it.
func (l *fieldList) row(i int, in *kit.Input) fyne.CanvasObject {
	control := l.dialog.withChooser(in, l.field.of)
	if len(l.inputs) == 1 {
		return control
	}
	remove := kit.NewIconButton(base.ContentRemoveIcon(), lang.L("Remove"), func() {
		l.inputs = slices.Delete(l.inputs, i, i+1)
		l.show()
		l.changed()
		l.resized()
		l.dialog.focus(l.inputs[min(i, len(l.inputs)-1)])
	})
	return container.NewBorder(nil, nil, nil, remove, control)
}
