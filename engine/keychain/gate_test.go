package keychain

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
)

// fakeChain counts how often a keychain is asked, and answers with err.
type fakeChain struct {
	asked    int
	err      error
	isLocked bool
}

func (c *fakeChain) gate() *gate {
	g := newGate()
	g.reachable, g.locked = func() error { return nil }, func() bool { return c.isLocked }
	return g
}

func (c *fakeChain) get() error {
	c.asked++
	return c.err
}

// TestRefusingKeychainIsAskedLessAndLess: whoever asks, a keychain that refuses is left alone for longer and longer.
func TestRefusingKeychainIsAskedLessAndLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chain := &fakeChain{err: errors.New("access denied")}
		g := chain.gate()
		for range 24 * 60 * 60 {
			if err := g.ask(chain.get); !errors.Is(err, chain.err) {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		if chain.asked > 75 { // once in 21 minutes
			t.Errorf("in a day of calls, the keychain was asked %d times", chain.asked)
		}
		chain.err = nil
		time.Sleep(mostRest)
		if err := g.ask(chain.get); err != nil {
			t.Errorf("after it works again: %v", err)
		}
		chain.asked, chain.err = 0, errors.New("access denied")
		_ = g.ask(chain.get)
		time.Sleep(firstRest + time.Second)
		if _ = g.ask(chain.get); chain.asked != 2 {
			t.Errorf("afterwards the pauses are long: it was asked %d times", chain.asked)
		}
	})
}

// TestCancelledQuestion: if the person cancels the question of a locked keychain, it does not come back by itself.
func TestCancelledQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chain := &fakeChain{err: errors.New(
			"failed to unlock correct collection '/org/freedesktop/secrets/aliases/default'"), isLocked: true}
		g := chain.gate()
		asks := func(want int, when string) {
			t.Helper()
			for range 100 {
				_ = g.ask(chain.get)
				time.Sleep(time.Hour)
			}
			if chain.asked != want {
				t.Errorf("%s, the person was asked %d times, want %d", when, chain.asked, want)
			}
		}
		asks(1, "while nothing happens")
		g.forgive()
		asks(2, "after the person has started a server")
		chain.isLocked, chain.err = false, nil
		if err := g.ask(chain.get); err != nil {
			t.Errorf("after the person has unlocked it: %v", err)
		}
	})
}

// TestKeychainWithoutSecret: a secret that is missing is no refusal, and neither is a keychain that is not there.
func TestKeychainWithoutSecret(t *testing.T) {
	for _, err := range []error{keyring.ErrNotFound,
		errors.New("The name org.freedesktop.secrets was not provided by any .service files")} {
		chain := &fakeChain{err: err}
		g := chain.gate()
		for range 3 {
			_ = g.ask(chain.get)
		}
		if chain.asked != 3 {
			t.Errorf("%v: asked %d times", err, chain.asked)
		}
	}
}

// TestOneQuestionAtATime: while the keychain waits for the person, others get an answer soon, and no second question.
func TestOneQuestionAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := (&fakeChain{}).gate()
		answer := make(chan struct{})
		ended := make(chan error, 2)
		go func() { ended <- g.ask(func() error { <-answer; return nil }) }()
		synctest.Wait()
		began := time.Now()
		if err := g.ask(func() error {
			t.Error("there is a second question")
			return nil
		}); !errors.Is(err, errSlow) || time.Since(began) != turnPatience {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		close(answer)
		if err := <-ended; err != nil {
			t.Error(err)
		}

		// Who has waited while the person refused asks no second question.
		refused := errors.New("access denied")
		answer = make(chan struct{})
		for i := range 2 {
			go func() {
				ended <- g.ask(func() error {
					if i > 0 {
						t.Error("there is a second question")
					}
					<-answer
					return refused
				})
			}()
			synctest.Wait()
		}
		close(answer)
		for range 2 {
			if err := <-ended; !errors.Is(err, refused) {
				t.Error(err)
			}
		}
	})
}
