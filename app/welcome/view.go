// Package welcome shows the first steps: bring in the servers that other apps have, connect the AI apps of this
// computer, and wait until one of them has started Workbench.
//
// The state of the steps is in package model. [Service] changes it and makes a [View] of it, which [Screen] draws.
package welcome

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
)

// Facts are what the steps need to know about the computer.
type Facts struct {
	Known   bool     // Workbench has looked for apps; before that, Sources, Apps and Problem mean nothing
	Sources []string // the IDs of apps that may have servers to bring in; their files were not read
	Apps    []App    // apps that were found, in the order of the client table
	Problem string   // a sentence that says why no app can be connected; may be empty
	Servers int      // how many servers the configuration has
	Usable  bool     // at least one of these servers can probably be started
	Updates bool     // newer versions are looked for
}

// App is an app that can be connected.
type App struct {
	ID, Name string
	ByHand   bool     // the user connects it with a command
	Guarded  bool     // Workbench does not write the app's file
	Linked   bool     // the app has an entry for Workbench
	Proven   bool     // the app has started Workbench with that entry; for a guarded app, with any entry
	Problem  string   // why the app will not start Workbench although it has the entry; may be empty
	Next     []string // what the user still has to do, in sentences
}

// View is what the screen shows. A View must not be changed after it is passed to the screen.
type View struct {
	Step  model.Step
	Page  int // a page with a new number is shown from its top
	Mark  Mark
	Title string
	Texts []string // below the title

	Notice Sign  // shown above the rows, unless its text is empty
	Unread []Row // files of apps that could not be read
	Rows   []Row
	Tried  Sign     // how many of the tried servers work; not shown if its text is empty
	Failed []Row    // the servers that have failed at least once, shown below Tried
	Ask    string   // a question to ask an AI app
	Copy   Button   // copies Ask
	Switch Switch   // shown below all of that, unless its text is empty
	Small  []string // small print
	Busy   string   // what is in progress; may be empty

	Quit, Back, Skip, Main Button
	Others                 []Button // buttons on the page, such as to look again
}

// Mark is the picture beside the title.
type Mark int

// The values of a Mark.
const (
	NoMark    Mark = iota
	MarkOurs       // the logo of the program
	MarkGood       // something works
	MarkWait       // waiting for something
	MarkWrong      // there is a problem
)

// Sign is a sentence with the icon of a state.
type Sign = clients.Sign

// Row shows an app or a server.
type Row struct {
	Key   string // unique among the rows of a view
	Name  string
	Box   bool // the row has a checkbox
	On    bool // the checkbox is ticked
	Off   bool // the checkbox is disabled
	Plain bool // the row has no checkbox, but is indented like the rows that have one

	Sign       Sign           // the state of the app or server
	Mark       string         // the ID whose mark the row has
	App        string         // the app that a server is from
	Runs       string         // the command or address of a server
	Server     *imports.Found // a server to bring in, which is shown in full instead of Runs; may be nil
	Lines      []Line
	Buttons    []Button
	Changes    []engine.Difference // changes of the app's file
	OwnCommand string              // a command of the app that Workbench runs
	Command    string              // a command that the user runs
}

// Line is a small text in a row.
type Line struct {
	Text   string
	State  theme.State // gives the text its colour; StateIdle is muted
	Button Button      // shown beside the text; most lines have none
}

// Switch is a checkbox that is about none of the rows alone.
type Switch struct {
	Text string
	On   bool
	Note string // small print below it; may be empty
}

// Action is what a button does.
type Action int

// The values of an Action.
const (
	NoAction       Action = iota
	ActionLook            // looks for apps again
	ActionRead            // reads the files of the ticked apps
	ActionChoose          // goes back to the choice of apps
	ActionBring           // brings in the ticked servers
	ActionCommands        // shows the commands that start the servers
	ActionPassOn          // passes variables on to a server that would not get them otherwise
	ActionExample         // makes the example toolbox
	ActionTry             // tries a server again
	ActionStop            // cancels what is in progress
	ActionNext            // goes on to the next step
	ActionBack            // goes back to the previous step
	ActionConnect         // connects the ticked apps
	ActionShow            // shows or hides the change of an app
	ActionCopy            // puts a text on the clipboard
	ActionGet             // installs a product, or opens a web page
	ActionFinish          // ends the steps
	ActionRepair          // applies a fix to the entry of a server that was brought in
	ActionTryTool         // ends the steps and goes to where a tool can be tried
	ActionHelp            // ends the steps and goes to where a server can be fixed
)

// Button is a button. It is not shown if Action is NoAction.
type Button struct {
	Text   string
	Action Action
	With   string // the app, server, text or address that the action needs
	Off    bool   // the button is disabled
}

// page makes a View from the state of the steps and the facts. It calls only methods of the program that change
// nothing.
type page struct {
	*model.Steps
	facts   Facts
	program Program
}

// view returns the View of the current step.
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

// app returns the app with an id, or an empty App.
func (p *page) app(id string) App {
	for _, app := range p.facts.Apps {
		if app.ID == id {
			return app
		}
	}
	return App{}
}

// copyButton returns a button that copies a text. The label says so if the text was the last one that was copied.
func (p *page) copyButton(text string) Button {
	word := lang.L("Copy")
	if p.Copied == text {
		word = lang.L("Copied")
	}
	return Button{Text: word, Action: ActionCopy, With: text}
}

func named(app string) map[string]any { return map[string]any{"App": kit.Line(app)} }
