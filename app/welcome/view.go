// Package welcome is the first start: three steps that bring in the servers that other apps have, connect the AI apps of this
// computer, and end once an app has really started Workbench.
//
// How far they are is in package model. [Service] changes that as the user wants it, and makes a [View] of it, which [Screen] draws.
package welcome

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
)

// Facts are what is known besides what the user does in the steps.
type Facts struct {
	Known   bool     // apps were looked for; before that nothing is known of them
	Sources []Source // apps that have a file to bring servers in from; none of these was opened
	Apps    []App    // apps that were found here, in the order of the table
	Problem string   // why no app can be connected, a sentence; "" when one can
	Servers int      // how many servers the configuration has
	Usable  bool     // at least one of them can be started, as far as is known
}

// Source is an app that may have servers.
type Source struct{ ID, Name string }

// App is an app that can be connected.
type App struct {
	ID, Name string
	ByHand   bool     // people connect it with a command
	Guarded  bool     // its file is not ours to write
	Linked   bool     // it has our entry
	Proven   bool     // it has started us by that entry
	Problem  string   // why it will not start us although it has the entry; "" when nothing is known to be in the way
	Next     []string // what is left to do, in sentences
}

// View is what the screen shows. It is not changed once it is made.
type View struct {
	Step  model.Step
	Page  int // a new one is shown from its beginning
	Mark  Mark
	Title string
	Texts []string // below the title

	Notice Sign  // what is to be known before the rows; none without a text
	Unread []Row // apps that could not be looked into; none of Rows
	Rows   []Row
	Tried  Sign     // how many of the servers work that were brought in; none without a text
	Failed []Row    // those that do not, below that
	Switch Switch   // below the rows; none without a text
	Small  []string // what else is to be known
	Ask    string   // what to ask an AI app
	Copy   Button   // copies that
	Busy   string   // what is under way; "" when nothing is

	Quit, Back, Skip, Main Button
	Others                 []Button // in the page, such as to look again
}

// Mark is the picture above the title.
type Mark int

// The marks.
const (
	NoMark    Mark = iota
	MarkOurs       // the program's own
	MarkGood       // it works
	MarkWait       // something is waited for
	MarkWrong      // something keeps it from working
)

// Sign is a sentence with the shape of a state.
type Sign = clients.Sign

// Row is an app or a server.
type Row struct {
	Key   string // no two rows of a view have the same
	Name  string
	Box   bool // it can be ticked, or not
	On    bool // it is ticked
	Off   bool // the box cannot be used now
	Plain bool // it stands among rows with boxes

	Sign       Sign           // how it stands
	App        string         // which app a server is from
	Runs       string         // what would be started
	Server     *imports.Found // the server that would come: what it runs is shown whole, in the place of Runs; nil for others
	Lines      []Line
	Buttons    []Button
	Changes    []engine.Difference // of the file of the app
	OwnCommand string              // of the app, which Workbench runs
	Command    string              // that people run
}

// Line is a small text of a row.
type Line struct {
	Text   string
	State  theme.State // the colour; StateIdle is muted
	Button Button      // beside the text; none for most
}

// Switch is a box to be ticked that is about all rows.
type Switch struct {
	Text string
	On   bool
}

// Action is what a button does.
type Action int

// The actions.
const (
	NoAction      Action = iota
	ActionLook           // looks for apps anew
	ActionRead           // looks into the ticked apps
	ActionChoose         // goes back to the apps
	ActionBring          // brings the ticked servers in
	ActionPassOn         // has a server get the variables that it would not inherit
	ActionExample        // makes the example toolbox
	ActionTry            // tries the example once more
	ActionStop           // gives up what is under way
	ActionNext           // goes on to the next step
	ActionBack           // goes back
	ActionConnect        // connects the ticked apps
	ActionShow           // shows or hides the change of an app
	ActionCopy           // puts a text on the clipboard
	ActionGet            // opens a page of the web
	ActionFinish         // ends the steps
	ActionRepair         // corrects what the file says about a server that was brought in
	ActionHelp           // ends the steps, and goes to where a server that was brought in can be mended
)

// Button is something to press; none without an action.
type Button struct {
	Text   string
	Action Action
	With   string // the app, the text or the address that it is about
	Off    bool   // it cannot be pressed now
}

// page is what a View is made of: how far the steps are, which is in the model of the window, and what is known besides.
type page struct {
	*model.Steps
	facts Facts
}

// view makes the View.
func (p *page) view() View {
	var view View
	switch p.Step {
	case model.StepBring:
		view = p.viewBring()
	case model.StepConnect:
		view = p.viewConnect()
	default:
		view = p.viewDone()
	}
	view.Step, view.Page = p.Step, p.Page
	if p.Step != model.StepDone {
		view.Quit = Button{Text: lang.L("Skip all steps"), Action: ActionFinish}
	}
	if p.Step != model.StepBring && !p.Connect.Running() {
		view.Back = Button{Text: lang.L("Back"), Action: ActionBack}
	}
	return view
}

// app is the app with an id, if it is here.
func (p *page) app(id string) App {
	for _, app := range p.facts.Apps {
		if app.ID == id {
			return app
		}
	}
	return App{}
}

// copyButton says whether its text was copied.
func (p *page) copyButton(text string) Button {
	word := lang.L("Copy")
	if p.Copied == text {
		word = lang.L("Copied")
	}
	return Button{Text: word, Action: ActionCopy, With: text}
}

func named(app string) map[string]any { return map[string]any{"App": kit.Line(app)} }
