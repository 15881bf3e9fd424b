package model

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestPreferencesAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "workbench", "preferences.json")
	s, err := OpenPreferences(path)
	if err != nil || s.Get() != DefaultPreferences() {
		t.Fatalf("without a file, the preferences are %+v, %v", s.Get(), err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("reading has created the file")
	}
	change := func(p *Preferences) {
		p.Theme, p.Language, p.Notifications, p.LogLevel, p.Registry, p.Usage, p.Window, p.FirstSteps = ThemeDark, "de",
			false, "debug", false, false, WindowSize{1100, 720}, FirstStepsDone
		p.Closed = true
	}
	if err := s.Update(change); err != nil {
		t.Fatal(err)
	}
	want := DefaultPreferences()
	change(&want)
	if again, err := OpenPreferences(path); err != nil || again.Get() != want {
		t.Errorf("read again, the preferences are %+v, %v", again.Get(), err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("the files are %v, want one", left)
	}
}

// Unknown members stay in the file, because a newer version may have written them.
func TestUnknownPreferencesStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "preferences.json")
	if err := os.WriteFile(path, []byte(
		`{"theme": "light", "later": {"a": [1, 2.50]}, "window": {"width": 900, "height": 600}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := OpenPreferences(path)
	if err != nil || s.Get().Theme != ThemeLight || !s.Get().Notifications || s.Get().Window.Width != 900 {
		t.Fatalf("the preferences are %+v, %v", s.Get(), err)
	}
	if err := s.Update(func(p *Preferences) { p.Theme = ThemeDark }); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), `2.50`) || !strings.Contains(string(text), `"dark"`) {
		t.Errorf("the file is %s, %v", text, err)
	}
	before, _ := os.Stat(path)
	if err := s.Update(func(p *Preferences) { p.Theme = ThemeDark }); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(path); !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("the file is written although nothing has changed")
	}
}

func TestBrokenPreferences(t *testing.T) {
	for _, text := range []string{"", "{", "[1]", "null",
		`{"theme": 7, "logLevel": "loud", "notifications": false, "window": {"width": -1e30, "height": 5}}`,
		`{"theme": "pink"}`} {
		path := filepath.Join(t.TempDir(), "preferences.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := OpenPreferences(path)
		want := DefaultPreferences()
		if strings.Contains(text, "false") {
			want.Notifications = false // valid members are used
		}
		if s.Get() != want || (err == nil) != strings.Contains(text, "pink") {
			t.Errorf("%q gives %+v, %v", text, s.Get(), err)
		}
		if err := s.Update(func(p *Preferences) { p.Theme = ThemeLight }); err != nil {
			t.Error(err)
		}
		if again, err := OpenPreferences(path); err != nil || again.Get().Theme != ThemeLight {
			t.Errorf("after %q, the preferences are %+v, %v", text, again.Get(), err)
		}
		kept, err := os.ReadFile(path + ".broken")
		if unreadable := !strings.HasPrefix(text, `{"`); unreadable != (err == nil && string(kept) == text) {
			t.Errorf("for %q, the copy is %q, %v", text, kept, err)
		}
	}
}

func TestPreferencesThatCannotBeSaved(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := OpenPreferences(filepath.Join(folder, "file", "preferences.json"))
	if err := s.Update(func(p *Preferences) { p.Theme = ThemeDark }); err == nil || s.Get().Theme != ThemeDark {
		t.Errorf("the preferences are %+v, %v", s.Get(), err)
	}
	if _, err := OpenPreferences(folder); err == nil {
		t.Error("a folder is read as a file")
	}
}

func TestPreferencesFromManyGoroutines(t *testing.T) {
	s, _ := OpenPreferences(filepath.Join(t.TempDir(), "preferences.json"))
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			_ = s.Update(func(p *Preferences) { p.Window = WindowSize{p.Window.Width + 1, float32(i + 1)} })
			s.Get()
		})
	}
	wg.Wait()
	if again, err := OpenPreferences(s.path); err != nil || again.Get().Window.Width != 20 {
		t.Errorf("the preferences are %+v, %v", again.Get(), err)
	}
}
