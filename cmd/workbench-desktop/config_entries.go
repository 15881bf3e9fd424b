package main

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newAddToolbox(e *editor) *cobra.Command {
	var description string
	var at position
	cmd := &cobra.Command{
		Use:   use("add-toolbox", "help.config.add-toolbox.args"),
		Short: "help.config.add-toolbox.short",
		Args:  exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.do(cmd.Context(), edit.AddToolbox{Name: args[0], Description: description, At: at.at()})
		},
	}
	cmd.Flags().StringVar(&description, "description", "", "help.config.add-toolbox.flag_description")
	at.flags(cmd, "help.position.before_toolbox", "help.position.after_toolbox")
	return cmd
}

func newAddServer(e *editor) *cobra.Command {
	var entry entryFlags
	var at position
	cmd := &cobra.Command{
		Use:     use("add-server", "help.config.add-server.args"),
		Short:   "help.config.add-server.short",
		Long:    "help.config.add-server.long",
		Example: "help.config.add-server.example",
		Args:    atLeast(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := entry.text(args[2:])
			if err != nil {
				return err
			}
			return e.do(cmd.Context(), edit.AddServer{Toolbox: args[0], Name: args[1], Entry: text, At: at.at()})
		},
	}
	entry.flags(cmd)
	at.flags(cmd, "help.position.before_server", "help.position.after_server")
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
	cmd.Flags().StringArrayVar(&f.env, "env", nil, "help.config.add-server.flag_env")
	cmd.Flags().StringVar(&f.cwd, "cwd", "", "help.config.add-server.flag_cwd")
	cmd.Flags().StringVar(&f.url, "url", "", "help.config.add-server.flag_url")
	cmd.Flags().StringVar(&f.transport, "transport", "", "help.config.add-server.flag_transport")
	cmd.Flags().StringArrayVar(&f.headers, "header", nil, "help.config.add-server.flag_header")
	cmd.Flags().Float64Var(&f.startup, "startup-timeout", 0, "help.config.add-server.flag_startup-timeout")
	cmd.Flags().Float64Var(&f.call, "call-timeout", 0, "help.config.add-server.flag_call-timeout")
	cmd.Flags().StringVar(&f.raw, "json", "", "help.config.add-server.flag_json")
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
		return nil, words.NewError("command.one_way")
	}
	if f.raw != "" {
		if _, err := jsonrpc.Members([]byte(f.raw)); err != nil {
			return nil, words.NewError("command.entry_no_object", "Example", `{"command":"npx"}`, "Why", err)
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
			return nil, words.NewError("command.wants_pair", "Flag", flag)
		}
		members = append(members, jsonrpc.Member{Name: name, Value: edit.Value(value)})
	}
	return jsonrpc.AppendObject(nil, members), nil
}

func newRename(e *editor) *cobra.Command {
	return &cobra.Command{
		Use:   use("rename", "help.config.rename.args"),
		Short: "help.config.rename.short",
		Args:  between(2, 3),
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
		Use:   use("duplicate", "help.config.duplicate.args"),
		Short: "help.config.duplicate.short",
		Args:  between(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				if to != "" {
					return words.NewError("command.copy_to_is_for_servers")
				}
				return e.do(cmd.Context(), edit.DuplicateToolbox{Name: args[0], To: args[1], At: at.at()})
			}
			return e.do(cmd.Context(), edit.DuplicateServer{Toolbox: args[0], Name: args[1], ToToolbox: to, To: args[2], At: at.at()})
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "help.config.duplicate.flag_to")
	at.flags(cmd, "help.position.before_any", "help.position.after_any")
	return cmd
}

func newMove(e *editor) *cobra.Command {
	var to string
	var at position
	cmd := &cobra.Command{
		Use:     use("move", "help.config.move.args"),
		Short:   "help.config.move.short",
		Example: "help.config.move.example",
		Args:    between(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if to != "" {
					return words.NewError("command.move_to_is_for_servers")
				}
				return e.do(cmd.Context(), edit.MoveToolbox{Name: args[0], At: at.at()})
			}
			return e.do(cmd.Context(), edit.MoveServer{Toolbox: args[0], Name: args[1], ToToolbox: to, At: at.at()})
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "help.config.move.flag_to")
	at.flags(cmd, "help.position.before_any", "help.position.after_any")
	return cmd
}

func newRemove(e *editor) *cobra.Command {
	return &cobra.Command{
		Use:   use("remove", "help.config.remove.args"),
		Short: "help.config.remove.short",
		Args:  between(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return e.do(cmd.Context(), edit.RemoveToolbox{Name: args[0]})
			}
			return e.do(cmd.Context(), edit.RemoveServer{Toolbox: args[0], Name: args[1]})
		},
	}
}
