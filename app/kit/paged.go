package kit

import "fyne.io/fyne/v2"

// paged is for what can have the keyboard: with it, it is brought into sight on the page that it lies on.
type paged struct{ page *Page }

func (p *paged) lieOn(page *Page) { p.page = page }

// reveal brings an object into sight, if it lies on a page. One that had the keyboard last gets it again when the window comes to the front:
// then the page stays as it was left.
func (p *paged) reveal(object fyne.Focusable) {
	if p.page == nil || p.page.revealed == object {
		return
	}
	p.page.revealed = object
	p.page.Reveal(object.(fyne.CanvasObject))
}

// forget has the page bring into sight what gets the keyboard next, whatever it is, if another part of the window has it now.
func (p *Page) forget() {
	if p.revealed == nil {
		return
	}
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(p); canvas == nil || canvas.Focused() != p.revealed {
		p.revealed = nil
	}
}

// adopt tells all that is in the containers and boxes of an object which page it lies on.
func (p *Page) adopt(object fyne.CanvasObject) {
	switch o := object.(type) {
	case interface{ lieOn(*Page) }:
		o.lieOn(p)
	case *fyne.Container:
		for _, part := range o.Objects {
			p.adopt(part)
		}
	case *Box:
		if o.content != nil {
			p.adopt(o.content)
		}
	}
}
