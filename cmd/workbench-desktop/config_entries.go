package main

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newAddToolbox(e *editor) *cobra.Command {
	var description string
	var at position
	from := fromFile{editor: e}
	cmd := command("config add-toolbox", between(0, 1), func(cmd *cobra.Command, args []string) error {
		if from.path != "" {
			return from.add(cmd.Context(), args, description, at.at())
		}
		if err := exactly(1)(cmd, args); err != nil {
			return err
		}
		return e.do(cmd.Context(), edit.AddToolbox{Name: args[0], Description: description, At: at.at()})
	})
	cmd.Flags().StringVar(&description, "description", "", "help.config.add-toolbox.flag_description")
	from.flags(cmd)
	at.flags(cmd, "help.position.before_toolbox", "help.position.after_toolbox")
	return cmd
}

func newAddServer(e *editor) *cobra.Command {
	var entry entryFlags
	var at position
	cmd := command("config add-server", atLeast(2), func(cmd *cobra.Command, args []string) error {
		text, err := entry.text(args[2:])
		if err != nil {
			return err
		}
		return e.do(cmd.Context(), edit.AddServer{Toolbox: args[0], Name: args[1], Entry: text, At: at.at()})
	})
	entry.flags(cmd)
	at.flags(cmd, "help.position.before_server", "help.position.after_server")
	return cmd
}

// fieldsWithFlags are the fields of a server that have a flag, in the usual order. The kind of the field
// determines what the flag takes.
var fieldsWithFlags = []struct{ field, flag, help string }{
	{"transport", "transport", "help.config.add-server.flag_transport"},
	{"url", "url", "help.config.add-server.flag_url"},
	{"env", "env", "help.config.add-server.flag_env"},
	{"headers", "header", "help.config.add-server.flag_header"},
	{"cwd", "cwd", "help.config.add-server.flag_cwd"},
	{"startupTimeout", "startup-timeout", "help.config.add-server.flag_startup-timeout"},
	{"callTimeout", "call-timeout", "help.config.add-server.flag_call-timeout"},
}

// entryFlags are the flags that describe a server.
type entryFlags struct {
	values map[string]func() (json.RawMessage, error) // the value of a field from its flag; nil if the flag was not given
	raw    string
}

func (f *entryFlags) flags(cmd *cobra.Command) {
	f.values = map[string]func() (json.RawMessage, error){}
	flags := cmd.Flags()
	for _, row := range fieldsWithFlags {
		field, _ := config.ServerField(row.field)
		switch field.Kind {
		case config.KindVariables:
			pairs := flags.StringArray(row.flag, nil, row.help)
			f.values[row.field] = func() (json.RawMessage, error) { return pairsObject("--"+row.flag, *pairs) }
		case config.KindSeconds:
			seconds := flags.Float64(row.flag, 0, row.help)
			f.values[row.field] = func() (json.RawMessage, error) {
				if !flags.Changed(row.flag) {
					return nil, nil
				}
				return jsonc.Value(*seconds), nil
			}
		default:
			text := flags.String(row.flag, "", row.help)
			f.values[row.field] = func() (json.RawMessage, error) {
				if *text == "" {
					return nil, nil
				}
				return jsonc.Value(*text), nil
			}
		}
	}
	flags.StringVar(&f.raw, "json", "", "help.config.add-server.flag_json")
}

// text returns the entry.
func (f *entryFlags) text(command []string) (json.RawMessage, error) {
	url, _ := f.values["url"]()
	ways := 0
	for _, given := range []bool{len(command) > 0, url != nil, f.raw != ""} {
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
	if len(command) > 0 {
		members = append(members, jsonrpc.Member{Name: "command", Value: jsonc.Value(command[0])})
	}
	if len(command) > 1 {
		members = append(members, jsonrpc.Member{Name: "args", Value: jsonc.Value(command[1:])})
	}
	for _, row := range fieldsWithFlags {
		value, err := f.values[row.field]()
		if err != nil {
			return nil, err
		}
		if value == nil || row.field == "transport" && len(command) > 0 { // a program has only one transport
			continue
		}
		members = append(members, jsonrpc.Member{Name: row.field, Value: value})
	}
	return jsonrpc.AppendObject(nil, members), nil
}

// pairsObject turns NAME=value pairs into an object that keeps their order. It returns nil if there are none.
func pairsObject(flag string, pairs []string) (json.RawMessage, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	var members []jsonrpc.Member
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			// The pair is not repeated in the error, since it may be a secret.
			return nil, words.NewError("command.wants_pair", "Flag", flag)
		}
		members = append(members, jsonrpc.Member{Name: name, Value: jsonc.Value(value)})
	}
	return jsonrpc.AppendObject(nil, members), nil
}

func newRename(e *editor) *cobra.Command {
	return command("config rename", between(2, 3), func(cmd *cobra.Command, args []string) error {
		if len(args) == 2 {
			return e.do(cmd.Context(), edit.RenameToolbox{Name: args[0], To: args[1]})
		}
		return e.do(cmd.Context(), edit.RenameServer{Toolbox: args[0], Name: args[1], To: args[2]})
	})
}

func newDuplicate(e *editor) *cobra.Command {
	var to string
	var at position
	cmd := command("config duplicate", between(2, 3), func(cmd *cobra.Command, args []string) error {
		if len(args) == 2 {
			if to != "" {
				return words.NewError("command.copy_to_is_for_servers")
			}
			return e.do(cmd.Context(), edit.DuplicateToolbox{Name: args[0], To: args[1], At: at.at()})
		}
		return e.do(cmd.Context(), edit.DuplicateServer{Toolbox: args[0], Name: args[1], ToToolbox: to, To: args[2],
			At: at.at()})
	})
	cmd.Flags().StringVar(&to, "to", "", "help.config.duplicate.flag_to")
	at.flags(cmd, "help.position.before_any", "help.position.after_any")
	return cmd
}

func newMove(e *editor) *cobra.Command {
	var to string
	var at position
	cmd := command("config move", between(1, 2), func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			if to != "" {
				return words.NewError("command.move_to_is_for_servers")
			}
			return e.do(cmd.Context(), edit.MoveToolbox{Name: args[0], At: at.at()})
		}
		return e.do(cmd.Context(), edit.MoveServer{Toolbox: args[0], Name: args[1], ToToolbox: to, At: at.at()})
	})
	cmd.Flags().StringVar(&to, "to", "", "help.config.move.flag_to")
	at.flags(cmd, "help.position.before_any", "help.position.after_any")
	return cmd
}

func newRemove(e *editor) *cobra.Command {
	return command("config remove", between(1, 2), func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return e.do(cmd.Context(), edit.RemoveToolbox{Name: args[0]})
		}
		return e.do(cmd.Context(), edit.RemoveServer{Toolbox: args[0], Name: args[1]})
	})
}
