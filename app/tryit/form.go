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

// form draws what is filled in, and fills in what is typed. Each value has a part of its own, which is made anew when its shape
// changes: an entry more, another alternative.
type form struct {
	schema *toolform.Form
	root   *toolform.Value
	parts  map[*toolform.Value]*part
	body   *fyne.Container

	formActions

	strict bool // problems of fields that nobody has touched are shown too

	// Of a form with many fields, those that have not been in sight are not drawn. These are their places, and what is said
	// of them.
	fields map[*toolform.Value]int
	column *kit.Long
	later  map[*toolform.Value]laterProblem
}

// formActions are what a form asks of its page.
type formActions struct {
	run      func()                         // what Ctrl+Enter does
	changed  func()                         // the user has changed something
	reshaped func()                         // something has got another height
	reveal   func(object fyne.CanvasObject) // the keyboard has come to something that may be out of sight
	long     func(*kit.Long)                // the fields are drawn as they come into sight; nil: all of them are there
	enter    func()                         // what Enter does in a line; nil: nothing
	hides    func(*toolform.Field) bool     // whether what is typed is hidden; nil: nothing is
	ticks    bool                           // choices of any number of values are boxes to be ticked
}

// part is how one value is drawn.
type part struct {
	form    *form
	value   *toolform.Value
	parent  *part
	box     *fyne.Container // holds label, control and problem
	note    *kit.Text       // "Required" and the like
	clear   *kit.Button     // leaves the value out again; nil where that is not possible
	problem *fyne.Container
	message string
	touched bool
	bare    bool           // it stands in a card already
	focus   fyne.Focusable // the first control
	follow  func()         // brings words that depend on the value up to date
}

func newForm(schema *toolform.Form, actions formActions) *form {
	f := &form{schema: schema, formActions: actions, body: kit.Column(16)}
	f.show(schema.New())
	return f
}

// show shows another value for the whole.
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
	p.box, p.problem = kit.Column(4), container.NewStack()
	p.form.parts[p.value] = p
	p.build()
}

// rebuild draws a value anew.
func (p *part) rebuild() {
	p.build()
	p.box.Refresh()
	p.form.edited(p)
	p.form.reshaped()
}

// edited follows a change by the user: everything around the value is filled in too.
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

// report shows problems at their fields; it tells how many fields that are shown have one.
func (f *form) report(problems []toolform.Problem) int {
	messages, empty := map[*part]string{}, map[*part]bool{}
	f.later = map[*toolform.Value]laterProblem{}
	for _, problem := range problems {
		if _, later := f.fields[problem.Value]; later && f.parts[problem.Value] == nil {
			if f.strict { // nobody has touched it
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

// emptiable reports whether an empty text may be meant for a field that needs a value.
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

// drawn is the part of a value, drawn now if it was not yet; for what has none it is that of the whole.
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

// contains reports whether a value is another one or lies in it.
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

// drawLater sets the column whose fields are drawn as they come into sight; nil: none is.
func (f *form) drawLater(column *kit.Long) {
	f.column, f.fields = column, map[*toolform.Value]int{}
	if f.long != nil {
		f.long(column)
	}
}

// showProblem shows a problem, or none, and reports whether it is another one than before. empty offers to send an empty text.
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

// wrong says that something is not right: as a shape, at the height of the first line, and in words.
func wrong(message string) fyne.CanvasObject {
	return kit.Marked(theme.StateWrong, kit.NewParagraph(message, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong}))
}

// firstProblem is the first field with a problem.
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

// heading is the label with what the server says about the field. The whole, entries and alternatives have none.
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
		line = kit.NewPair(8, name, spelled)
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

// followNote says whether the field is needed, and what becomes of it when nothing is typed.
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

// keyboard brings the part into sight when the keyboard comes to it.
func (p *part) keyboard(here bool) {
	if here {
		p.form.reveal(p.box)
	}
}

// alsoFollow adds to what is brought up to date with the value.
func (p *part) alsoFollow(f func()) {
	before := p.follow
	p.follow = func() {
		if before != nil {
			before()
		}
		f()
	}
}
