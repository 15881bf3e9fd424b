package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

const fieldHelp = `Without a toolbox the field is the file's own (toolMode, metaToolPrefix, $schema), with one it is the
toolbox's (description), with a server the server's (command, args, env, cwd, url, headers, transport,
toolFilters, disabled, startupTimeout, callTimeout). One environment variable or header is env.NAME or
headers.NAME.`

func newSet(e *editor) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "set [toolbox [server]] field value",
		Short: "Give a field a value",
		Long: "Gives a field a value.\n\n" + fieldHelp + `

The value is text as it stands for fields that are text, and JSON for the others (args, toolFilters, env,
headers, disabled, the time limits) or with --json.`,
		Example: `  workbench-desktop config set toolMode proxy
  workbench-desktop config set dev description "Development tools"
  workbench-desktop config set dev memory args '["-y","@modelcontextprotocol/server-memory"]'
  workbench-desktop config set dev memory env.TOKEN '${keyring:memory}'
  workbench-desktop config set dev memory toolFilters '["read_graph"]'`,
		Args: cobra.RangeArgs(2, 4),
		RunE: func(cmd *cobra.Command, args []string) error {
			target, field := fieldOf(args[:len(args)-1])
			value, err := fieldValue(field, args[len(args)-1], asJSON)
			if err != nil {
				return err
			}
			return e.do(cmd.Context(), edit.SetField{Target: target, Field: field, Value: value})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the value is JSON, whatever the field is")
	return cmd
}

func newUnset(e *editor) *cobra.Command {
	return &cobra.Command{
		Use:   "unset [toolbox [server]] field",
		Short: "Take a field out",
		Long:  "Takes a field out, so that its default holds again.\n\n" + fieldHelp,
		Example: `  workbench-desktop config unset dev memory toolFilters
  workbench-desktop config unset dev memory env.TOKEN`,
		Args: cobra.RangeArgs(1, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			target, field := fieldOf(args)
			return e.do(cmd.Context(), edit.ClearField{Target: target, Field: field})
		},
	}
}

// fieldOf reads [toolbox [server]] field.
func fieldOf(args []string) (edit.Target, []string) {
	var target edit.Target
	last := len(args) - 1
	if last > 0 {
		target.Toolbox = args[0]
	}
	if last > 1 {
		target.Server = args[1]
	}
	// Only env and headers have members of their own, whose names may contain dots.
	for _, parent := range []string{"env", "headers"} {
		if name, ok := strings.CutPrefix(args[last], parent+"."); ok && name != "" {
			return target, []string{parent, name}
		}
	}
	return target, []string{args[last]}
}

// fieldValue turns what was typed into JSON.
func fieldValue(field []string, text string, asJSON bool) (json.RawMessage, error) {
	if !asJSON && len(field) == 1 {
		switch field[0] {
		case "args", "toolFilters", "env", "headers", "disabled", "startupTimeout", "callTimeout":
			asJSON = true
		}
	}
	if !asJSON {
		return edit.Value(text), nil
	}
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("the value of %s must be JSON, for example %s", field[0], exampleValue(field[0]))
	}
	return json.RawMessage(text), nil
}

func exampleValue(field string) string {
	switch field {
	case "args":
		return `'["-y","some-package"]'`
	case "toolFilters":
		return `'["read_file"]'`
	case "env", "headers":
		return `'{"NAME":"value"}'`
	case "disabled":
		return "true"
	case "startupTimeout", "callTimeout":
		return "30"
	}
	return `'"text"'`
}
