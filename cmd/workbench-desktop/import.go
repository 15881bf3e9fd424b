package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// importer are the flags of import.
type importer struct {
	editor
	all, projects, keychain, yes, asJSON bool
	into, file                           string
	move, undoMove, wait, try            bool
	processes                            string // for tests, see registration
}

func newImport(c *shared) *cobra.Command {
	i := &importer{editor: editor{shared: c}}
	cmd := command("import", nil, func(cmd *cobra.Command, args []string) error {
		i.try = i.tries(cmd.Flags().Changed("try"))
		return i.run(cmd.Context(), args)
	})
	flags := cmd.Flags()
	flags.BoolVar(&i.all, "all", false, "help.import.flag_all")
	flags.StringVar(&i.file, "file", "", "help.import.flag_file")
	flags.StringVar(&i.into, "into", "", "help.import.flag_into")
	flags.BoolVar(&i.projects, "projects", false, "help.import.flag_projects")
	flags.BoolVar(&i.keychain, "keychain", false, "help.import.flag_keychain")
	flags.BoolVar(&i.move, "move", false, "help.import.flag_move")
	flags.BoolVar(&i.undoMove, "undo-move", false, "help.import.flag_undo-move")
	flags.BoolVar(&i.try, "try", false, "help.import.flag_try")
	flags.BoolVar(&i.wait, "wait", false, "help.import.flag_wait")
	flags.BoolVar(&i.yes, "yes", false, "help.import.flag_yes")
	flags.BoolVar(&i.dryRun, "dry-run", false, "help.import.flag_dry-run")
	flags.BoolVar(&i.asJSON, "json", false, "help.import.flag_json")
	flags.StringVar(&i.processes, "processes", "", "take the lines of this `file` for what runs, for tests")
	hide(flags, "processes")
	return cmd
}

func (i *importer) run(ctx context.Context, ids []string) error {
	opened, err := i.setup(ctx, i.processes, "")
	if err != nil {
		return err
	}
	system := opened.System
	if ids, err = i.chosen(system, ids); err != nil {
		return err
	}
	m := &mover{importer: i, setup: opened}
	if i.undoMove {
		return m.undoMove(ctx, ids)
	}
	if i.into != "" {
		if err := edit.CheckName("toolbox", i.into); err != nil {
			return err
		}
	}
	s, err := i.open()
	if err != nil {
		return err
	}
	before := s.Current()
	if err := i.valid(s, before); err != nil {
		return err
	}
	plan := imports.Make(imports.Options{System: system, Clients: ids, File: i.file, Projects: i.projects, Into: i.into,
		Existing: before.Config,
		Withheld: doctor.Surroundings{Lookup: config.SystemLookup()}.Withheld})
	var leaving setup.Leaving
	if i.move {
		plan = plan.Check(func(d *config.Document) []config.Diagnostic { return missingHere(ctx, d) })
		leaving = m.look(plan)
	}
	if !i.asJSON {
		i.show(plan)
		if i.move {
			m.show(leaving)
		}
	}
	var failed error
	nothing := len(plan.Servers) == 0 && len(leaving.Out) == 0 && len(m.said.Commands) == 0
	switch {
	case nothing && slices.ContainsFunc(plan.Skipped, func(s imports.Skipped) bool { return s.Name == "" }):
		failed = i.fail(words.NewError("command.nothing_imported"))
	case nothing:
		i.note(words.New("command.nothing_to_import"))
	case i.dryRun:
		if err := i.preview(s, plan); err != nil {
			return err
		}
	case !i.yes && !(i.agreesToUses(ctx, &plan) && i.passesOn(ctx, &plan) && i.agrees(ctx, question(plan))):
		return i.fail(words.NewError("command.answer_yes"))
	default:
		if err := m.quit(ctx, leaving); err != nil {
			return err
		}
		if len(plan.Servers) > 0 {
			if err := i.bring(ctx, s, before, &plan); err != nil {
				return err
			}
		}
		if i.try && len(plan.Servers) > 0 {
			plan = plan.Failed(i.tryAll(ctx, plan))
		}
		if i.move && ctx.Err() == nil {
			failed = m.takeOut(plan)
		}
	}
	if err := m.encode(plan); err != nil {
		return err
	}
	return failed
}

