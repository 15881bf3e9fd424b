package tryit

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
)

// Action is how the user answers a [Request], in the terms of MCP.
type Action string

// The values of an Action.
const (
	Accept  Action = "accept"
	Decline Action = "decline"
	Cancel  Action = "cancel"
)

// Asker is the tool whose server asks.
type Asker struct{ Toolbox, Server, Tool string }

// Answerer takes the answer of a [Sheet]. Its methods are called on the goroutine of the window and must not block.
type Answerer interface {
	// Answer gets the answer. It is called once. content is what the user has filled in; it is nil without a form. If
	// the request is for a page, Accept means that the page was opened.
	Answer(action Action, content json.RawMessage)

	// Open opens a page in the browser, and calls done when it is clear whether that worked.
	Open(page *url.URL, done func(error))

	// Finish is called once after a page was opened: done is true if the user says that the page is done, and false if
	// the user cancels.
	Finish(done bool)
}

// Sheet is the dialog in which the user answers a [Request]. Esc cancels it. Call its methods only on the goroutine of
// the window.
type Sheet struct {
	*kit.Question
	window  fyne.Window
	canvas  fyne.Canvas
	asker   Asker
	request Request
	to      Answerer
	typed   *toolform.Value // what is filled in; nil for a page
	page    *kit.Page
	body    *fyne.Container
	form    *form // nil for a page
	cancel  *kit.Button
	main    *kit.Button // Send, Open page or Done; nil if the page may not be opened

	answered, opened bool // Answer was called; the page was opened
	over             bool // nothing is left to report
}

var _ dialog.Dialog = (*Sheet)(nil)

const (
	sheetWidth      = 600      // of the dialog if there is room, in pixels
	maxMessage      = 16 << 10 // bytes of a message that are shown at most
	maxMessageBegin = 600      // bytes that are shown at first, so that the first field is visible too
	maxMessageLines = 8        // lines that are shown at first
)

// NewSheet returns the dialog for a request. It is not shown yet.
func NewSheet(asker Asker, request Request, window fyne.Window, to Answerer) *Sheet {
	s := &Sheet{window: window, canvas: window.Canvas(), asker: asker, request: request, to: to}
	if request.Form != nil {
		s.typed = prefilled(request.Form)
	}
	s.Build()
	return s
}

