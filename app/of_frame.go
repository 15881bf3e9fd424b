package app

import "github.com/workbench-mcp/workbench-desktop/app/frame"

// ofFrame does what the controls around the screens ask for, and knows the screens.
type ofFrame struct{ *controller }

var (
	_ frame.Program = ofFrame{}
	_ frame.Screens = ofFrame{}
)

func (p ofFrame) List() []frame.Listed { return p.screens() }

func (p ofFrame) Make(at frame.Place) frame.Screen { return p.newScreen(at) }

func (p ofFrame) Showing(at frame.Place) {
	p.window.Status.ShowSaved(at != placeFile)
	p.aggregator.WatchCalls(at == placeActivity)
}

func (p ofFrame) ShowFile()     { p.showFile() }
func (p ofFrame) ShowProblems() { p.showProblems() }
func (p ofFrame) Retry()        { p.saver.Retry() }
func (p ofFrame) Discard()      { p.saver.Discard() }
func (p ofFrame) Resume()       { p.pause(false) }
func (p ofFrame) CanMove() bool { return p.options.Move != nil }

// Move moves the app to where it can stay, and then ends it.
func (p ofFrame) Move() {
	p.tasks.After(p.options.Move, func(err error) {
		if err != nil {
			p.window.Fail(err)
			return
		}
		p.quit()
	})
}