// valid shows the problems of the configuration. Nothing can be imported into an invalid one.
func (i *importer) valid(s *store.Store, before *config.Document) error {
	if before.Valid() {
		return nil
	}
	for _, problem := range before.Errors() {
		i.problem(i.err, problem, s.Location().Path)
	}
	return i.fail(words.NewError("command.invalid_nothing_imported", "Count", len(before.Errors())))
}

// preview checks that a plan could be carried out, and reports that it was not.
func (i *importer) preview(s *store.Store, plan imports.Plan) error {
	if len(plan.Servers) > 0 {
		if _, err := s.Preview(plan.Label(), store.EditsThat(plan.Says(), plan.Ops()...)); err != nil {
			return i.refused(err)
		}
	}
	i.note(words.New("command.nothing_changed"))
	return nil
}

// encode prints the plan and the moved entries, if JSON was asked for.
func (m *mover) encode(plan imports.Plan) error {
	if !m.asJSON {
		return nil
	}
	if !m.move {
		return m.importer.encode(plan)
	}
	return m.importer.encode(struct {
		imports.Plan
		moveJSON
	}{plan, m.said})
}

// chosen checks the arguments and returns the ids of the apps.
func (i *importer) chosen(system clients.System, ids []string) ([]string, error) {
	ways := 0
	for _, given := range []bool{len(ids) > 0, i.all, i.file != ""} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return nil, words.NewError("command.import_one_way", "Clients", strings.Join(imports.Present(system), ", "))
	}
	if i.asJSON && !i.yes && !i.dryRun {
		return nil, words.NewError("command.json_needs_yes")
	}
	if i.file != "" && (i.move || i.undoMove) || i.move && i.undoMove {
		return nil, words.NewError("command.move_flags")
	}
	if i.all {
		return imports.Present(system), nil
	}
	var chosen []string
	for _, id := range ids {
		if !slices.Contains(imports.IDs(), id) {
			return nil, words.NewError("setup.no_client", "Client", words.Quoted(id), "Clients", imports.IDs())
		}
		if !slices.Contains(chosen, id) {
			chosen = append(chosen, id)
		}
	}
	return chosen, nil
}

// bring carries out a plan.
func (i *importer) bring(ctx context.Context, s *store.Store, seen *config.Document, plan *imports.Plan) error {
	undo := func() error { return nil }
	if i.keychain {
		var err error
		if undo, err = plan.Keep(keychain.System()); err != nil {
			return i.fail(words.NewError("command.nothing_imported_because", "Why", err))
		}
	}
	change, err := s.EditFrom(ctx, seen, plan.Label(), store.EditsThat(plan.Says(), plan.Ops()...))
	if err != nil {
		return i.refused(errors.Join(err, undo()))
	}
	i.note(words.New("command.saved", "Path", s.Location().Path, "What", plan.Says()))
	i.complainOf(change)
	return nil
}

// agreesToUses asks separately about each of the user's values that the servers of a file get. Servers of an
// app get them already.
func (i *importer) agreesToUses(ctx context.Context, plan *imports.Plan) bool {
	if i.file == "" {
		return true
	}
	for _, use := range plan.ToAgree() {
		if !i.agrees(ctx, words.New("command.ask_use", "What", use.Text())) {
			return false
		}
	}
	return true
}

// passesOn asks, for each server that would lose variables that it needs, whether it is to get them. The
// server is imported in any case, unless ctx ends. If there is nobody to ask, the variables stay withheld and
// are only reported.
func (i *importer) passesOn(ctx context.Context, plan *imports.Plan) bool {
	for _, f := range plan.Servers {
		if len(f.Withheld) > 0 && i.agrees(ctx, words.New("command.ask_pass_on", "Server", f.As, "Names", f.Withheld)) {
			*plan = plan.PassOn(f.Key())
		}
	}
	return ctx.Err() == nil
}

