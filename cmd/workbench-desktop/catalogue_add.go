package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// adding adds a server of the catalogue to a toolbox.
type adding struct {
	*editor
	into     string
	pairs    []string // ID=value
	keychain bool
}

func newCatalogueAdd(c *shared) *cobra.Command {
	a := &adding{editor: &editor{shared: c}}
	cmd := command("catalogue add", exactly(1), func(cmd *cobra.Command, args []string) error {
		return a.run(cmd.Context(), args[0])
	})
	cmd.Flags().StringVar(&a.into, "into", "", "help.catalogue.add.flag_into")
	cmd.Flags().StringArrayVar(&a.pairs, "value", nil, "help.catalogue.add.flag_value")
	cmd.Flags().BoolVar(&a.keychain, "keychain", true, "help.catalogue.add.flag_keychain")
	cmd.Flags().BoolVar(&a.dryRun, "dry-run", false, "help.config.flag_dry-run")
	return cmd
}

func (a *adding) run(ctx context.Context, id string) error {
	values, err := a.given()
	if err != nil {
		return err
	}
	entry, ok := catalogue.Find(id)
	if !ok {
		return a.fail(words.NewError("command.catalogue_unknown", "ID", id))
	}
	s, err := a.open()
	if err != nil {
		return err
	}
	before := s.Current()
	if !before.Valid() {
		return a.fail(words.NewError("command.invalid_nothing_added", "Count", len(before.Errors())))
	}
	name, exists, err := a.toolbox(before.Config)
	if err != nil {
		return a.fail(err)
	}
	if err := a.ask(ctx, entry, values); err != nil {
		return a.fail(err)
	}
	if _, _, err := entry.Fill(values); err != nil { // so that no secret is stored for values that are wrong
		return a.fail(err)
	}
	secrets := &storedSecrets{in: keychain.System()}
	for _, in := range entry.Inputs {
		if value := values[in.ID]; in.Kind == catalogue.KindSecret && value != "" && !strings.Contains(value, "${") &&
			a.keychain && !a.dryRun {
			kept, err := secrets.keep(entry.ID+"/"+in.ID, value)
			if err != nil {
				return a.fail(errors.Join(words.NewError("command.nothing_added_because", "Why", err), secrets.removeAll()))
			}
			values[in.ID] = "${keyring:" + kept + "}"
		}
	}
	server, text, err := entry.Fill(values)
	if err != nil {
		return a.fail(errors.Join(err, secrets.removeAll()))
	}
	var ops []edit.Op
	if !exists {
		ops = append(ops, edit.AddToolbox{Name: name})
	} else if box, _ := before.Config.Toolbox(name); box != nil {
		if _, taken := box.Server(server); taken {
			server = edit.CopyName(server, serverNames(box))
		}
	}
	ops = append(ops, edit.AddServer{Toolbox: name, Name: server, Entry: text})
	if err := a.changeIn(ctx, s, store.SayingFor(ops[len(ops)-1]), store.Edits(ops...)); err != nil {
		return errors.Join(err, secrets.removeAll())
	}
	return nil
}

// toolbox returns the toolbox that the server goes to, and whether it exists. If none is named, it is the only one.
func (a *adding) toolbox(c *config.Config) (name string, exists bool, err error) {
	if a.into == "" {
		if len(c.Toolboxes) != 1 {
			return "", false, words.NewError("command.which_toolbox", "Names", toolboxNames(c))
		}
		return c.Toolboxes[0].Name, true, nil
	}
	_, exists = c.Toolbox(a.into)
	return a.into, exists, edit.CheckName("toolbox", a.into)
}

func serverNames(box *config.Toolbox) []string {
	names := make([]string, len(box.Servers))
	for i := range box.Servers {
		names[i] = box.Servers[i].Name
	}
	return names
}

// given returns the values of the flags. The values of a list are on one line each.
func (a *adding) given() (map[string]string, error) {
	all, err := valuesOf(a.pairs)
	values := map[string]string{}
	for id, list := range all {
		values[id] = strings.Join(list, "\n")
	}
	return values, err
}

// valuesOf reads the flags --value ID=VALUE. An id may be given several times.
func valuesOf(pairs []string) (map[string][]string, error) {
	values := map[string][]string{}
	for _, pair := range pairs {
		id, value, ok := strings.Cut(pair, "=")
		if !ok || id == "" {
			return nil, words.NewError("command.wants_pair", "Flag", "--value") // not repeated, since it may be a secret
		}
		values[id] = append(values[id], value)
	}
	return values, nil
}

// ask asks the person for the values that are missing, and makes paths absolute.
func (a *adding) ask(ctx context.Context, entry catalogue.Entry, values map[string]string) error {
	var missing []string
	for _, in := range entry.Inputs {
		if values[in.ID] == "" && in.Required && in.Default == "" {
			if in.Hint.Code != "" { // where a key is to be had
				a.note(in.Hint)
			}
			if a.atTerminal() && !a.dryRun && ctx.Err() == nil {
				values[in.ID] = a.fillIn(ctx, in.Label, in.Kind == catalogue.KindSecret)
			}
			if values[in.ID] == "" {
				missing = append(missing, in.ID)
			}
		}
		if places := []catalogue.Kind{catalogue.KindFolder, catalogue.KindFile}; values[in.ID] != "" &&
			(slices.Contains(places, in.Kind) || slices.Contains(places, in.Of)) {
			values[in.ID] = absolute(values[in.ID])
		}
	}
	if len(missing) > 0 {
		return words.NewError("command.file_still_asks", "IDs", missing)
	}
	return nil
}

// absolute makes paths absolute, since the server starts in another folder than this command.
func absolute(paths string) string {
	lines := strings.Split(paths, "\n")
	for i, line := range lines {
		line = catalogue.Unquoted(strings.TrimSpace(line))
		if full, err := filepath.Abs(line); err == nil && line != "" && !strings.Contains(line, "${") {
			lines[i] = full
		}
	}
	return strings.Join(lines, "\n")
}
