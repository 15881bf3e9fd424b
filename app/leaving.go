package app

import (
	"os"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
)

// quit ends the app. It saves typed text that can be saved, and asks the user before the rest is lost.
func (c *controller) quit() {
	c.settle()
	lost := c.wouldLose()
	switch {
	case len(lost) == 0:
		c.end()
	case c.leaving != nil && c.leaving.Shown(): // the question is already shown
		c.open()
	default:
		c.askToQuit(lost)
	}
}

// endNow ends the app because the system shuts down. Nobody can be asked, and the user has not left the field that is being typed in.
// So nothing more is applied, and the next start says what was not.
func (c *controller) endNow() { c.quitting() }

// end ends the app without asking. What the person was asked about is not noted any more.
func (c *controller) end() {
	c.settle()
	c.detail.Leave()
	c.quitting()
}

// quitting ends the app.
func (c *controller) quitting() {
	if c.visible.Load() {
		c.rememberSize()
	}
	if c.tray.renderer != nil {
		c.tray.renderer.Close() // Fyne takes the tray away first
	}
	c.leave.begin()
	c.tasks.Stop() // Fyne's loop may end before it reports that, and then runs queued functions on any goroutine
	c.options.App.Quit()
}

// leavePatience is how long Fyne may take to end. Seldom, and only on a busy machine, it never does: when its loop is over it
// waits for a function that it has put into the queue of that loop, and nobody looks there any more. The window and the tray are
// gone by then, and the program would stay for good.
const leavePatience = 10 * time.Second

// departure is the end of the program, also without Fyne. A nil one does nothing.
type departure struct {
	patience time.Duration
	without  func() // ends the program without Fyne

	mu    sync.Mutex
	timer *time.Timer // running since the end has begun
	back  bool        // Fyne has come back
}

// newDeparture returns a departure that, if it has to end the program itself, first calls finish, which ends all else.
func newDeparture(options Options, finish func()) *departure {
	l := &departure{patience: options.leavePatience}
	if l.patience == 0 {
		l.patience = leavePatience
	}
	exit := options.Exit
	if exit == nil {
		exit = func() { os.Exit(0) }
	}
	l.without = func() {
		options.Logger.Warn("The window does not end; the program ends without it")
		finish()
		if !l.isBack() {
			exit()
		}
	}
	return l
}

// begin tells that Fyne is about to be told to end. It can be called on any goroutine, and several times.
func (l *departure) begin() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer == nil && !l.back {
		l.timer = time.AfterFunc(l.patience, l.without)
	}
}

// end tells that Fyne has come back.
func (l *departure) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.back = true
	if l.timer != nil {
		l.timer.Stop()
	}
}

func (l *departure) isBack() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.back
}

// settle saves typed text that can be saved.
func (c *controller) settle() {
	c.detail.Editor.Settle()
	c.leaveFile()
}

// loss is something that would be lost with the window.
type loss struct {
	text string // names the loss and says why it cannot be saved
	back func() // shows it
}

// wouldLose is all that would be lost with the window.
func (c *controller) wouldLose() []loss {
	lost := c.unsavable()
	if c.now.File.Pending != nil {
		lost = append(lost, loss{saving.Unsaved(c.now.Snapshot), func() {}})
	}
	return lost
}

// unsavable returns typed text that cannot be saved.
func (c *controller) unsavable() []loss {
	lost := c.inScreens()
	if at, tab, typed := c.detail.Editor.Unsavable(c.now.File.Now); typed {
		name := map[string]any{"Name": at.Server}
		text := lang.L("What you typed in the settings of “{{.Name}}” is not saved. They say why.", name)
		if tab == editor.TabJSON {
			text = lang.L("What you typed as JSON for “{{.Name}}” is not saved. Its JSON tab says why.", name)
		}
		lost = append(lost, loss{text, func() { c.showTab(model.Choice{Toolbox: at.Toolbox, Server: at.Server}, tab) }})
	}
	return lost
}

// inScreens returns the part of it that only a screen has.
func (c *controller) inScreens() []loss {
	var lost []loss
	if c.adding.Dialog() != nil && c.adding.Dialog().Typed() {
		lost = append(lost, loss{lang.L("What you filled in to add a server is not added yet."), func() {}})
	}
	if c.file != nil && c.file.Unsaved() {
		lost = append(lost, loss{lang.L("What you typed in the text of the file is not saved. The message above it says why."), c.showFile})
	}
	return lost
}

// askToQuit asks whether to lose what cannot be saved. Enter and Esc keep it, and lead to the first place.
func (c *controller) askToQuit(lost []loss) {
	c.open()
	text := kit.Column(8)
	for _, what := range lost {
		text.Add(kit.NewParagraph(what.text, kit.TextStyle{}))
	}
	ask := kit.NewQuestion(lang.L("Quit without saving?"), 480, text, c.window.Window)
	keep := kit.NewButton(lang.L("Keep editing"), widget.HighImportance, func() {
		ask.Hide()
		lost[0].back()
	})
	lose := kit.NewButton(lang.L("Discard and quit"), widget.MediumImportance, func() {
		ask.Hide()
		c.end()
	})
	ask.SetButtons([]fyne.CanvasObject{lose, keep})
	ask.SetOnClosed(func() { c.leaving = nil })
	c.leaving = ask
	c.window.ShowDialog(ask)
	c.window.Window.Canvas().Focus(keep)
}
