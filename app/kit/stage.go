package kit

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Stage shows one object at a time. Objects that will be shown again stay in the stage and are hidden, because Fyne
// applies a new theme only to objects in the window.
type Stage struct {
	Root *fyne.Container

	kept  []*Curtain
	shown fyne.CanvasObject
}

// NewStage returns an empty stage.
func NewStage() *Stage { return &Stage{Root: container.NewStack()} }

// Shown returns the object that is shown, or nil.
func (s *Stage) Shown() fyne.CanvasObject { return s.shown }

// Show shows an object that stays in the stage when another one is shown. It returns false if the object was shown
// already.
func (s *Stage) Show(object fyne.CanvasObject) bool {
	if object != s.shown && !slices.ContainsFunc(s.kept, func(c *Curtain) bool { return c.object == object }) {
		object.Hide()
		s.kept = append(s.kept, &Curtain{object: object, since: time.Now()})
	}
	return s.put(object)
}

// ShowOnce shows an object that leaves the stage when another one is shown. It returns false if the object was shown
// already.
func (s *Stage) ShowOnce(object fyne.CanvasObject) bool { return s.put(object) }

func (s *Stage) put(object fyne.CanvasObject) bool {
	if object == s.shown {
		return false
	}
	s.shown = object
	s.Root.Objects = nil
	once := true
	for _, kept := range s.kept {
		s.Root.Objects = append(s.Root.Objects, kept.object)
		once = once && kept.object != object
	}
	if once {
		s.Root.Objects = append(s.Root.Objects, object)
		object.Show()
	}
	s.Root.Layout.Layout(s.Root.Objects, s.Root.Size())
	for _, kept := range s.kept {
		kept.Set(kept.object == object)
	}
	if once {
		object.Refresh()
	}
	Repaint(s.Root)
	return true
}
