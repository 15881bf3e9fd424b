package tryit

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
)

// form draws a value and changes it as the user types. Each value has a part, which is built again when its shape
// changes, such as when an entry is added or another alternative is chosen.
type form struct {
	root  *toolform.Value
	parts map[*toolform.Value]*part
	body  *fyne.Container

	formOptions

	strict bool // show problems of untouched fields too

	// A form with many fields draws a field only when it is scrolled into view. fields are the indexes of these fields
	// in column, and later holds the problems of those that are not drawn yet.
	fields map[*toolform.Value]int
	column *kit.Long
	later  map[*toolform.Value]fault
}

// formOptions say where a form is shown.
type formOptions struct {
	owner owner
	page  *kit.Page // the page that the form is on

	// asked says that a server asks for the form. Then Enter in a line calls run, too, texts that may be secrets are
	// hidden, and a list of choices is shown as checkboxes.
	asked bool
}

// owner is what a form belongs to.
type owner interface {
	submit()   // called on Ctrl+Enter
	changed()  // called after a change by the user
	reshaped() // called when the height of something has changed
}

// part draws one value.
type part struct {
	form    *form
	value   *toolform.Value
	parent  *part
	box     *fyne.Container // holds the label, the control and the problem
	note    *kit.Text       // such as "Required"
	clear   *kit.Button     // leaves the value out; nil if that is not possible
	problem *fyne.Container
	fault   fault // what problem shows
	touched bool
	focus   fyne.Focusable // the first control
	follow  func()         // updates the texts that depend on the value
}

func newForm(root *toolform.Value, options formOptions) *form {
	f := &form{formOptions: options, body: kit.Column(kit.GapBlock)}
	f.show(root)
	return f
}

// show replaces the whole value.
func (f *form) show(root *toolform.Value) {
	f.root = root
	f.parts = map[*toolform.Value]*part{}
	f.strict = false
	f.drawLater(nil)
	f.body.Objects = []fyne.CanvasObject{f.newPart(root, nil).box}
	f.body.Refresh()
}

func (f *form) newPart(value *toolform.Value, parent *part) *part {
	p := &part{form: f, value: value, parent: parent, box: kit.Column(kit.GapTight), problem: container.NewStack()}
	f.parts[value] = p
	p.build()
	return p
}

// rebuild builds the objects of a value again.
func (p *part) rebuild() {
	p.build()
	p.box.Refresh()
	p.form.edited(p)
	p.form.owner.reshaped()
}

// edited is called after a change by the user. The values around the changed one become set, too.
func (f *form) edited(p *part) {
	p.touched = true
	for at := p.parent; at != nil; at = at.parent {
		at.value.Set = true
		if at.follow != nil {
			at.follow()
		}
	}
	if p.follow != nil {
		p.follow()
	}
	f.owner.changed()
}

// report shows problems at their fields.
func (f *form) report(problems []toolform.Problem) {
	faults := map[*part]fault{}
	f.later = map[*toolform.Value]fault{}
	for _, problem := range problems {
		if _, later := f.fields[problem.Value]; later && f.parts[problem.Value] == nil {
			if f.strict { // otherwise it shows nothing, because the user cannot have touched it
				f.later[problem.Value] = f.later[problem.Value].and(problem)
			}
			continue
		}
		p := f.drawn(problem.Value)
		if f.strict || p.touched && !problem.Missing {
			faults[p] = faults[p].and(problem)
		}
	}
	reshaped := false
	for _, p := range f.parts {
		reshaped = p.showFault(faults[p]) || reshaped
	}
	if reshaped {
		f.owner.reshaped()
	}
}

// fault says what is wrong with a field; it is empty if nothing is.
type fault string

// and returns the fault with another problem of the same field.
func (f fault) and(problem toolform.Problem) fault {
	return fault(kit.Together(string(f), kit.Say(problem.Message)))
}

// drawn returns the part of a value, and draws it if necessary. If the value has no part, drawn returns the part of
// the whole form.
func (f *form) drawn(value *toolform.Value) *part {
	if p := f.parts[value]; p != nil {
		return p
	}
	for field, i := range f.fields {
		if f.parts[field] == nil && contains(field, value) {
			f.column.Make(i)
			if p := f.parts[value]; p != nil {
				return p
			}
		}
	}
	return f.parts[f.root]
}

