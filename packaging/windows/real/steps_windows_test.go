package real_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

func (r *real) survives() (string, error) {
	before := running("charmap.exe")
	p, err := process.Start(process.Spec{Command: "cmd", Args: []string{"/c", "start charmap.exe & ping -n 60 127.0.0.1"},
		Env: os.Environ(), Dir: r.work})
	if err != nil {
		return "", err
	}
	id := appeared("charmap.exe", before)
	time.Sleep(3 * time.Second) // its window comes after the process
	if err := p.Stop(context.Background()); err != nil {
		return "", err
	}
	stays := running("charmap.exe")[id]
	_ = exec.Command("taskkill", "/f", "/pid", id).Run()
	if id == "" || !stays {
		return "", fmt.Errorf("the program %q is gone", id)
	}
	return "process " + id, nil
}

// engine starts the installed engine with a server that runs ping, and returns the id of that.
func (r *real) engine() (*exec.Cmd, string, error) {
	config, err := r.configuration("cmd", "/c", "ping -n 600 127.0.0.1")
	if err != nil {
		return nil, "", err
	}
	before := running("PING.EXE")
	cmd := exec.Command(r.program("workbench.exe"), "--config", config, "tools", "dev")
	cmd.Env = os.Environ()
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	id := appeared("PING.EXE", before)
	if id == "" {
		_ = cmd.Process.Kill()
		return nil, "", errors.New("the server does not start")
	}
	return cmd, id, nil
}

