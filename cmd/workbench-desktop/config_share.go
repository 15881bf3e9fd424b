package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newShare(e *editor) *cobra.Command {
	var to string
	cmd := command("config share", exactly(1), func(_ *cobra.Command, args []string) error {
		_, document, err := e.load()
		if err != nil {
			return err
		}
		box, ok := document.Config.Toolbox(args[0])
		if !ok {
			return e.fail(words.NewError("command.no_toolbox", "Toolbox", args[0]))
		}
		options := share.Options{Say: e.words.Text}
		options.Home = paths.Here(os.Getenv).Home
		options.Extensions, _ = paths.Here(os.Getenv).Extensions()
		file, err := share.Make(box, options)
		for _, taken := range file.Taken {
			e.note(words.New("command.share_taken", "Server", taken.Server, "What", taken.What))
		}
		if err != nil {
			return e.fail(err)
		}
		if to == "" {
			_, err = e.out.Write(file.Text)
			return err
		}
		if err := file.Save(to, nil); err != nil {
			return e.fail(err)
		}
		e.note(words.New("command.shared", "Path", to, "Count", file.Servers))
		return nil
	})
	cmd.Flags().StringVar(&to, "to", "", "help.config.share.flag_to")
	return cmd
}

// fromFile adds a toolbox from a shared file.
type fromFile struct {
	*editor
	path     string
	values   []string // ID=value
	keychain bool
	yes      bool
}

func (f *fromFile) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.path, "from", "", "help.config.add-toolbox.flag_from")
	flags.StringArrayVar(&f.values, "value", nil, "help.config.add-toolbox.flag_value")
	flags.BoolVar(&f.keychain, "keychain", false, "help.config.add-toolbox.flag_keychain")
	flags.BoolVar(&f.yes, "yes", false, "help.config.add-toolbox.flag_yes")
}

// add shows the content of the file, asks for missing values, and adds the toolbox after a person has agreed.
func (f *fromFile) add(ctx context.Context, args []string, description string, at edit.Position) error {
	here := share.Surroundings{IsSet: func(name string) bool {
		value, _ := paths.LookupEnv(os.LookupEnv, name)
		return value != ""
	}}
	here.Home = paths.Here(os.Getenv).Home
	box, err := share.ReadFile(f.path, here)
	if err != nil {
		return f.fail(words.NewError("command.file_unusable", "Path", f.path, "Why", err))
	}
	s, err := f.open()
	if err != nil {
		return err
	}
	before := s.Current()
	if !before.Valid() {
		return f.fail(words.NewError("command.invalid_nothing_imported", "Count", len(before.Errors())))
	}
	name := box.Name
	if len(args) == 1 {
		name = args[0]
		if err := edit.CheckName("toolbox", name); err != nil {
			return err
		}
	}
	answers, err := f.given(box)
	if err != nil {
		return err
	}
	f.show(box, answers)
	existing, merge := before.Config.Toolbox(name)
	if merge && !f.agreesTo(ctx, words.New("command.ask_merge", "Toolbox", name)) {
		if len(args) == 1 || ctx.Err() != nil {
			return f.fail(words.NewError("command.toolbox_exists", "Toolbox", name))
		}
		name, merge = edit.CopyName(name, toolboxNames(before.Config)), false
	}
	var taken []string
	var ops []edit.Op
	if merge {
		for _, server := range existing.Servers {
			taken = append(taken, server.Name)
		}
	} else {
		ops = append(ops, edit.AddToolbox{Name: name, Description: cmp.Or(description, box.Description), At: at})
	}
	if err := f.agreesToAll(ctx, box, answers); err != nil {
		return err
	}
	if err := f.ask(ctx, box, answers); err != nil {
		return err
	}
	if !f.dryRun && !f.yes && !f.agrees(ctx,
		words.New("command.ask_import", "Count", len(box.Servers), "Toolbox", name)) {
		return f.fail(words.NewError("command.answer_yes"))
	}
	secrets := &storedSecrets{in: keychain.System()}
	for i := range box.Servers {
		server, err := f.fill(&box.Servers[i], name, answers, secrets)
		if err != nil {
			return f.fail(errors.Join(words.NewError("command.nothing_imported_because", "Why", err), secrets.removeAll()))
		}
		if slices.Contains(taken, server.Name) {
			server.Name = edit.CopyName(server.Name, taken)
		}
		taken = append(taken, server.Name)
		ops = append(ops, edit.AddServer{Toolbox: name, Name: server.Name, Entry: foreign.JSON(server)})
	}
	says := words.New("command.label_from_file", "Toolbox", name)
	if err := f.changeIn(ctx, s, says, store.EditsThat(says, ops...)); err != nil {
		return errors.Join(err, secrets.removeAll())
	}
	return nil
}

func toolboxNames(c *config.Config) []string {
	var names []string
	for _, box := range c.Toolboxes {
		names = append(names, box.Name)
	}
	return names
}

// show prints the whole content of a file together with the known answers, including those that the file
// itself gives.
func (f *fromFile) show(box *share.Toolbox, answers map[string]string) {
	f.print(words.New("command.from_file", "Toolbox", box.Name, "Description", box.Description))
	for i := range box.Servers {
		e := &box.Servers[i]
		judged := review.Of(answered(e, answers))
		fmt.Fprintf(f.out, "\n%s: %s\n", e.Server.Name, judged.Line())
		lines := f.judgement(judged)
		for _, b := range e.Blanks {
			lines = append(lines, "  "+f.words.Text(
				words.New("command.file_asks", "ID", share.ID(b), "Label", b.Label, "Hint", b.Hint)))
		}
		if len(lines) > 0 {
			fmt.Fprintln(f.out, strings.Join(lines, "\n"))
		}
	}
	fmt.Fprintln(f.out)
	for _, note := range box.Notes {
		f.note(note)
	}
}

