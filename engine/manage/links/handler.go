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
type Handler struct{ system system }

// New returns the handler of this system and this user. env is [os.Getenv] or takes its place.
func New(env func(string) string) (*Handler, error) {
	s, err := newSystem(env)
	if err != nil {
		return nil, err
	}
	return &Handler{s}, nil
}

// Status reports whether a program opens our links.
func (h *Handler) Status(program string) (Status, error) { return h.system.status(program) }

// Set has a program open our links for this user, or takes back that it does. What a package or another program has entered stays as it is
// when it is switched off.
func (h *Handler) Set(program string, on bool) error {
	if !on {
		return h.system.remove()
	}
	if !filepath.IsAbs(program) || strings.ContainsFunc(program, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return words.NewError("links.program", "Path", strconv.Quote(program))
	}
	return h.system.register(program)
}
