// Package macos does for the app what only macOS has: its menu bar, the way in which a question gets to the front of
// everything, and what keeps an app without a window from being slowed down.
package macos

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/dock"
)

// Mac is the app on macOS. Call its methods only on the goroutine of the window. They do nothing for nil, which it is
// on other systems.
type Mac struct {
	system dock.System
	awake  func() // ends what keeps the app from being slowed down; nil if nothing does
}

// New returns the app on macOS; nil if system is nil.
func New(system dock.System) *Mac {
	if system == nil {
		return nil
	}
	return &Mac{system: system}
}

// Raise puts a window, which is shown already, above everything, and makes the icon in the Dock bounce until calm is
// called.
func (m *Mac) Raise(window fyne.Window) (calm func()) {
	if m == nil {
		return func() {}
	}
	if native, ok := window.(driver.NativeWindow); ok {
		native.RunNative(func(context any) {
			if here, ok := context.(driver.MacWindowContext); ok && here.NSWindow != 0 {
				m.system.Raise(here.NSWindow)
			}
		})
	}
	return m.system.Bounce()
}

// Busy says whether AI apps use the app now. Then it is not slowed down.
func (m *Mac) Busy(busy bool) {
	switch {
	case m == nil:
	case busy && m.awake == nil:
		m.awake = m.system.StayAwake("AI apps use it")
	case !busy && m.awake != nil:
		m.awake()
		m.awake = nil
	}
}

// Menus makes the menus in the language of the window. Call it again when the language has changed.
func (m *Mac) Menus(window fyne.Window, clipboard fyne.Clipboard) {
	if m == nil {
		return
	}
	window.SetMainMenu(fyne.NewMainMenu(editMenu(window.Canvas(), clipboard)))
	titles := titles()
	m.system.Translate(func(english string) string { return titles[english] })
}

// titles returns the texts of the menus that GLFW makes.
func titles() map[string]string {
	return map[string]string{
		"About Workbench": lang.L("About Workbench"), "Services": lang.L("Services"),
		"Hide Workbench": lang.L("Hide Workbench"), "Hide Others": lang.L("Hide Others"),
		"Show All": lang.L("Show All"), "Quit Workbench": lang.L("Quit Workbench"), "Window": lang.L("Window"),
		"Minimize": lang.L("Minimize"), "Zoom": lang.L("Zoom"),
		"Bring All to Front": lang.L("Bring All to Front"), "Enter Full Screen": lang.L("Enter Full Screen"),
	}
}
