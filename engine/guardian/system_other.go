//go:build !linux && !darwin

package guardian

import (
	"errors"
	"os"
	"syscall"
)

// needed reports whether this system needs a guardian. Windows has Job Objects.
const needed = false

// system is never used here.
type system struct{}

func self() string                         { return os.Args[0] }
func bootID() (string, error)              { return "", errors.ErrUnsupported }
func look(int) (proc, error)               { return proc{}, errors.ErrUnsupported }
func apart() *syscall.SysProcAttr          { return nil }
func (system) processes() []proc           { return nil }
func (system) marks(proc) []string         { return nil }
func (system) gone(proc, mark) bool        { return false }
func (system) signal(proc, syscall.Signal) {}
