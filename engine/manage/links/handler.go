package links

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Status is which program opens our links.
type Status struct {
	On    bool   // this one does
	Own   bool   // because the user has switched it on here, and not because a package says so
	Other string // another one that does; empty when none does
	Fixed bool   // it cannot be changed here: macOS asks the bundle
}

// system is where one system keeps who opens links.
type system interface {
	status(program string) (Status, error)
	register(program string) error
	remove() error
}

// Handler says which program opens our links for this user.
type Handler struct {
	system  system
	program string // that opens them, or is to
}

// New returns the handler of this system and this user, for a program. env is [os.Getenv] or takes its place.
func New(env func(string) string, program string) (*Handler, error) {
	s, err := newSystem(env)
	if err != nil {
		return nil, err
	}
	return &Handler{s, program}, nil
}

// Status reports whether the program opens our links. It may take a moment.
func (h *Handler) Status() (Status, error) { return h.system.status(h.program) }

// Set has the program open our links for this user, or takes back that it does. What a package or another program has entered stays as it is
// when it is switched off.
func (h *Handler) Set(on bool) error {
	if !on {
		return h.system.remove()
	}
	if !filepath.IsAbs(h.program) || strings.ContainsFunc(h.program, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return words.NewError("links.program", "Path", strconv.Quote(h.program))
	}
	return h.system.register(h.program)
}