func (r *real) killed() (string, error) {
	cmd, id, err := r.engine()
	if err != nil {
		return "", err
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	for range 50 {
		if !running("PING.EXE")[id] {
			return "process " + id, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return "", fmt.Errorf("process %s is left", id)
}

func (r *real) consoles() (string, error) {
	before := len(running("conhost.exe"))
	count := func() (visible int) {
		class, _ := windows.UTF16PtrFromString("ConsoleWindowClass")
		find := windows.NewLazySystemDLL("user32.dll").NewProc("FindWindowExW")
		for window := uintptr(0); ; {
			window, _, _ = find.Call(0, window, uintptr(unsafe.Pointer(class)), 0)
			if window == 0 {
				return visible
			}
			if windows.IsWindowVisible(windows.HWND(window)) {
				visible++
			}
		}
	}
	shown := count()
	cmd, _, err := r.engine()
	if err != nil {
		return "", err
	}
	now := count()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if now > shown {
		return "", fmt.Errorf("%d consoles more are visible", now-shown)
	}
	return fmt.Sprintf("%d visible, %d hosts before", now, before), nil
}

// write writes to a configuration that another program has open for a while.
func (r *real) write(held time.Duration) (config, said string, err error) {
	config, err = r.configuration("npx", "-y", "x")
	if err != nil {
		return "", "", err
	}
	name, err := windows.UTF16PtrFromString(config)
	if err != nil {
		return "", "", err
	}
	handle, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0,
		0)
	if err != nil {
		return "", "", err
	}
	released := make(chan struct{})
	time.AfterFunc(held, func() {
		windows.CloseHandle(handle)
		close(released)
	})
	defer func() { <-released }()
	said, err = r.run(os.Environ(), r.program("workbench.exe"), "--config", config, "config", "set", "dev", "description",
		"Held")
	return config, said, err
}

func (r *real) heldLong() (string, error) {
	config, said, err := r.write(time.Minute)
	if err == nil {
		return "", errors.New("it was written")
	}
	if text, err := os.ReadFile(config); err != nil || bytes.Contains(text, []byte("Held")) {
		return "", fmt.Errorf("it has %q, %v", text, err)
	}
	if !strings.Contains(said, "another program") {
		return "", fmt.Errorf("it says %q", said)
	}
	return said, nil
}

// share has the home below the share that every Windows has of its disk.
func (r *real) share() (string, error) {
	home := `\\localhost\` + strings.Replace(filepath.Join(r.work, "on a share"), ":", "$", 1)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", errMissing
	}
	env := append(os.Environ(), "USERPROFILE="+home)
	if _, err := r.run(env, r.program("workbench.exe"), "config", "add-toolbox", "dev"); err != nil {
		return "", err
	}
	if _, err := r.run(env, r.program("workbench.exe"), "config", "add-server", "dev", "s", "--", "npx", "-y",
		"@modelcontextprotocol/server-memory"); err != nil {
		return "", err
	}
	return r.run(env, r.program("workbench.exe"), "tools", "dev")
}

// link follows a link, and looks at how Windows starts the program for it.
func (r *real) link() (string, error) {
	const link = "workbench://add?name=x&command=y"
	before := running("workbench-desktop.exe")
	if _, err := r.run(os.Environ(), "powershell", "-NoProfile", "-Command", "Start-Process '"+link+"'"); err != nil {
		return "", err
	}
	id := appeared("workbench-desktop.exe", before)
	if id == "" {
		return "", errors.New("no program starts")
	}
	defer func() { _ = exec.Command("taskkill", "/f", "/pid", id).Run() }()
	line, err := r.run(os.Environ(), "powershell", "-NoProfile", "-Command",
		"(Get-CimInstance Win32_Process -Filter 'ProcessId="+id+"').CommandLine")
	if err == nil && !strings.Contains(line, link) {
		err = fmt.Errorf("it is started as %q", line)
	}
	return line, err
}

func (r *real) held() (string, error) {
	config, _, err := r.write(time.Second)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(config)
	if err == nil && !bytes.Contains(text, []byte("Held")) {
		err = fmt.Errorf("it has %q", text)
	}
	return "written", err
}

func (r *real) umlaut() (string, error) {
	home := filepath.Join(r.work, "Jürgen O'Brien")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", err
	}
	env := append(os.Environ(), "USERPROFILE="+home)
	if _, err := r.run(env, r.program("workbench.exe"), "config", "add-toolbox", "dev"); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(home, ".workbench", "workbench-config.json")); err != nil {
		return "", err
	}
	return r.run(env, r.program("workbench.exe"), "connect", "cursor", "--yes", "--dry-run")
}

// window starts the program with the window. Computers of continuous integration have no OpenGL, so it stays in the
// tray.
func (r *real) window() (string, error) {
	cmd := exec.Command(r.program("workbench-desktop.exe"), "--hidden")
	cmd.Env = append(os.Environ(), "USERPROFILE="+r.home)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return "", fmt.Errorf("it ended: %v", err)
	case <-time.After(15 * time.Second):
	}
	_ = exec.Command("taskkill", "/f", "/im", "explorer.exe").Run()
	_ = exec.Command("cmd", "/c", "start", "explorer.exe").Run()
	select {
	case err := <-ended:
		return "", fmt.Errorf("it ended with explorer.exe: %v", err)
	case <-time.After(10 * time.Second):
	}
	_ = cmd.Process.Kill()
	<-ended
	return "it ran, also after explorer.exe was started again", nil
}

func (r *real) update() (string, error) {
	cmd := exec.Command(r.program("workbench-engine.exe"), "stdio")
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	_, err = r.run(os.Environ(), r.setup, "/S")
	_ = in.Close()
	_ = cmd.Wait()
	return r.folder, err
}

func (r *real) remove() (string, error) {
	if _, err := r.run(os.Environ(), r.program("Uninstall.exe"), "/S", "_?="+r.folder); err != nil {
		return "", err
	}
	if now := userPath(); now != r.path {
		return "", fmt.Errorf("PATH was %q and is %q", r.path, now)
	}
	if _, err := registry.OpenKey(registry.CURRENT_USER, `Software\Classes\workbench`, registry.QUERY_VALUE); err == nil {
		return "", errors.New("links are still opened with it")
	}
	left, _ := os.ReadDir(r.folder)
	if len(left) > 1 { // the uninstaller itself runs when it is started so
		return "", fmt.Errorf("%v is left", left)
	}
	return "PATH as before", nil
}