// show prints a plan in paragraphs.
func (i *importer) show(plan imports.Plan) {
	var paragraphs []string
	add := func(lines ...string) { paragraphs = append(paragraphs, strings.Join(lines, "\n")) }
	if len(plan.Servers) > 0 {
		add(i.words.Text(words.New("command.into_toolbox", "Toolbox", plan.Toolbox, "New", plan.New)))
		add(i.table(plan.Servers))
	}
	secrets := 0
	for n := range plan.Servers {
		f := &plan.Servers[n]
		secrets += len(f.Secrets)
		if lines := i.remarks(f); len(lines) > 0 {
			add(append([]string{f.As}, lines...)...)
		}
	}
	if len(plan.Skipped) > 0 {
		add(append([]string{i.words.Text(words.New("command.left_alone"))}, i.leftAlone(plan.Skipped)...)...)
	}
	if len(plan.Notes) > 0 {
		add(i.words.Texts(plan.Notes)...)
	}
	if secrets > 0 && !i.keychain {
		add(i.words.Text(words.New("command.secrets_in_file", "Number", secrets)))
	}
	if len(paragraphs) > 0 {
		fmt.Fprintln(i.out, strings.Join(paragraphs, "\n\n"))
	}
}

// judgement returns the lines about what a server runs.
func (s streams) judgement(judged *review.Review) []string {
	var lines []string
	add := func(text words.Text) { lines = append(lines, "  "+s.words.Text(text)) }
	for _, s := range judged.Settings {
		switch s.Field {
		case "cwd":
			add(words.New("command.starts_in", "Folder", s.Value.String()))
		case "headers":
			lines = append(lines, "  "+s.Name.String()+": "+s.Value.String())
		default:
			lines = append(lines, "  "+s.Name.String()+"="+s.Value.String())
		}
	}
	for _, w := range judged.Warnings {
		if w.Loud {
			add(words.New("command.warning", "What", w.Text))
		}
	}
	for _, use := range judged.ToAgree() {
		add(use.Text())
	}
	return lines
}

// remarks returns the lines about a server.
func (i *importer) remarks(f *imports.Found) []string {
	lines := i.judgement(f.Review())
	add := func(text words.Text) { lines = append(lines, "  "+i.words.Text(text)) }
	if lost := f.Lost(); !lost.IsZero() {
		add(words.New("command.warning", "What", lost))
	}
	if len(f.ToFill) > 0 {
		add(words.New("command.to_fill_in", "What", f.ToFill))
	}
	for _, s := range f.Secrets {
		if i.keychain {
			add(words.New("command.into_keychain", "Name", s.Keychain, "Where", s.Where))
		} else {
			add(words.New("command.looks_secret", "Where", s.Where))
		}
	}
	for _, note := range f.Notes {
		add(note)
	}
	return lines
}

func (i *importer) leftAlone(skipped []imports.Skipped) []string {
	var lines []string
	for _, s := range skipped {
		what := s.App
		switch {
		case s.Name != "":
			what += fmt.Sprintf(", %q", s.Name)
		case s.File != "":
			what += ", " + s.File
		}
		lines = append(lines, fmt.Sprintf("  %s: %s", what, i.words.Text(s.Reason)))
	}
	return lines
}

func (i *importer) table(servers []imports.Found) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, i.words.Text(words.New("command.import_columns")))
	for n := range servers {
		f := &servers[n]
		name := f.As
		if f.Entry.Disabled {
			name = i.words.Text(words.New("command.import_server_off", "Name", f.As))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, origins(f), f.Review().Line())
	}
	_ = w.Flush() // writing to memory never fails
	return strings.TrimSuffix(text.String(), "\n")
}

// origins returns the names of the apps that have a server, each once.
func origins(f *imports.Found) string {
	var apps []string
	for _, from := range append([]imports.Origin{f.Origin}, f.Same...) {
		if !slices.Contains(apps, from.App) {
			apps = append(apps, from.App)
		}
	}
	return strings.Join(apps, ", ")
}

// question returns the question to ask before a plan is carried out.
func question(plan imports.Plan) words.Text {
	if len(plan.Servers) == 0 {
		return words.New("command.ask_move")
	}
	return words.New("command.ask_import", "Count", len(plan.Servers), "Toolbox", plan.Toolbox)
}
