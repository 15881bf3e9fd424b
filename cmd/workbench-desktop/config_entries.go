package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

func newAddToolbox(e *editor) *cobra.Command {
	var description string
	var at position
	cmd := &cobra.Command{
		Use:   "add-toolbox name",
		Short: "Add a toolbox without servers",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.do(cmd.Context(), edit.AddToolbox{Name: args[0], Description: description, At: at.at()})
		},
	}
	cmd.Flags().StringVar(&description, "description", "", "what the toolbox is for; the model reads it")
	at.flags(cmd, "toolbox")
	return cmd
}

func newAddServer(e *editor) *cobra.Command {
	var entry entryFlags
	var at position
	cmd := &cobra.Command{
		Use:   "add-server toolbox name (-- command [argument...] | --url address | --json entry)",
		Short: "Add a server to a toolbox",
		Long: `Adds a server to a toolbox: a program with its arguments behind "--", a remote one with --url, or a whole
entry as other apps write it with --json. Nothing is started.`,
		Example: `  workbench-desktop config add-server dev memory -- npx -y @modelcontextprotocol/server-memory
  workbench-desktop config add-server dev github --env 'TOKEN=${keyring:github}' -- docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := entry.text(args[2:])
			if err != nil {
				return err
			}
			return e.do(cmd.Context(), edit.AddServer{Toolbox: args[0], Name: args[1], Entry: text, At: at.at()})
		},
	}
	entry.flags(cmd)
	at.flags(cmd, "server")
	return cmd
}

// entryFlags describe a server.
type entryFlags struct {
	env, headers        []string
	cwd, url, transport string
	raw                 string
	startup, call       float64
	hasStartup, hasCall func() bool
}

func (f *entryFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.env, "env", nil, "an environment variable, as `NAME=value` (may be given several times)")
	cmd.Flags().StringVar(&f.cwd, "cwd", "", "the `folder` to start the program in")
	cmd.Flags().StringVar(&f.url, "url", "", "the `address` of a remote server")
	cmd.Flags().StringVar(&f.transport, "transport", "", "http or sse, for a remote server")
	cmd.Flags().StringArrayVar(&f.headers, "header", nil, "a header for a remote server, as `Name=value` (may be given several times)")
	cmd.Flags().Float64Var(&f.startup, "startup-timeout", 0, "`seconds` to start; 0: no limit")
	cmd.Flags().Float64Var(&f.call, "call-timeout", 0, "`seconds` for a call; 0: no limit")
	cmd.Flags().StringVar(&f.raw, "json", "", "the whole `entry` as JSON")
	f.hasStartup = func() bool { return cmd.Flags().Changed("startup-timeout") }
	f.hasCall = func() bool { return cmd.Flags().Changed("call-timeout") }
}

// text makes the entry. The order of its members is the one that people are used to.
func (f *entryFlags) text(command []string) (json.RawMessage, error) {
	ways := 0
	for _, given := range []bool{len(command) > 0, f.url != "", f.raw != ""} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return nil, fmt.Errorf("say what the server is in one way: a command behind \"--\", --url, or --json")
	}
	if f.raw != "" {
		if _, err := jsonrpc.Members([]byte(f.raw)); err != nil {
			return nil, fmt.Errorf("--json is not a JSON object such as {\"command\":\"npx\"}: %w", err)
		}
		return json.RawMessage(f.raw), nil
	}
	var members []jsonrpc.Member
	add := func(name string, value any) {
		members = append(members, jsonrpc.Member{Name: name, Value: edit.Value(value)})
	}
	if f.url != "" {
		if f.transport != "" {
			add("transport", f.transport)
		}
		add("url", f.url)
	} else {
		add("command", command[0])
		if len(command) > 1 {
			add("args", command[1:])
		}
	}
	for _, pairs := range []struct {
		name, flag string
		values     []string
	}{{"env", "--env", f.env}, {"headers", "--header", f.headers}} {
		if len(pairs.values) == 0 {
			continue
		}
		object, err := pairsObject(pairs.flag, pairs.values)
		if err != nil {
			return nil, err
		}
		members = append(members, jsonrpc.Member{Name: pairs.name, Value: object})
	}
	if f.cwd != "" {
		add("cwd", f.cwd)
	}
	if f.hasStartup() {
		add("startupTimeout", f.startup)
	}
	if f.hasCall() {
		add("callTimeout", f.call)
	}
	return jsonrpc.AppendObject(nil, members), nil
}

// pairsObject makes an object of NAME=value pairs, in their order.
func pairsObject(flag string, pairs []string) (json.RawMessage, error) {
	var members []jsonrpc.Member
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			// The pair itself is not repeated: it may be a secret.
			return nil, fmt.Errorf("%s wants NAME=value", flag)
		}
		members = append(members, jsonrpc.Member{Name: name, Value: edit.Value(value)})
	}
	return jsonrpc.AppendObject(nil, members), nil
}

func newRename(e *editor) *cobra.Command {
	return &cobra.Command{
		Use:   "rename toolbox [server] new-name",
		Short: "Give a toolbox or a server another name",
		Args:  cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return e.do(cmd.Context(), edit.RenameToolbox{Name: args[0], To: args[1]})
			}
			return e.do(cmd.Context(), edit.RenameServer{Toolbox: args[0], Name: args[1], To: args[2]})
		},
	}
}

func newDuplicate(e *editor) *cobra.Command {
	var to string
	var at position
	cmd := &cobra.Command{
		Use:   "duplicate toolbox [server] name-of-the-copy",
		Short: "Copy a toolbox or a server",
		Args:  cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				if to != "" {
					return fmt.Errorf("--to is for servers; a toolbox is copied beside itself")
				}
				return e.do(cmd.Context(), edit.DuplicateToolbox{Name: args[0], To: args[1], At: at.at()})
			}
			return e.do(cmd.Context(), edit.DuplicateServer{Toolbox: args[0], Name: args[1], ToToolbox: to, To: args[2], At: at.at()})
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "put the copy of a server into this `toolbox`")
	at.flags(cmd, "toolbox or server")
	return cmd
}

func newMove(e *editor) *cobra.Command {
	var to string
	var at position
	cmd := &cobra.Command{
		Use:   "move toolbox [server]",
		Short: "Move a toolbox in the order, or a server in its toolbox or to another",
		Example: `  workbench-desktop config move dev --before notes
  workbench-desktop config move dev memory --to notes --after search`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if to != "" {
					return fmt.Errorf("--to is for servers; say where the toolbox goes with --before or --after")
				}
				return e.do(cmd.Context(), edit.MoveToolbox{Name: args[0], At: at.at()})
			}
			return e.do(cmd.Context(), edit.MoveServer{Toolbox: args[0], Name: args[1], ToToolbox: to, At: at.at()})
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "the `toolbox` that the server goes to")
	at.flags(cmd, "toolbox or server")
	return cmd
}

func newRemove(e *editor) *cobra.Command {
	return &cobra.Command{
		Use:   "remove toolbox [server]",
		Short: "Take out a toolbox with its servers, or one server",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return e.do(cmd.Context(), edit.RemoveToolbox{Name: args[0]})
			}
			return e.do(cmd.Context(), edit.RemoveServer{Toolbox: args[0], Name: args[1]})
		},
	}
}
