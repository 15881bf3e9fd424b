//go:build !headless && !windows

package main

import "github.com/workbench-mcp/workbench-desktop/assets"

// showMessage does nothing: the text was printed, and is where programs that desktops start print.
func showMessage(string) {}

// trayIcon returns an icon in the form that this system's tray takes.
func trayIcon() []byte { return assets.TrayAttention }
