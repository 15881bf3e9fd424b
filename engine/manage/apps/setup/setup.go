// Package setup sets up the clients on this computer. It connects and disconnects them, moves their servers
// into a toolbox and back, takes clients over, and makes the bundle. The window and the commands only ask and
// show; the work is done here.
package setup

import (
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/bundle"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Setup sets up the clients of one user.
type Setup struct {
	System    clients.System
	Registrar *clients.Registrar
	Location  config.Location // the configuration that clients start Workbench with
	History   string          // the folder of its histories; "" for none
	Author    store.Author    // of a configuration that is made; [store.AuthorCommandLine] if empty

	// Launch returns how clients start Workbench. It fails if clients could not find this program again
	// later.
	Launch func() (clients.Launch, error)

	// Settled is how long to wait after a change before checking whether a client has undone it.
	Settled time.Duration

	settling func() // for tests, called before that wait; may be nil
}

// settled is the default of [Setup.Settled].
const settled = 3 * time.Second

// Options describe the user and the computer of a [Setup].
type Options struct {
	Getenv   func(string) string
	Location config.Location
	Author   store.Author // as in [Setup]
	Program  string       // that clients start; "" means this one

	// Environ is as in [clients.System].
	Environ func(program string) []string

	// Processes lists the running processes; nil means those of this computer.
	Processes func() ([]clients.Process, error)
}

// Open returns the Setup of this user. It does not read or write any file yet.
func Open(o Options) (*Setup, error) {
	system, err := clients.ThisSystem(o.Getenv)
	if err != nil {
		return nil, err
	}
	system.Environ = o.Environ
	if o.Processes != nil {
		system.Processes = o.Processes
	}
	folders := paths.Here(o.Getenv)
	folder, err := folders.Clients()
	if err != nil {
		return nil, err
	}
	history, _ := folders.History() // without one, the file is made all the same
	launch := func() (clients.Launch, error) {
		program := o.Program
		if program == "" {
			var err error
			if program, err = os.Executable(); err != nil {
				return clients.Launch{}, words.NewError("setup.program_path", "Why", err)
			}
		}
		return system.Launch(program, o.Location.Path)
	}
	return &Setup{
		System: system, Registrar: clients.New(system, folder), Location: o.Location, History: history, Author: o.Author,
		Launch: launch, Settled: settled,
	}, nil
}

// Client returns the client with an id.
func Client(id string) (clients.Client, error) {
	c, ok := clients.ByID(id)
	if !ok {
		return c, words.NewError("setup.no_client", "Client", words.Quoted(id), "Clients", client.IDs())
	}
	return c, nil
}

// Downloads returns the user's folder for downloads, or the home folder if there is none.
func (s *Setup) Downloads() string {
	folder := paths.Folders{OS: s.System.OS, Home: s.System.Home, Getenv: s.System.Getenv}.UserFolders().Downloads
	if info, err := s.System.Stat(folder); err != nil || !info.IsDir() {
		return s.System.Home
	}
	return folder
}

// Bundle returns the options of the bundle for Claude Desktop. version is that of the program.
func (s *Setup) Bundle(version string, icon []byte) (bundle.Options, error) {
	launch, err := s.Launch()
	return bundle.Options{Launch: launch, Version: version, OS: runtime.GOOS, Icon: icon}, err
}

// SaveBundle writes the bundle to a file, or into a folder under its usual name, and returns the absolute
// path.
func SaveBundle(path string, o bundle.Options) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, bundle.FileName)
	}
	return path, bundle.Save(path, o)
}