// agreesTo asks a person. Without one, the answer is no, and also with --yes, which agrees to the file and no more.
func (f *fromFile) agreesTo(ctx context.Context, question words.Text) bool {
	return !f.yes && !f.dryRun && f.agrees(ctx, question)
}

// answered returns the entry of a server with the answers that are not secret.
func answered(e *foreign.Entry, answers map[string]string) *config.Server {
	var replacements []foreign.Replacement
	for _, b := range e.Blanks {
		value := answers[share.ID(b)]
		if value == "" || b.Kind == foreign.KindSecret {
			continue
		}
		for _, part := range b.Parts {
			replacements = append(replacements, foreign.Replacement{Part: part, With: value})
		}
	}
	return foreign.Replace(&e.Server, replacements)
}

// agreesToAll asks separately about each of the user's values that the servers get, with the known answers
// filled in.
func (f *fromFile) agreesToAll(ctx context.Context, box *share.Toolbox, answers map[string]string) error {
	var asked []review.Use
	for i := range box.Servers {
		e := &box.Servers[i]
		for _, use := range review.Of(answered(e, answers)).ToAgree() {
			filled := slices.ContainsFunc(e.Blanks, func(b foreign.Blank) bool {
				return !use.Keychain && share.ID(b) == use.Name
			})
			if filled || slices.Contains(asked, use) || f.yes || f.dryRun {
				continue
			}
			asked = append(asked, use)
			if !f.agrees(ctx, words.New("command.ask_use", "What", use.Text())) {
				return f.fail(words.NewError("command.answer_yes"))
			}
		}
	}
	return nil
}

// given returns the known answers by the ids of the questions: those of the flags, and the file's own.
func (f *fromFile) given(box *share.Toolbox) (map[string]string, error) {
	values, err := valuesOf(f.values)
	if err != nil {
		return nil, err
	}
	answers := map[string]string{}
	for id, list := range values {
		answers[id] = list[len(list)-1]
	}
	known := map[string]bool{}
	for i := range box.Servers {
		for _, b := range box.Servers[i].Blanks {
			id := share.ID(b)
			known[id] = true
			if answers[id] == "" && b.Default != "" {
				answers[id] = b.Default
			}
		}
	}
	for id := range answers {
		if !known[id] {
			return nil, f.fail(words.NewError("command.file_asks_nothing", "ID", id))
		}
	}
	return answers, nil
}

// ask asks a person for the missing answers.
func (f *fromFile) ask(ctx context.Context, box *share.Toolbox, answers map[string]string) error {
	var missing []string
	for i := range box.Servers {
		for _, b := range box.Servers[i].Blanks {
			id := share.ID(b)
			if answers[id] != "" || slices.Contains(missing, id) {
				continue
			}
			if f.atTerminal() && !f.yes && !f.dryRun && ctx.Err() == nil {
				answers[id] = f.fillIn(ctx, b.Label, b.Kind == foreign.KindSecret)
			}
			if answers[id] == "" {
				missing = append(missing, id)
			}
		}
	}
	if len(missing) > 0 && !f.dryRun {
		return f.fail(words.NewError("command.file_still_asks", "IDs", missing))
	}
	return nil
}

// fill returns the entry of a server with the answers. Secrets are stored as the flags say.
func (f *fromFile) fill(e *foreign.Entry, toolbox string, answers map[string]string,
	secrets *storedSecrets) (*config.Server, error) {
	var replacements []foreign.Replacement
	put := func(part foreign.Part, value string, secret bool) error {
		if secret && f.keychain && !f.dryRun && !strings.Contains(value, "${") {
			name, err := secrets.keep(foreign.KeychainName(toolbox+"/"+e.Server.Name, part), value)
			if err != nil {
				return err
			}
			value = "${keyring:" + name + "}"
		}
		replacements = append(replacements, foreign.Replacement{Part: part, With: value})
		return nil
	}
	for _, b := range e.Blanks {
		for _, part := range b.Parts {
			if value := answers[share.ID(b)]; value != "" {
				if err := put(part, value, b.Kind == foreign.KindSecret); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, s := range e.Secrets {
		if err := put(s.Part, s.Text, true); err != nil {
			return nil, err
		}
	}
	return foreign.Replace(&e.Server, replacements), nil
}

// storedSecrets are the secrets that a command has stored in the keychain, so that it can remove them if it fails.
type storedSecrets struct {
	in    keychain.Store
	names []string // of those that were not in the keychain before
}

// keep stores a secret and returns its name in the keychain, which is the wished one if that is free.
func (s *storedSecrets) keep(wish, value string) (string, error) {
	name, made, err := keychain.Keep(s.in, wish, value)
	if made {
		s.names = append(s.names, name)
	}
	return name, err
}

func (s *storedSecrets) removeAll() error {
	var errs []error
	for _, name := range s.names {
		errs = append(errs, s.in.Delete(name))
	}
	return errors.Join(errs...)
}
