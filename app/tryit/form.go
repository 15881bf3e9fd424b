package tryit

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
)

// form draws a value and changes it as the user types. Each value has a part, which is built again when its shape changes, such as when an entry is
// added or another alternative is chosen.
type form struct {
	schema *toolform.Form
	root   *toolform.Value
	parts  map[*toolform.Value]*part
	body   *fyne.Container

	formActions

	strict bool // show problems of untouched fields too

	// A form with many fields draws a field only when it is scrolled into view. fields are the indexes of these fields in column, and later holds the
	// problems of those that are not drawn yet.
	fields map[*toolform.Value]int
	column *kit.Long
	later  map[*toolform.Value]laterProblem
}

// formActions are the functions that a form needs from its page.
type formActions struct {
	run      func()                         // called on Ctrl+Enter
	changed  func()                         // called after a change by the user
	reshaped func()                         // called when the height of something has changed
	reveal   func(object fyne.CanvasObject) // called when something gets the focus that may be out of view
	long     func(*kit.Long)                // called with a column that draws its fields when they come into view; if nil, all fields are drawn at once
	enter    func()                         // called on Enter in a line; may be nil
	hides    func(*toolform.Field) bool     // reports whether a field hides its text; if nil, none does
	ticks    bool                           // show a list of choices as checkboxes
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
	message string
	touched bool
	bare    bool           // it is in a card already
	focus   fyne.Focusable // the first control
	follow  func()         // updates the texts that depend on the value
}

func newForm(schema *toolform.Form, actions formActions) *form {
	f := &form{schema: schema, formActions: actions, body: kit.Column(kit.GapBlock)}
	f.show(schema.New())
	return f
}

// show replaces the whole value.
func (f *form) show(root *toolform.Value) {
	f.root = root
	f.parts = map[*toolform.Value]*part{}
	f.strict = false
	f.drawLater(nil)
	whole := f.newPart(root, nil)
	f.body.Objects = []fyne.CanvasObject{whole.box}
	f.body.Refresh()
}

func (f *form) newPart(value *toolform.Value, parent *part) *part {
	p := &part{form: f, value: value, parent: parent}
	p.begin()
	return p
}

func (p *part) begin() {
	p.box, p.problem = kit.Column(kit.GapTight), container.NewStack()
	p.form.parts[p.value] = p
	p.build()
}

// rebuild builds the objects of a value again.
func (p *part) rebuild() {
	p.build()
	p.box.Refresh()
	p.form.edited(p)
	p.form.reshaped()
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
	f.changed()
}

// report shows problems at their fields. It returns how many fields show a problem.
func (f *form) report(problems []toolform.Problem) int {
	messages, empty := map[*part]string{}, map[*part]bool{}
	f.later = map[*toolform.Value]laterProblem{}
	for _, problem := range problems {
		if _, later := f.fields[problem.Value]; later && f.parts[problem.Value] == nil {
			if f.strict { // otherwise it shows nothing, because the user cannot have touched it
				f.later[problem.Value] = laterProblem{join(f.later[problem.Value].message, kit.Say(problem.Message)), emptiable(problem)}
			}
			continue
		}
		p := f.drawn(problem.Value)
		if !f.strict && (!p.touched || problem.Missing) {
			continue
		}
		messages[p] = join(messages[p], kit.Say(problem.Message))
		empty[p] = emptiable(problem)
	}
	reshaped := false
	for _, p := range f.parts {
		reshaped = p.showProblem(messages[p], empty[p]) || reshaped
	}
	if reshaped {
		f.reshaped()
	}
	return len(messages) + len(f.later)
}

// laterProblem is a problem of a field that is not drawn yet.
type laterProblem struct {
	message string
	empty   bool
}

// emptiable reports whether the problem is a missing text, so that the user may have meant an empty one.
func emptiable(problem toolform.Problem) bool {
	kind := problem.Value.Field.Kind
	return problem.Missing && (kind == toolform.KindString || kind == toolform.KindText)
}

func join(said, message string) string {
	if said == "" {
		return message
	}
	return said + ", " + message
}

// drawn returns the part of a value, and draws it if necessary. If the value has no part, drawn returns the part of the whole form.
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

// drawLater sets the column that draws its fields when they come into view. A nil column means that all fields are drawn at once.
func (f *form) drawLater(column *kit.Long) {
	f.column, f.fields = column, map[*toolform.Value]int{}
	if f.long != nil {
		f.long(column)
	}
}

// showProblem shows a problem; an empty message removes it. empty adds a button that sends an empty text. showProblem reports whether anything has
// changed.
func (p *part) showProblem(message string, empty bool) bool {
	if p.message == message {
		return false
	}
	p.message = message
	p.problem.RemoveAll()
	if message != "" {
		p.problem.Add(wrong(lang.L("This {{.Problem}}.", map[string]any{"Problem": message})))
	}
	if empty {
		p.problem.Objects = []fyne.CanvasObject{kit.Row(kit.Gap, kit.Rest(p.problem.Objects[0]), kit.NewButton(lang.L("Send an empty text"), widget.LowImportance, func() {
			p.value.Set = true
			p.rebuild()
		}))}
	}
	p.problem.Refresh()
	p.box.Refresh()
	return true
}

// wrong returns a message in the colour of a problem, with its icon.
func wrong(message string) fyne.CanvasObject {
	return kit.Marked(theme.StateWrong, kit.NewParagraph(message, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}))
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
	p.message = ""
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

// heading returns the label and the description of a field. A value without a name, such as an entry of a list, has none.
func (p *part) heading() []fyne.CanvasObject {
	field := p.value.Field
	if field.Name == "" {
		return nil
	}
	p.note = kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
	name := kit.NewText(kit.Cut(field.Label(), 80), kit.TextStyle{Bold: true, Shrinks: true})
	line := fyne.CanvasObject(name)
	if field.Title != "" && !strings.EqualFold(strings.ReplaceAll(field.Title, " ", "_"), field.Name) {
		spelled := kit.NewText(kit.Cut(field.Name, 40), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Mono: true})
		line = kit.Row(kit.Gap, name, spelled)
	}
	objects := []fyne.CanvasObject{kit.Row(kit.Gap, kit.Rest(line), p.note)}
	text := kit.Cut(field.Description, maxDescription)
	if limits := LimitWords(field); limits != "" && field.Kind != toolform.KindArray {
		text = strings.TrimPrefix(text+" · "+limits, " · ")
	}
	if text != "" {
		objects = append(objects, kit.NewParagraph(text, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	p.follow = p.followNote
	return objects
}

// followNote updates the note beside the label, such as "Required", and shows or hides the button that leaves the value out.
func (p *part) followNote() {
	value := p.value
	word := ""
	switch {
	case value.Field.Required:
		word = lang.L("Required")
	case value.Set:
	case value.Preset:
		word = lang.L("Default, not sent")
	default:
		word = lang.L("Optional")
	}
	if value.Field.Deprecated {
		word = strings.TrimPrefix(word+" · "+lang.L("Outdated"), " · ")
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
		p.form.reveal(p.box)
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
