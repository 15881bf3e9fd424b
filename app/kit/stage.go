package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Stage shows one object at a time. Those that come again stay on it, hidden: Fyne brings a new theme to what is in the window
// alone, and what is not keeps its old colours.
type Stage struct {
	Root *fyne.Container

	kept  []fyne.CanvasObject
	shown fyne.CanvasObject
}

// NewStage gives a stage that shows nothing yet.
func NewStage() *Stage { return &Stage{Root: container.NewStack()} }

// Shown is what is shown; nil at first.
func (s *Stage) Shown() fyne.CanvasObject { return s.shown }

// Show shows an object that comes again, and tells whether another one was shown before.
func (s *Stage) Show(object fyne.CanvasObject) bool {
	if !slices.Contains(s.kept, object) {
		s.kept = append(s.kept, object)
	}
	return s.put(object)
}

// ShowOnce shows an object that is forgotten as soon as another one is shown.
func (s *Stage) ShowOnce(object fyne.CanvasObject) bool { return s.put(object) }

func (s *Stage) put(object fyne.CanvasObject) bool {
	if object == s.shown {
		return false
	}
	s.shown = object
	objects := slices.Clone(s.kept)
	if !slices.Contains(objects, object) {
		objects = append(objects, object)
	}
	for _, other := range objects {
		if other == object {
			other.Show()
		} else {
			other.Hide()
		}
	}
	s.Root.Objects = objects
	s.Root.Refresh()
	return true
}
