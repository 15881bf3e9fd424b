package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newSecret(c *shared) *cobra.Command {
	var asJSON bool
	cmd := command("secret", exactly(0), func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	list := command("secret list", exactly(0), func(*cobra.Command, []string) error { return c.listSecrets(asJSON) })
	list.Flags().BoolVar(&asJSON, "json", false, "help.secret.list.flag_json")
	cmd.AddCommand(
		command("secret set", exactly(1), func(cmd *cobra.Command, args []string) error {
			return c.setSecret(cmd.Context(), args[0])
		}),
		list,
		command("secret remove", exactly(1), func(_ *cobra.Command, args []string) error { return c.removeSecret(args[0]) }),
	)
	return cmd
}

// maxSecret is how many bytes a secret may have. Keychains take less than this or about as much.
const maxSecret = 64 << 10

// setSecret stores a secret. The value is typed at a terminal, which does not show it, or comes from standard input.
// It is never an argument, since other programs can read those.
func (c *shared) setSecret(ctx context.Context, name string) error {
	if refs := config.References("${keyring:" + name + "}"); len(refs) != 1 || refs[0].Name != name || !refs[0].Keyring ||
		strings.ContainsFunc(name, unicode.IsControl) {
		return c.fail(words.NewError("command.secret_name", "Name", name))
	}
	value, err := c.typedSecret(ctx, name)
	switch {
	case err != nil:
		return c.fail(err)
	case value == "":
		return c.fail(words.NewError("command.secret_empty"))
	case len(value) > maxSecret || !utf8.ValidString(value) || strings.Contains(value, "\x00"):
		return c.fail(words.NewError("command.secret_no_text", "KB", maxSecret>>10))
	}
	if err := keychain.System().Set(name, value); err != nil {
		return c.fail(err)
	}
	c.note(words.New("command.secret_stored", "Name", name))
	return nil
}

// typedSecret returns the value of a secret, without the line end behind it.
func (c *shared) typedSecret(ctx context.Context, name string) (string, error) {
	if c.atTerminal() {
		return c.fillIn(ctx, words.New("command.secret_prompt", "Name", name), true), nil
	}
	all, err := io.ReadAll(io.LimitReader(c.in, maxSecret+3))
	if err != nil {
		return "", words.NewError("command.secret_unreadable", "Why", err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(all), "\n"), "\r"), nil
}

// removeSecret removes a secret, and says which servers still need it.
func (c *shared) removeSecret(name string) error {
	has, err := keychain.Has(keychain.System(), name)
	switch {
	case err != nil:
		return c.fail(err)
	case !has:
		return c.fail(words.NewError("command.secret_unknown", "Name", name))
	}
	if err := keychain.System().Delete(name); err != nil {
		return c.fail(err)
	}
	c.note(words.New("command.secret_removed", "Name", name))
	if _, document, err := c.readQuietly(); err == nil {
		if servers := secretUses(document)[name]; len(servers) > 0 {
			c.note(words.New("command.secret_still_needed", "Servers", servers))
		}
	}
	return nil
}

// readQuietly reads the configuration; its problems do not matter to the caller.
func (c *shared) readQuietly() (config.Location, *config.Document, error) {
	location, err := c.locate()
	if err != nil {
		return location, nil, err
	}
	document, err := config.Read(location)
	return location, document, err
}

// secretUses returns the servers that need each secret, as TOOLBOX/SERVER.
func secretUses(document *config.Document) map[string][]string {
	uses := map[string][]string{}
	if document.Config == nil {
		return uses
	}
	for _, box := range document.Config.Toolboxes {
		for i := range box.Servers {
			server := box.Name + "/" + box.Servers[i].Name
			for _, name := range box.Servers[i].Secrets() {
				if !slices.Contains(uses[name], server) {
					uses[name] = append(uses[name], server)
				}
			}
		}
	}
	return uses
}

// secretJSON is a secret as JSON for programs.
type secretJSON struct {
	Name   string   `json:"name"`
	State  string   `json:"state"` // "stored", "missing" or "unknown"
	UsedBy []string `json:"usedBy"`
}

// listSecrets prints the names of the secrets that the configuration refers to, and of the others as far as the
// keychain tells them.
func (c *shared) listSecrets(asJSON bool) error {
	location, document, err := c.readQuietly()
	if err != nil {
		var reported exitStatus
		if errors.As(err, &reported) {
			return err
		}
		return c.fail(err)
	}
	uses := secretUses(document)
	stored, all := keychain.Names()
	names := slices.Clone(stored)
	for name := range uses {
		names = append(names, name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	secrets := make([]secretJSON, len(names))
	var problem error
	for i, name := range names {
		is := secretJSON{Name: name, State: "missing", UsedBy: slices.Concat([]string{}, uses[name])}
		switch {
		case slices.Contains(stored, name):
			is.State = "stored"
		case all:
		case problem != nil: // it would ask the person once more
			is.State = "unknown"
		default:
			var has bool
			if has, problem = keychain.Has(keychain.System(), name); problem != nil {
				is.State = "unknown"
			} else if has {
				is.State = "stored"
			}
		}
		secrets[i] = is
	}
	if asJSON {
		return c.encode(struct {
			File    string       `json:"file"`
			All     bool         `json:"all"` // whether secrets that the file does not refer to are in the list
			Secrets []secretJSON `json:"secrets"`
		}{location.Path, all, secrets})
	}
	states := map[string]words.Code{"stored": "command.secret_is_stored", "missing": "command.secret_is_missing",
		"unknown": "command.secret_is_unknown"}
	table := tabwriter.NewWriter(c.out, 0, 0, 3, ' ', 0)
	for _, is := range secrets {
		used := strings.Join(is.UsedBy, ", ")
		if used == "" {
			used = c.words.Text(words.New("command.secret_unused"))
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", is.Name, c.words.Text(states[is.State].Text()), used)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	switch {
	case problem != nil:
		c.complain(problem)
	case len(secrets) == 0:
		c.note(words.New("command.secrets_none", "Path", location.Path))
	}
	if !all {
		c.note(words.New("command.secrets_not_all"))
	}
	return nil
}