// Build makes the dialog again in the present language of the window, with what is filled in. It is not shown yet.
func (s *Sheet) Build() {
	asker, request := s.asker, s.request
	s.body = kit.Column(kit.GapWide)
	title := lang.L("“{{.Server}}” asks you", map[string]any{"Server": kit.Line(asker.Server)})
	s.Question, s.page = kit.NewScrollingQuestion(title, sheetWidth, s.body, s.window)
	s.SetOnClosed(s.closed)
	s.cancel = kit.NewButton(lang.L("Cancel"), widget.MediumImportance, s.Hide)
	from := lang.L("For the tool {{.Tool}} of the server {{.Server}} in the toolbox {{.Toolbox}}",
		map[string]any{"Tool": kit.Cut(asker.Tool, 60), "Server": kit.Cut(asker.Server, 60),
			"Toolbox": kit.Cut(asker.Toolbox, 60)})
	s.body.Add(kit.NewParagraph(from, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	if request.Message != "" {
		s.body.Add(s.message())
	}
	if request.Form != nil {
		s.fillIn()
	} else {
		s.offerPage()
	}
}

// message returns the message of the server. If it is long, only its beginning is shown, with a button to see all.
func (s *Sheet) message() fyne.CanvasObject {
	text := strings.TrimSpace(s.request.Message)
	beginning := firstLines(text, maxMessageLines)
	if len(text) <= maxMessageBegin && beginning == text {
		return Reading(text, maxMessageBegin)
	}
	box := kit.Column(kit.Gap)
	all := kit.NewButton(lang.L("Show all"), widget.LowImportance, func() {
		box.Objects = []fyne.CanvasObject{Reading(text, maxMessage)}
		box.Refresh()
		s.arrange()
		s.Focus(false) // the button has lost the focus, since it is gone
		s.page.ScrollToTop()
	})
	box.Objects = []fyne.CanvasObject{Reading(strings.TrimSpace(beginning)+"…", maxMessageBegin), kit.Row(0, all)}
	return box
}

// fillIn shows the form.
func (s *Sheet) fillIn() {
	s.form = newForm(s.typed, formOptions{owner: s, page: s.page, asked: true})
	if slices.ContainsFunc(s.request.Form.Root.Fields, hides) {
		s.body.Add(kit.NewMarked(theme.StateNotice,
			lang.L("Servers are not meant to ask for secrets in a form. Type one only if you trust this server with it.")))
	}
	s.body.Add(s.form.body)
	s.main = kit.NewButton(lang.L("Send"), widget.HighImportance, s.send)
	s.SetButtons([]fyne.CanvasObject{s.cancel, s.decline(), s.main})
}

func (s *Sheet) decline() *kit.Button {
	return kit.NewButton(lang.L("Decline"), widget.MediumImportance, func() { s.answer(Decline, nil) })
}

// prefilled returns a form with its defaults filled in. Here a default is a proposal, so it is sent even if the user
// does not change it.
func prefilled(form *toolform.Form) *toolform.Value {
	root := form.New()
	for _, member := range root.Members {
		if member.Preset {
			member.Set, member.Preset = true, false
		}
	}
	return root
}

// hides reports whether the text of a field may be a secret, so that it must be hidden.
func hides(field *toolform.Field) bool {
	return field.Format == "password" || secret.Key(field.Name) || secret.Key(field.Title)
}

// send answers with the form. If the form has problems, send shows them instead.
func (s *Sheet) send() {
	s.form.strict = true
	problems := s.request.Form.Check(s.form.root)
	s.form.report(problems)
	if len(problems) > 0 {
		s.focus(s.form.firstProblem(problems))
		return
	}
	content, _ := s.request.Form.Arguments(s.form.root) // it was checked just now
	s.answer(Accept, content)
}

// offerPage shows the address and a button to open it.
func (s *Sheet) offerPage() {
	s.body.Add(kit.Column(kit.GapTight,
		// the host stands out, since it says who the page belongs to
		kit.NewParagraph(s.request.Page.Hostname(), kit.TextStyle{Size: theme.SizeHeading, Bold: true}),
		newReading(s.request.Page.String(), true)))
	if s.request.Refused != "" {
		s.body.Add(kit.NewMarked(theme.StateWrong, s.request.Refused))
		s.SetButtons([]fyne.CanvasObject{s.decline(), s.cancel})
		return
	}
	s.body.Add(container.NewStack()) // for what tell says
	if s.opened {
		s.comeBack()
		return
	}
	s.main = kit.NewButton(lang.L("Open the browser"), widget.HighImportance, s.open)
	s.SetButtons([]fyne.CanvasObject{s.cancel, s.decline(), s.main})
}

// open opens the page. It answers at once, because the server may wait for the answer before it expects the user on
// the page.
func (s *Sheet) open() { s.to.Open(s.request.Page, s.visited) }

func (s *Sheet) visited(err error) {
	if err != nil {
		s.tell(kit.NewMarked(theme.StateWrong,
			lang.L("That could not be done: {{.Reason}}", map[string]any{"Reason": kit.SayError(err)})))
		return
	}
	if s.opened {
		return
	}
	s.answered, s.opened = true, true
	s.to.Answer(Accept, nil)
	s.comeBack()
	s.canvas.Focus(s.main)
}

// comeBack says what to do once the page is open.
func (s *Sheet) comeBack() {
	again := kit.NewButton(lang.L("Open the page again"), widget.MediumImportance, s.open)
	s.main = kit.NewButton(lang.L("Done"), widget.HighImportance, func() { s.finish(true) })
	s.SetButtons([]fyne.CanvasObject{s.cancel, again, s.main})
	s.tell(kit.NewMarked(theme.StateWorking, lang.L("Come back here when you have finished on the page.")))
}

// tell replaces the last part of the dialog's content.
func (s *Sheet) tell(object fyne.CanvasObject) {
	s.body.Objects[len(s.body.Objects)-1] = object
	s.body.Refresh()
	s.arrange()
}

// The form of the sheet.
func (s *Sheet) submit()   { s.send() }
func (s *Sheet) changed()  { s.form.report(s.request.Form.Check(s.form.root)) }
func (s *Sheet) reshaped() { s.arrange() }

func (s *Sheet) arrange() {
	s.Refresh()
	s.page.Arrange()
}

func (s *Sheet) answer(action Action, content json.RawMessage) {
	s.answered = true
	s.to.Answer(action, content)
	s.Hide()
}

func (s *Sheet) finish(done bool) {
	s.over = true
	s.to.Finish(done)
	s.Hide()
}

// closed is called when the dialog has closed, also after Cancel or Esc.
func (s *Sheet) closed() {
	switch {
	case s.over:
	case !s.answered:
		s.answered = true
		s.to.Answer(Cancel, nil)
	case s.opened:
		s.finish(false)
	}
}

// Withdraw closes the dialog without an answer.
func (s *Sheet) Withdraw() {
	s.answered, s.over = true, true
	s.Hide()
}

// Focus focuses the first field. If there is no form, or the user may be typing elsewhere, it focuses Cancel. So an
// Enter by mistake opens no page, and text for another field is not typed into this form.
func (s *Sheet) Focus(elsewhere bool) {
	switch {
	case elsewhere || s.form == nil:
		s.canvas.Focus(s.cancel)
	case len(s.form.root.Members) > 0:
		s.focus(s.form.drawn(s.form.root.Members[0]))
	default:
		s.canvas.Focus(s.main)
	}
}

// focus focuses a field. It uses the canvas of the sheet, since the field may not have been drawn yet.
func (s *Sheet) focus(p *part) {
	s.arrange()
	s.page.Reveal(p.box)
	if p = p.first(); p.focus != nil {
		s.canvas.Focus(p.focus)
	}
}
