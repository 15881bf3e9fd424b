package welcome

import (
	"cmp"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// getButton returns the button that gets a program by its ID, and the progress of its installation. If Workbench
// cannot install the program itself, the button has the given label.
func (p *page) getButton(id, label string) (button Button, doing string) {
	own, doing := p.program.Getting(id)
	return Button{Text: cmp.Or(own, label), Action: ActionGet, With: id}, doing
}

// get installs a product and then tries again the servers that need it. If Workbench cannot install it, get opens its
// web page. what is the ID of the product, or the web page of something else.
func (s *Service) get(what string) {
	again := func() { s.tryAgain(func(t *model.Trial) bool { return t.Misses(what) }) }
	if !s.program.Get(what, again) {
		s.program.OpenURL(cmp.Or(config.FindProduct(what).Page, what))
	}
}
