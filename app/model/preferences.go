package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/natefinch/atomic"
)

// ThemeChoice is which of the two looks the window has.
type ThemeChoice string

// The choices.
const (
	ThemeSystem ThemeChoice = "system" // as the system's
	ThemeLight  ThemeChoice = "light"
	ThemeDark   ThemeChoice = "dark"
)

// Preferences are the user's choices about the app, as opposed to the configuration of servers. [DefaultPreferences] returns those
// of a new user.
type Preferences struct {
	Theme         ThemeChoice `json:"theme"`
	Language      string      `json:"language"` // a code such as "de"; empty: as the system
	Notifications bool        `json:"notifications"`
	LogLevel      string      `json:"logLevel"` // debug, info, warn or error
	Registry      bool        `json:"registry"` // the MCP registry can be searched
	Usage         bool        `json:"usage"`    // calls are counted; engines read this member too
	Window        WindowSize  `json:"window"`
	FirstSteps    FirstSteps  `json:"firstSteps"`
}

// FirstSteps tells how far the user is in the steps of the first start.
type FirstSteps string

// How far that can be.
const (
	FirstStepsNone    FirstSteps = ""        // at the beginning
	FirstStepsConnect FirstSteps = "connect" // at connecting apps
	FirstStepsDone    FirstSteps = "done"    // at the end, which waits for an app to start us
	FirstStepsOver    FirstSteps = "over"    // finished or skipped
)

// WindowSize is how large the window was when it was last used, in Fyne's pixels; zero before.
type WindowSize struct {
	Width  float32 `json:"width"`
	Height float32 `json:"height"`
}

// DefaultPreferences are the preferences of who has chosen nothing.
func DefaultPreferences() Preferences {
	return Preferences{Theme: ThemeSystem, Notifications: true, LogLevel: "info", Registry: true, Usage: true}
}

// checked replaces what makes no sense by what holds without it.
func (p Preferences) checked() Preferences {
	usual := DefaultPreferences()
	switch p.Theme {
	case ThemeSystem, ThemeLight, ThemeDark:
	default:
		p.Theme = usual.Theme
	}
	switch p.LogLevel {
	case "debug", "info", "warn", "error":
	default:
		p.LogLevel = usual.LogLevel
	}
	switch p.FirstSteps {
	case FirstStepsNone, FirstStepsConnect, FirstStepsDone, FirstStepsOver:
	default: // written by another version of the program
		p.FirstSteps = FirstStepsOver
	}
	const most = 20_000 // pixels, more than any screen has
	if w := p.Window; !(w.Width > 0 && w.Width < most && w.Height > 0 && w.Height < most) {
		p.Window = WindowSize{}
	}
	return p
}

// PreferencesStore keeps preferences in a file. It preserves members of the file that it does not know. All of its methods may be
// called from any goroutine.
type PreferencesStore struct {
	path string

	mu     sync.Mutex
	now    Preferences
	keys   map[string]json.RawMessage // of the file, with those that we don't know
	broken bool                       // the file could not be read
}

// OpenPreferences reads the preferences. After an error the store is usable as well and has the defaults. A missing file is no error.
func OpenPreferences(path string) (*PreferencesStore, error) {
	s := &PreferencesStore{path: path, now: DefaultPreferences(), keys: map[string]json.RawMessage{}}
	text, err := readPreferences(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s.keys)
	}
	if err != nil || s.keys == nil {
		s.keys, s.broken = map[string]json.RawMessage{}, true
		if err == nil {
			err = errors.New("it is empty")
		}
		return s, fmt.Errorf("reading the preferences in %s: %w", path, err)
	}
	// One by one: a value of the wrong kind must not take the others with it.
	for key, value := range s.keys {
		one, bad := json.Marshal(map[string]json.RawMessage{key: value})
		if bad == nil {
			bad = json.Unmarshal(one, &s.now)
		}
		if bad != nil {
			err = errors.Join(err, fmt.Errorf("reading %q in %s: %w", key, path, bad))
		}
	}
	s.now = s.now.checked()
	return s, err
}

// maxPreferences is more than the file ever has, in bytes.
const maxPreferences = 1 << 20

func readPreferences(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case info.Size() > maxPreferences:
		return nil, errors.New("it is too large")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxPreferences))
}

// Get returns the present preferences.
func (s *PreferencesStore) Get() Preferences {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Update changes the preferences and saves them. When saving fails, the change holds as long as the program runs. A file that could
// not be read is kept under its name with ".broken" added.
func (s *PreferencesStore) Update(change func(*Preferences)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := s.now
	change(&next)
	next = next.checked()
	if next == s.now && !s.broken {
		return nil
	}
	s.now = next
	if err := s.save(); err != nil {
		return fmt.Errorf("saving the preferences in %s: %w", s.path, err)
	}
	return nil
}

func (s *PreferencesStore) save() error {
	known, err := json.Marshal(s.now)
	if err == nil {
		err = json.Unmarshal(known, &s.keys) // those that we don't know stay
	}
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(s.keys, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	if s.broken {
		if err := os.Rename(s.path, s.path+".broken"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		s.broken = false
	}
	return atomic.WriteFile(s.path, bytes.NewReader(append(text, '\n')))
}
