//go:build !headless

package main

import (
	"bytes"
	"image/png"

	"github.com/fyne-io/image/ico"
	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// showMessage shows a text and waits until the user has closed it.
func showMessage(text string) {
	shown, err := windows.UTF16PtrFromString(text)
	if err != nil {
		return
	}
	title, _ := windows.UTF16PtrFromString("Workbench")
	_, _ = windows.MessageBox(0, shown, title, windows.MB_OK|windows.MB_ICONWARNING|windows.MB_SETFOREGROUND)
}

// trayIcon returns an icon in the form that this system's tray takes.
func trayIcon() []byte {
	var icon bytes.Buffer
	picture, err := png.Decode(bytes.NewReader(assets.TrayAttention))
	if err != nil || ico.Encode(&icon, picture) != nil {
		return nil
	}
	return icon.Bytes()
}
