// Package setup sets up the clients of this computer: it connects and disconnects them, moves their servers into a toolbox and back,
// takes them over, and makes the bundle. The window and the commands ask and show; what they do is here.
package setup

import (
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/bundle"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Setup sets up the clients of one user.
type Setup struct {
	System    clients.System
	Registrar *clients.Registrar
	Location  config.Location // of the configuration that clients start us with

	// Launch finds out how clients start us. It fails for a program that they would not find again.
	Launch func() (clients.Launch, error)

	// Settled is how long after a change a client that rewrites its file is given to show whether it does.
	Settled time.Duration

	settling func() // for tests, before that time; may be nil
}

// settled is the usual [Setup.Settled].
const settled = 3 * time.Second

// Options say whose clients are set up.
type Options struct {
	Getenv   func(string) string
	Location config.Location
	Program  string // that clients start; "" means this one

	// Environ is as in [clients.System].
	Environ func(program string) []string

	// Processes lists what runs; nil means what runs on this computer.
	Processes func() ([]clients.Process, error)
}

// Open returns the Setup of this user. It reads and writes nothing yet.
func Open(o Options) (*Setup, error) {
	system, err := clients.ThisSystem(o.Getenv)
	if err != nil {
		return nil, err
	}
	system.Environ = o.Environ
	if o.Processes != nil {
		system.Processes = o.Processes
	}
	folder, err := paths.Here(o.Getenv).Clients()
	if err != nil {
		return nil, err
	}
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
	return &Setup{System: system, Registrar: clients.New(system, folder), Location: o.Location, Launch: launch, Settled: settled}, nil
}

// Client finds a client by its id.
func Client(id string) (clients.Client, error) {
	c, ok := clients.ByID(id)
	if !ok {
		return c, words.NewError("setup.no_client", "Client", id, "Clients", client.IDs())
	}
	return c, nil
}

// Downloads returns the folder in which people look for files that they have just got; the home folder where there is none.
func (s *Setup) Downloads() string {
	folder := paths.Folders{OS: s.System.OS, Home: s.System.Home, Getenv: s.System.Getenv}.UserFolders().Downloads
	if info, err := s.System.Stat(folder); err != nil || !info.IsDir() {
		return s.System.Home
	}
	return folder
}

// Bundle returns what the bundle for Claude Desktop is made of. version is that of the program.
func (s *Setup) Bundle(version string, icon []byte) (bundle.Options, error) {
	launch, err := s.Launch()
	return bundle.Options{Launch: launch, Version: version, OS: runtime.GOOS, Icon: icon}, err
}

// SaveBundle writes the bundle to a file, or into a folder under its usual name, and returns the whole path.
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
