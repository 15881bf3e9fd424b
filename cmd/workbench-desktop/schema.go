package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// schemaEnding is the file name extension of a contract.
const schemaEnding = ".json"

func newSchema(c *shared) *cobra.Command {
	return command("schema", between(0, 1), func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.listSchemas()
		}
		raw, err := schemaOf(args[0])
		if err != nil {
			names, err := schemaNames()
			if err != nil {
				return err
			}
			return words.NewError("command.no_schema", "Name", args[0], "Names", names)
		}
		_, err = c.out.Write(raw)
		return err
	})
}

// ofFile is the name of the schema of workbench-config.json.
const ofFile = "workbench-config"

// schemaOf returns the schema with a name.
func schemaOf(name string) ([]byte, error) {
	if name == ofFile {
		return assets.ConfigSchema, nil
	}
	return fs.ReadFile(contract.Schemas(), name+schemaEnding)
}

// schemaNames returns the names of the schemas: that of the configuration, and the contracts.
func schemaNames() ([]string, error) {
	files, err := fs.ReadDir(contract.Schemas(), ".")
	names := []string{ofFile}
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file.Name(), schemaEnding))
	}
	return names, err
}

// listSchemas prints each contract with the description in its schema.
func (c *shared) listSchemas() error {
	names, err := schemaNames()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, name := range names {
		raw, err := schemaOf(name)
		if err != nil {
			return err
		}
		var about struct{ Description string }
		if err := json.Unmarshal(raw, &about); err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%s\n", name, about.Description)
	}
	return table.Flush()
}
