package app

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
)

// TestTheFirstCloseSaysWhereTheIconIs: once, and never if the user wants no notifications.
func TestTheFirstCloseSaysWhereTheIconIs(t *testing.T) {
	told := make(chan notify.Notice, 10)
	b := newBench(t, oneServer, func(o *Options) {
		var err error
		if o.Preferences, err = model.OpenPreferences(filepath.Join(t.TempDir(), "preferences.json")); err != nil {
			t.Fatal(err)
		}
		o.Notices = noticed(func(notice notify.Notice) { told <- notice })
	})
	prefer := func(on bool) {
		if err := b.options.Preferences.Update(func(p *model.Preferences) { p.Notifications = on }); err != nil {
			t.Fatal(err)
		}
	}
	prefer(false)
	b.sayWhereItIs()
	prefer(true)
	b.sayWhereItIs()
	b.tasks.Wait()
	b.drain()
	b.sayWhereItIs()
	b.tasks.Wait()
	b.drain()
	b.tasks.Wait()
	if len(told) != 1 {
		t.Fatalf("it is said %d times", len(told))
	}
	if notice := <-told; notice.Title != "Workbench keeps running" {
		t.Errorf("it says %+v", notice)
	}
	places := []string{whereItIs("windows"), whereItIs("darwin"), whereItIs("linux")}
	slices.Sort(places)
	if len(slices.Compact(places)) != 3 {
		t.Errorf("the places are %q", places)
	}
}

// mac is a macOS for tests.
type mac struct{ asked []string }

func (m *mac) Raise(uintptr)                 {}
func (m *mac) Bounce() func()                { return m.begun("bounce") }
func (m *mac) StayAwake(string) func()       { return m.begun("awake") }
func (m *mac) Translate(func(string) string) {}

func (m *mac) begun(what string) func() {
	m.asked = append(m.asked, what)
	return func() { m.asked = append(m.asked, "no "+what) }
}

// TestAQuestionOnAMac: the icon bounces, and a notification has the question, too. The menu Edit is there.
func TestAQuestionOnAMac(t *testing.T) {
	told := make(chan notify.Notice, 10)
	system := &mac{}
	b := newBench(t, oneServer, func(o *Options) {
		o.Mac = system
		o.Notices = noticed(func(notice notify.Notice) { told <- notice })
	})
	ofConsent{b.controller}.Raise(b.window.Window, "May it?")()
	if notice := <-told; notice.Text != "May it?" {
		t.Errorf("the notification is %+v", notice)
	}
	if !slices.Equal(system.asked, []string{"bounce", "no bounce"}) {
		t.Errorf("macOS was asked for %q", system.asked)
	}
	b.drain()
	if menu := b.window.Window.MainMenu(); menu == nil || menu.Items[0].Label != "Edit" {
		t.Errorf("the menus are %+v", menu)
	}
}