// contains reports whether value is around or is inside it.
func contains(around, value *toolform.Value) bool {
	if around == value || around.Branch != nil && contains(around.Branch, value) {
		return true
	}
	for _, part := range slices.Concat(around.Members, around.Items) {
		if contains(part, value) {
			return true
		}
	}
	return false
}

// drawLater sets the column that draws its fields when they come into view. A nil column means that all fields are
// drawn at once.
func (f *form) drawLater(column *kit.Long) {
	f.column, f.fields = column, map[*toolform.Value]int{}
	f.page.SetLong(column)
}

// showFault shows what is wrong, or that nothing is, and reports whether that has changed anything.
func (p *part) showFault(fault fault) bool {
	if p.fault == fault {
		return false
	}
	p.fault = fault
	p.problem.Objects = nil
	if fault != "" {
		p.problem.Objects = []fyne.CanvasObject{wrong(string(fault))}
	}
	p.problem.Refresh()
	p.box.Refresh()
	return true
}

// wrong returns a message in the colour of a problem, with its icon.
func wrong(message string) fyne.CanvasObject {
	return kit.Marked(theme.StateWrong,
		kit.NewParagraph(message, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}))
}

// firstProblem returns the part of the first field with a problem, or the part of the whole form if no field has one.
func (f *form) firstProblem(problems []toolform.Problem) *part {
	for _, problem := range problems {
		if p := f.drawn(problem.Value); p != f.parts[f.root] {
			return p
		}
	}
	return f.parts[f.root]
}

// build makes the objects of a value.
func (p *part) build() {
	p.note, p.clear, p.focus, p.follow = nil, nil, nil, nil
	p.fault = ""
	p.problem.RemoveAll()
	objects := p.heading()
	if p.value.Field.Kind == toolform.KindObject && p.parent == nil && !p.value.Raw {
		p.box.Objects = append(append(objects, p.members()...), p.problem)
		return
	}
	objects = append(objects, p.control(), p.problem)
	p.box.Objects = objects
	if p.follow != nil {
		p.follow()
	}
}

// maxDescription is how much of a description is shown above a field, in characters.
const maxDescription = 400

// heading returns the label and the description of a field. A value without a name, such as an entry of a list, has
// none.
func (p *part) heading() []fyne.CanvasObject {
	field := p.value.Field
	if field.Name == "" {
		return nil
	}
	p.note = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
	name := kit.NewText(kit.Cut(field.Label(), 80), kit.TextStyle{Bold: true, Shrinks: true})
	line := fyne.CanvasObject(name)
	if field.Title != "" && !strings.EqualFold(strings.ReplaceAll(field.Title, " ", "_"), field.Name) {
		spelled := kit.NewText(kit.Cut(field.Name, 40),
			kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Mono: true})
		line = kit.Row(kit.Gap, name, spelled)
	}
	objects := []fyne.CanvasObject{kit.Row(kit.Gap, kit.Rest(line), p.note)}
	text := kit.Cut(field.Description, maxDescription)
	if text = kit.Facts(text, LimitWords(field)); text != "" {
		objects = append(objects, kit.NewParagraph(text, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	p.follow = p.followNote
	return objects
}

// followNote updates the note beside the label, such as "Required", and shows or hides the button that leaves the
// value out.
func (p *part) followNote() {
	value := p.value
	word := ""
	switch {
	case value.Field.Required:
		word = lang.L("Required")
	case !value.Set:
		word = lang.L("Optional")
	}
	if p.note != nil {
		p.note.Set(word)
	}
	if p.clear != nil {
		kit.SetVisible(p.clear, value.Set && !value.Field.Required)
	}
}

// keyboard scrolls the part into view when it gets the focus.
func (p *part) keyboard(here bool) {
	if here {
		p.form.page.Reveal(p.box)
	}
}

// alsoFollow adds f to p.follow.
func (p *part) alsoFollow(f func()) {
	before := p.follow
	p.follow = func() {
		if before != nil {
			before()
		}
		f()
	}
}
