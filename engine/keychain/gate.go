package keychain

import (
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// system returns the gate to the system's keychain, which all parts of the program share.
var system = sync.OnceValue(newGate)

// Acted says that the person has just done something that needs the keychain, such as starting a server. A keychain
// that has refused may then be asked again at once.
func Acted() { system().forgive() }

const (
	errLocked = words.Code("expand.keychain_locked")
	errSlow   = words.Code("expand.keychain_slow")
)

const (
	// turnPatience is how long to wait for the keychain while it is asked something else. It may be waiting for the
	// person.
	turnPatience = 5 * time.Second
	// firstRest is how long a keychain that has refused is left alone. After each further refusal, the pause is four
	// times as long, up to mostRest.
	firstRest = 20 * time.Second
	mostRest  = 64 * firstRest
)

// gate keeps a keychain from being asked again and again. Only one question at a time goes through.
type gate struct {
	turn      chan struct{} // holds a value while the keychain is asked
	reachable func() error  // why there is no keychain
	locked    func() bool   // reports whether it would ask for its password

	mu        sync.Mutex
	problem   error         // of the last refusal
	rest      time.Duration // the last pause
	until     time.Time     // when it may be asked again
	dismissed bool          // the person has cancelled its question, so it may be asked only when it is unlocked
}

func newGate() *gate {
	return &gate{turn: make(chan struct{}, 1), reachable: reachable, locked: locked}
}

// ask calls f, which asks the keychain, unless the keychain has to be left alone. The error is then that of the last
// refusal.
func (g *gate) ask(f func() error) error {
	if err := g.reachable(); err != nil {
		return err
	}
	if err := g.closed(); err != nil {
		return err
	}
	turn := time.NewTimer(turnPatience)
	defer turn.Stop()
	select {
	case g.turn <- struct{}{}:
		defer func() { <-g.turn }()
	case <-turn.C:
		return errSlow
	}
	if err := g.closed(); err != nil { // it may have refused meanwhile
		return err
	}
	err := f()
	g.heard(err)
	return err
}

// closed returns why the keychain must not be asked now; nil if it may be.
func (g *gate) closed() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.problem == nil:
		return nil
	case g.dismissed && g.locked():
		return g.problem
	case !g.dismissed && time.Now().Before(g.until):
		return g.problem
	}
	return nil
}

// heard notes an answer of the keychain.
func (g *gate) heard(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil || IsNotFound(err) || IsAbsent(err) || words.Is(err, errTooLarge) || words.Is(err, errParts) {
		g.problem, g.rest, g.dismissed = nil, 0, false
		return
	}
	g.problem = err
	g.rest = min(max(firstRest, 4*g.rest), mostRest)
	g.until = time.Now().Add(g.rest)
	g.dismissed = isDismissed(err)
}

// forgive lets the keychain be asked again at once.
func (g *gate) forgive() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.problem, g.rest, g.dismissed = nil, 0, false
}

// isDismissed reports whether an error means that the person has cancelled the keychain's question.
func isDismissed(err error) bool {
	err = Explain(err)
	return words.Is(err, errLocked) || words.Is(err, errCancelled) || words.Is(err, errRefused)
}
