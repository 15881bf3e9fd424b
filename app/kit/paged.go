package kit

import "fyne.io/fyne/v2"

// paged is for what can have the keyboard: with it, it is brought into sight on the page that it lies on.
type paged struct{ page *Page }

func (p *paged) lieOn(page *Page) { p.page = page }

// reveal brings an object into sight, if it lies on a page. When the window comes to the front, what had the keyboard gets it again, and is brought into
// sight too: Fyne does not say why something gets the keyboard.
func (p *paged) reveal(object fyne.CanvasObject) {
	if p.page != nil {
		p.page.Reveal(object)
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
