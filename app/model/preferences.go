package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// ThemeChoice is the choice between the light and the dark theme.
type ThemeChoice string

// The choices.
const (
	ThemeSystem ThemeChoice = "system" // as in the system
	ThemeLight  ThemeChoice = "light"
	ThemeDark   ThemeChoice = "dark"
)

// Preferences are the user's choices about the app, as opposed to the configuration of servers. [DefaultPreferences]
// returns those of a new user.
type Preferences struct {
	Theme         ThemeChoice `json:"theme"`
	Language      string      `json:"language"` // a code such as "de"; empty for the language of the system
	Notifications bool        `json:"notifications"`
	LogLevel      string      `json:"logLevel"` // debug, info, warn or error
	Registry      bool        `json:"registry"` // the user can search the MCP registry
	Usage         bool        `json:"usage"`    // calls are counted; engines read this member, too
	HTTP          bool        `json:"http"`     // apps reach Workbench over HTTP while this program runs
	Window        WindowSize  `json:"window"`
	Selected      Selected    `json:"selected"`
	FirstSteps    FirstSteps  `json:"firstSteps"`
	Closed        bool        `json:"closed"` // the window was closed once, and the user was told where the app is
}

// FirstSteps is the progress of the user in the first steps.
type FirstSteps string

// The values of FirstSteps.
const (
	FirstStepsNone    FirstSteps = ""        // at the beginning
	FirstStepsConnect FirstSteps = "connect" // at connecting apps
	FirstStepsDone    FirstSteps = "done"    // at the end, which waits for an app to start Workbench
	FirstStepsOver    FirstSteps = "over"    // finished or skipped
)

// WindowSize is the size of the window when it was last used, in Fyne's pixels. It is zero before.
type WindowSize struct {
	Width  float32 `json:"width"`
	Height float32 `json:"height"`
}

// Selected is the toolbox or server that was selected when the window was last used. It may be gone by now.
type Selected struct {
	Toolbox string `json:"toolbox"`
	Server  string `json:"server"`
}

// DefaultPreferences returns the preferences of a new user.
func DefaultPreferences() Preferences {
	return Preferences{Theme: ThemeSystem, Notifications: true, LogLevel: "info", Registry: true, Usage: true}
}

// checked replaces invalid values by defaults.
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

// PreferencesStore keeps preferences in a file. It preserves unknown members of the file. Its methods can be called on
// any goroutine.
type PreferencesStore struct {
	path string

	mu     sync.Mutex
	now    Preferences
	keys   map[string]json.RawMessage // the members of the file, including unknown ones
	broken bool                       // the file could not be read
}

// OpenPreferences reads the preferences. After an error the store can be used, with defaults for what could not be
// read. A missing file is not an error.
func OpenPreferences(path string) (*PreferencesStore, error) {
	s := &PreferencesStore{path: path, now: DefaultPreferences(), keys: map[string]json.RawMessage{}}
	text, err := atomicfile.Read(path, maxPreferences)
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
	// Members are decoded one by one, so that an invalid one does not affect the others.
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

// maxPreferences is the most bytes that are read of the file. Workbench never writes that many.
const maxPreferences = 1 << 20

// Get returns the present preferences. For a nil store it returns the defaults.
func (s *PreferencesStore) Get() Preferences {
	if s == nil {
		return DefaultPreferences()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Update changes the preferences and saves them. If saving fails, the change is valid until the program ends. If the
// file could not be read, it is kept, with ".broken" added to its name.
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
		err = json.Unmarshal(known, &s.keys) // keeps unknown members
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
	return atomicfile.Overwrite(s.path, append(text, '\n'))
}
