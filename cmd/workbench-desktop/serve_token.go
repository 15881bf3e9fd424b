package main

import (
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/token"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// newServeToken returns the commands for tokens. file is a flag of the command above them.
func newServeToken(c *shared, file *string) *cobra.Command {
	var asJSON bool
	cmd := command("serve token", exactly(0), func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	list := command("serve token list", exactly(0), func(*cobra.Command, []string) error {
		return c.listTokens(*file, asJSON)
	})
	list.Flags().BoolVar(&asJSON, "json", false, "help.serve.token.list.flag_json")
	cmd.AddCommand(
		command("serve token add", exactly(1), func(_ *cobra.Command, args []string) error {
			return c.addToken(*file, args[0])
		}),
		list,
		command("serve token remove", exactly(1), func(_ *cobra.Command, args []string) error {
			return c.removeToken(*file, args[0])
		}),
	)
	return cmd
}

// tokens returns the tokens in a file; "" means the user's own.
func (c *shared) tokens(file string) (*token.Store, error) {
	if file != "" {
		return token.Open(file), nil
	}
	path, err := paths.Here(os.Getenv).Tokens()
	if err != nil {
		return nil, c.fail(err)
	}
	return token.Open(path), nil
}

// addToken makes a token and prints it, alone on standard output.
func (c *shared) addToken(file, name string) error {
	tokens, err := c.tokens(file)
	if err != nil {
		return err
	}
	made, err := tokens.Add(name)
	if err != nil {
		return c.fail(err)
	}
	fmt.Fprintln(c.out, made)
	c.note(words.New("command.token_added", "Name", name))
	return nil
}

// removeToken removes a token.
func (c *shared) removeToken(file, name string) error {
	tokens, err := c.tokens(file)
	if err != nil {
		return err
	}
	if err := tokens.Remove(name); err != nil {
		return c.fail(err)
	}
	c.note(words.New("command.token_removed", "Name", name))
	return nil
}

// tokenJSON is a token as JSON for programs.
type tokenJSON struct {
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
}

// listTokens prints the names of the tokens.
func (c *shared) listTokens(file string, asJSON bool) error {
	tokens, err := c.tokens(file)
	if err != nil {
		return err
	}
	known, err := tokens.List()
	if err != nil {
		return c.fail(err)
	}
	if asJSON {
		list := make([]tokenJSON, len(known))
		for i, t := range known {
			list[i] = tokenJSON{t.Name, t.Created}
		}
		return c.encode(list)
	}
	if len(known) == 0 {
		c.note(words.New("command.serve_no_token"))
	}
	table := tabwriter.NewWriter(c.out, 0, 0, 3, ' ', 0)
	for _, t := range known {
		fmt.Fprintf(table, "%s\t%s\n", t.Name, t.Created.Local().Format(time.DateTime))
	}
	return table.Flush()
}
