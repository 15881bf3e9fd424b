package main

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newSet(e *editor) *cobra.Command {
	var asJSON bool
	cmd := command("config set", between(2, 4), func(cmd *cobra.Command, args []string) error {
		target, field := fieldOf(args[:len(args)-1])
		if err := checkField(target, args[len(args)-2]); err != nil {
			return e.fail(err)
		}
		value, err := fieldValue(target, field, args[len(args)-1], asJSON)
		if err != nil {
			return err
		}
		return e.do(cmd.Context(), edit.SetField{Target: target, Field: field, Value: value})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "help.config.set.flag_json")
	return cmd
}

func newUnset(e *editor) *cobra.Command {
	return command("config unset", between(1, 3), func(cmd *cobra.Command, args []string) error {
		target, field := fieldOf(args)
		return e.do(cmd.Context(), edit.ClearField{Target: target, Field: field})
	})
}

// fieldOf parses [toolbox [server]] field.
func fieldOf(args []string) (edit.Target, []string) {
	var target edit.Target
	last := len(args) - 1
	if last > 0 {
		target.Toolbox = args[0]
	}
	if last > 1 {
		target.Server = args[1]
	}
	// Variables have members whose names may contain dots; the members of groups are in the table.
	for _, f := range config.ServerFields() {
		if name, ok := strings.CutPrefix(args[last], f.Name+"."); ok && name != "" {
			if _, member := config.FieldOf(f.Members, name); member || f.Kind == config.KindVariables {
				return target, []string{f.Name, name}
			}
		}
	}
	return target, []string{args[last]}
}

// settable names the fields that can be set as a whole or in part; toolboxes and servers have commands of their own.
func settable(fields []config.Field) string {
	return named(fields, func(f *config.Field) bool { return f.Kind != config.KindGroup || len(f.Members) > 0 })
}

// level is a part of the file that has fields of its own.
type level struct {
	fields []config.Field
	at     []string // the arguments that name it
}

// levels returns the parts of the file, from the whole file to a server.
func levels(toolbox, server string) []level {
	toolbox, server = cmp.Or(toolbox, "TOOLBOX"), cmp.Or(server, "SERVER")
	return []level{{config.TopFields(), nil}, {config.ToolboxFields(), []string{toolbox}},
		{config.ServerFields(), []string{toolbox, server}}}
}

// has reports whether a field, as it is typed, does something at a level.
func (l level) has(field string) bool {
	name, member, inside := strings.Cut(field, ".")
	f, ok := config.FieldOf(l.fields, name)
	if !ok {
		return false
	}
	_, known := config.FieldOf(f.Members, member)
	return !inside || f.Kind == config.KindVariables && member != "" || known
}

// checkField returns an error for a field that would do nothing where it is. The error says where the field works, or which
// field may be meant.
func checkField(target edit.Target, field string) error {
	all := levels(target.Toolbox, target.Server)
	here := all[0]
	switch {
	case target.Server != "":
		here = all[2]
	case target.Toolbox != "":
		here = all[1]
	}
	if here.has(field) {
		return nil
	}
	var places []string
	for _, l := range all {
		if l.has(field) {
			places = append(places, strings.Join(
				slices.Concat([]string{words.Program(), "config", "set"}, l.at, []string{field, "VALUE"}), " "))
		}
	}
	if len(places) > 0 {
		return words.NewError("command.field_elsewhere", "Field", field, "Places", places)
	}
	meant := config.Meant(here.fields, field)
	if name, member, inside := strings.Cut(field, "."); inside {
		if f, ok := config.FieldOf(here.fields, name); ok && config.Meant(f.Members, member) != "" {
			meant = name + "." + config.Meant(f.Members, member)
		}
	}
	return words.NewError("command.field_unknown", "Field", field, "Meant", meant, "Fields", settable(here.fields))
}

// settableFields returns a text that lists the fields, except those that hold toolboxes and servers.
func settableFields() words.Text {
	single := func(f *config.Field) bool { return f.Kind != config.KindGroup }
	return words.New("help.config.fields", "File", named(config.TopFields(), single), "Toolbox",
		named(config.ToolboxFields(), single),
		"Server", named(config.ServerFields(), func(*config.Field) bool { return true }))
}

// jsonFields names the fields whose values are typed as JSON.
func jsonFields() string {
	single := func(f *config.Field) bool { return isJSON(f) && f.Kind != config.KindGroup }
	ofServers := named(config.ServerFields(), isJSON)
	others := slices.Concat(config.ToolboxFields(), config.TopFields())
	others = slices.DeleteFunc(others, func(f config.Field) bool { _, known := config.ServerField(f.Name); return known })
	return ofServers + ", " + named(others, single)
}

func named(fields []config.Field, which func(*config.Field) bool) string {
	var names []string
	for _, f := range fields {
		if which(&f) {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}

// isJSON reports whether the value of a field is typed as JSON.
func isJSON(f *config.Field) bool { return f.Kind != config.KindText && f.Kind != config.KindTransport }

// fieldValue converts a typed value to JSON.
func fieldValue(target edit.Target, field []string, text string, asJSON bool) (json.RawMessage, error) {
	example := `"text"`
	table := config.ServerFields()
	switch {
	case target.Toolbox == "":
		table = config.TopFields()
	case target.Server == "":
		table = config.ToolboxFields()
	}
	f, ok := config.FieldOf(table, field[0])
	if ok && len(field) == 2 {
		f, ok = config.FieldOf(f.Members, field[1])
	}
	if ok {
		asJSON = asJSON || isJSON(f)
		example = f.Example()
	}
	if !asJSON {
		return jsonc.Value(text), nil
	}
	if !json.Valid([]byte(text)) {
		return nil, words.NewError("command.value_no_json", "Field", strings.Join(field, "."), "Example", "'"+example+"'")
	}
	return json.RawMessage(text), nil
}
