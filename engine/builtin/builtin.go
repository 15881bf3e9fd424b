// Package builtin has the servers that come with the program, so that the first answer needs nothing installed. Each
// is a process of its own, as every other server is: the program started with [Command], the server's name and its
// arguments.
package builtin

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/clock"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/document"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/files"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/notes"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/web"
)

// Command is the command of the program that runs a built-in server.
const Command = "server"

// Names returns the names of the servers.
func Names() []string { return []string{"files", "notes", "web", "time"} }

// Why a server was not run.
var (
	ErrUnknown   = errors.New("no built-in server has this name")
	ErrArguments = errors.New("the server does not take these arguments")
)

// Options are what the servers are run with.
type Options struct {
	Version string
	Notes   string // the folder of the notes, where no other is named
	Private bool   // the server web reads addresses of this computer and its network, too
	In      io.Reader
	Out     io.Writer
}

// Run runs a server until its input or ctx ends. The error may be [ErrUnknown] or [ErrArguments].
func Run(ctx context.Context, name string, arguments []string, o Options) error {
	made, err := newServer(name, arguments, o)
	if err != nil {
		return err
	}
	err = mcpserver.NewStdioServer(made).Listen(ctx, o.In, o.Out)
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func newServer(name string, arguments []string, o Options) (*mcpserver.MCPServer, error) {
	most := map[string]int{"files": 1000, "notes": 1, "web": 0, "time": 0}
	if count, known := most[name]; !known {
		return nil, ErrUnknown
	} else if len(arguments) > count || name == "files" && len(arguments) == 0 || o.Private && name != "web" {
		return nil, ErrArguments
	}
	switch name {
	case "files":
		return files.New(o.Version, arguments, document.Itself(Command))
	case "notes":
		folder, err := filepath.Abs(append(arguments, o.Notes)[0])
		return notes.New(o.Version, folder), err
	case "web":
		return web.New(o.Version, o.Private, document.Itself(Command)), nil
	}
	return clock.New(o.Version, time.Now), nil
}
