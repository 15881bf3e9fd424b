//go:build !headless

package main

import (
	"context"
	"errors"
	"os"

	"fyne.io/systray"
	"github.com/go-gl/glfw/v3.4/glfw"

	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// drawable returns an error if windows cannot be drawn here. Fyne needs OpenGL 2.1, which many virtual machines
// and remote desktops do not have; without it, Fyne would log a line and end the program. GLFW must be
// initialised.
func drawable() error {
	glfw.WindowHint(glfw.Visible, glfw.False)
	glfw.WindowHint(glfw.ContextVersionMajor, 2)
	glfw.WindowHint(glfw.ContextVersionMinor, 1)
	defer glfw.DefaultWindowHints()
	window, err := glfw.CreateWindow(16, 16, "", nil, nil)
	if err != nil {
		return words.NewError("command.no_opengl", "Why", err)
	}
	window.Destroy()
	return nil
}

// runWindowless keeps the program in the tray where no window can be drawn, until the user quits or ctx ends.
// Nothing else needs the window: AI apps have their own engines, and the commands work.
func runWindowless(ctx context.Context, options desktopOptions, config string, why error, s streams) int {
	reason := s.words.Text(words.New("command.no_display", "Why", why)) + "\n" +
		s.words.Text(words.New("command.opengl_way"))
	say := func() { background.Go(func() { showMessage(reason) }) }
	s.complain(words.NewError("command.no_display", "Why", why))
	s.note(words.New("command.opengl_way"))
	host, err := tray.NewHost(os.Getenv)
	if err != nil || !host.Present() {
		showMessage(reason)
		return exitFailed
	}
	defer host.Close()
	hub, err := ipc.Listen(ipc.HubOptions{Endpoint: options.Link, Program: version, Config: config, OnShow: func(string) {
		say()
	}, Logger: options.Log})
	if errors.Is(err, ipc.ErrRunning) { // the first one shows the message again
		if err := ipc.Show(ctx, options.Link, ""); err != nil {
			s.complain(err)
		}
		return exitFailed
	}
	if err != nil { // the commands and the AI apps go on without it
		options.Log.Warn("AI apps cannot be seen", "error", err)
	} else {
		var listening background.Group
		served, end := context.WithCancel(ctx)
		defer listening.Wait()
		defer end()
		listening.Go(func() { _ = hub.Run(served) })
	}
	if !options.Hidden {
		say()
	}
	stop := background.AfterEnd(ctx, systray.Quit)
	defer stop()
	systray.Run(func() {
		systray.SetIcon(trayIcon())
		systray.SetTitle("Workbench")
		systray.SetTooltip("Workbench")
		shown := systray.AddMenuItem(s.words.Text(words.New("command.tray_no_window")), "")
		pause := systray.AddMenuItemCheckbox(s.words.Text(words.New("command.tray_pause")), "", false)
		if hub == nil {
			pause.Hide()
		}
		systray.AddSeparator()
		quit := systray.AddMenuItem(s.words.Text(words.New("command.tray_quit")), "")
		background.Go(func() {
			for {
				select {
				case <-shown.ClickedCh:
					say()
				case <-pause.ClickedCh:
					hub.SetPaused(!hub.Paused())
					if hub.Paused() {
						pause.Check()
					} else {
						pause.Uncheck()
					}
				case <-quit.ClickedCh:
					systray.Quit()
					return
				case <-ctx.Done():
					return
				}
			}
		})
	}, func() {})
	return exitOK
}
