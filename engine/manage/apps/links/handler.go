package links

import (
	"path/filepath"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Status says which program opens our links.
type Status struct {
	On    bool   // this program opens them
	Own   bool   // the user turned it on here; it does not come from a package
	Other string // another program that opens them; empty if none does
	Fixed bool   // it cannot be changed here: macOS reads the bundle
}

// system stores which program opens links, in the way of one system.
type system interface {
	status(program string) (Status, error)
	register(program string) error
	remove() error
}

// Handler sets which program opens our links for this user.
type Handler struct {
	system  system
	here    paths.Folders
	program string // opens the links, or is to open them
}

// New returns the handler of this system and this user for a program. env is [os.Getenv] or a replacement.
func New(env func(string) string, program string) (*Handler, error) {
	s, err := newSystem(env)
	if err != nil {
		return nil, err
	}
	return &Handler{s, paths.Here(env), program}, nil
}

// Status reports whether the program opens our links. It may block for a moment, since it can start another
// program.
func (h *Handler) Status() (Status, error) { return h.system.status(h.program) }

// Set makes the program open our links for this user, or undoes that. Turning it off does not change what a
// package or another program has entered.
func (h *Handler) Set(on bool) error {
	if !on {
		return h.system.remove()
	}
	if !filepath.IsAbs(h.program) || strings.ContainsFunc(h.program, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return words.NewError("links.program", "Path", words.Quoted(h.program))
	}
	if err := h.here.Stays(h.program); err != nil {
		return err
	}
	return h.system.register(h.program)
}
