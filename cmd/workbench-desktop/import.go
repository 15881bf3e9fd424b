package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// importer is what the command line of import says.
type importer struct {
	editor
	all, projects, keychain, yes, asJSON bool
	into, file                           string
	move, undoMove, wait                 bool
	processes                            string // for tests, see registration
}

func newImport(c *shared) *cobra.Command {
	i := &importer{editor: editor{shared: c}}
	cmd := &cobra.Command{
		Use:   "import (app... | --all | --file file)",
		Short: "Bring the servers that other apps have into a toolbox",
		Long: `Looks into the files of other AI apps and copies their servers into a toolbox. Those files are only read. First it
shows what would come, and asks. The whole import is one change, which one undo takes back.

With --move the servers are taken out of the files of the apps afterwards, which else offer the same tools a second time; also those
that were copied before, where the toolbox has the very same. Everything else in those files stays as it is. A copy is kept, and --undo-move puts it back; when the file has changed since, the entries alone, where that is safe.

The same server in several apps comes once; servers that a toolbox has already stay as they are. What an app would have
asked for, or put in itself, is left to fill in, and the server is switched off until then.

Apps: ` + strings.Join(imports.IDs(), " ") + `.`,
		Example: `  workbench-desktop import --all --dry-run       what there is
  workbench-desktop import cursor zed --into dev
  workbench-desktop import claude-desktop --keychain --yes
  workbench-desktop import cursor --move
  workbench-desktop import --undo-move cursor
  workbench-desktop import --file mcp-servers-2026-09-18.json    what MCP Router exports`,
		RunE: func(cmd *cobra.Command, args []string) error { return i.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&i.all, "all", false, "all apps")
	flags.StringVar(&i.file, "file", "", "a `file` of any app, such as MCP Router's export")
	flags.StringVar(&i.into, "into", "", "the `toolbox`, which is made if it is missing (default: the app's name here, or \""+imports.DefaultToolbox+"\" for several)")
	flags.BoolVar(&i.projects, "projects", false, "also what Claude Code has for single projects, and the .mcp.json in their folders")
	flags.BoolVar(&i.keychain, "keychain", false, "put what looks like a secret into the system's keychain instead of the file")
	flags.BoolVar(&i.move, "move", false, "take the servers out of the apps when they are in the toolbox")
	flags.BoolVar(&i.undoMove, "undo-move", false, "put what was moved out of apps back into their files; the toolbox stays as it is")
	flags.BoolVar(&i.wait, "wait", false, "if an app must not run meanwhile, wait until it has been quit")
	flags.BoolVar(&i.yes, "yes", false, "do not ask")
	flags.BoolVar(&i.dryRun, "dry-run", false, "show what would come and change nothing")
	flags.BoolVar(&i.asJSON, "json", false, "print what would come, or came, as JSON; with --yes or --dry-run")
	flags.StringVar(&i.processes, "processes", "", "take the lines of this `file` for what runs, for tests")
	_ = flags.MarkHidden("processes") // fails for a flag that is not there
	return cmd
}

func (i *importer) run(ctx context.Context, ids []string) error {
	system, err := clients.ThisSystem(os.Getenv)
	if err != nil {
		return i.failf("%v", err)
	}
	if ids, err = i.chosen(system, ids); err != nil {
		return err
	}
	m, err := newMover(i, system)
	if err != nil {
		return err
	}
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
	if !before.Valid() {
		for _, problem := range before.Errors() {
			fmt.Fprintln(i.err, problem.Format(s.Location().Path))
		}
		return i.failf("the configuration has %s; nothing was imported", count(len(before.Errors()), "error"))
	}
	plan := imports.Make(imports.Options{System: system, Clients: ids, File: i.file, Projects: i.projects, Into: i.into, Existing: before.Config})
	var leaving []clients.Moving
	if i.move {
		leaving = m.look(plan)
	}
	if !i.asJSON {
		i.show(plan)
		if i.move {
			m.show(leaving)
		}
	}
	var failed error
	nothing := len(plan.Servers) == 0 && len(leaving) == 0 && len(m.said.Commands) == 0
	switch {
	case nothing && slices.ContainsFunc(plan.Skipped, func(s imports.Skipped) bool { return s.Name == "" }):
		failed = i.failf("nothing was imported")
	case nothing:
		fmt.Fprintln(i.err, "There is nothing to import.")
	case i.dryRun:
		if len(plan.Servers) > 0 {
			if _, err := s.Preview(plan.Label(), store.Edits(plan.Ops()...)); err != nil {
				return i.refused(err)
			}
		}
		fmt.Fprintln(i.err, "Nothing was changed (--dry-run).")
	case !i.yes && !i.agrees(ctx, question(plan)):
		return i.failf("nothing was imported; answer y, or give --yes")
	default:
		if err := m.quit(ctx, leaving); err != nil {
			return err
		}
		if len(plan.Servers) > 0 {
			if err := i.bring(ctx, s, before, &plan); err != nil {
				return err
			}
		}
		if i.move {
			failed = m.takeOut(plan)
		}
	}
	if i.asJSON {
		var said any = plan
		if i.move {
			said = struct {
				imports.Plan
				moveJSON
			}{plan, m.said}
		}
		if err := i.encode(said); err != nil {
			return err
		}
	}
	return failed
}

// chosen checks what the command line asks for and returns the ids of the apps.
func (i *importer) chosen(system clients.System, ids []string) ([]string, error) {
	ways := 0
	for _, given := range []bool{len(ids) > 0, i.all, i.file != ""} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		there := "No app was found that has any."
		if present := imports.Present(system); len(present) > 0 {
			there = "Apps with a file here: " + strings.Join(present, ", ") + "."
		}
		return nil, fmt.Errorf("say where the servers come from in one way: names of apps, --all, or --file. %s", there)
	}
	if i.asJSON && !i.yes && !i.dryRun {
		return nil, fmt.Errorf("--json goes with --yes or --dry-run")
	}
	if i.file != "" && (i.move || i.undoMove) || i.move && i.undoMove {
		return nil, fmt.Errorf("--move and --undo-move go with names of apps or --all, and not with each other")
	}
	if i.all {
		return imports.Present(system), nil
	}
	var chosen []string
	for _, id := range ids {
		if !slices.Contains(imports.IDs(), id) {
			return nil, fmt.Errorf("there is no app %q. The apps are: %s", id, strings.Join(imports.IDs(), ", "))
		}
		if !slices.Contains(chosen, id) {
			chosen = append(chosen, id)
		}
	}
	return chosen, nil
}

// bring carries a plan out.
func (i *importer) bring(ctx context.Context, s *store.Store, seen *config.Document, plan *imports.Plan) error {
	undo := func() error { return nil }
	if i.keychain {
		var err error
		if undo, err = plan.Keep(keychain.System()); err != nil {
			return i.failf("nothing was imported: %v", err)
		}
	}
	change, err := s.EditFrom(ctx, seen, plan.Label(), store.Edits(plan.Ops()...))
	if err != nil {
		return i.refused(errors.Join(err, undo()))
	}
	fmt.Fprintf(i.err, "Saved %s: %s.\n", s.Location().Path, plan.Label())
	if change.Unrecorded != nil {
		fmt.Fprintf(i.err, "workbench-desktop: %v\n", change.Unrecorded)
	}
	return nil
}

// show prints a plan in paragraphs.
func (i *importer) show(plan imports.Plan) {
	var paragraphs []string
	add := func(lines ...string) { paragraphs = append(paragraphs, strings.Join(lines, "\n")) }
	if len(plan.Servers) > 0 {
		made := ""
		if plan.New {
			made = ", which will be made"
		}
		add(fmt.Sprintf("Into the toolbox %q%s:", plan.Toolbox, made))
		add(table(plan.Servers))
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
		add(append([]string{"Left alone:"}, leftAlone(plan.Skipped)...)...)
	}
	if len(plan.Notes) > 0 {
		add(plan.Notes...)
	}
	if secrets > 0 && !i.keychain {
		add(fmt.Sprintf("Values that look like secrets: %d. They will stand in the file; --keychain puts them into the system's keychain instead.", secrets))
	}
	if len(paragraphs) > 0 {
		fmt.Fprintln(i.out, strings.Join(paragraphs, "\n\n"))
	}
}

// remarks are what there is to say about a server.
func (i *importer) remarks(f *imports.Found) []string {
	var lines []string
	if len(f.ToFill) > 0 {
		lines = append(lines, fmt.Sprintf("  To fill in: %s.", strings.Join(f.ToFill, ", ")))
	}
	for _, s := range f.Secrets {
		if i.keychain {
			lines = append(lines, fmt.Sprintf("  Into the keychain as %s: %s.", s.Keychain, s.Where))
		} else {
			lines = append(lines, fmt.Sprintf("  Looks like a secret: %s.", s.Where))
		}
	}
	for _, note := range f.Notes {
		lines = append(lines, "  "+note)
	}
	return lines
}

func leftAlone(skipped []imports.Skipped) []string {
	var lines []string
	for _, s := range skipped {
		what := s.App
		switch {
		case s.Name != "":
			what += fmt.Sprintf(", %q", s.Name)
		case s.File != "":
			what += ", " + s.File
		}
		lines = append(lines, fmt.Sprintf("  %s: %s", what, s.Reason))
	}
	return lines
}

func table(servers []imports.Found) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "SERVER\tFROM\tSTARTS")
	for n := range servers {
		f := &servers[n]
		state := ""
		if f.Entry.Disabled {
			state = " (off)"
		}
		fmt.Fprintf(w, "%s%s\t%s\t%s\n", f.As, state, origins(f), f.Runs())
	}
	_ = w.Flush() // to memory, which never fails
	return strings.TrimSuffix(text.String(), "\n")
}

// origins names the apps that have a server, each once.
func origins(f *imports.Found) string {
	var apps []string
	for _, from := range append([]imports.Origin{f.Origin}, f.Same...) {
		if !slices.Contains(apps, from.App) {
			apps = append(apps, from.App)
		}
	}
	return strings.Join(apps, ", ")
}

// question is what is asked before a plan is carried out.
func question(plan imports.Plan) string {
	if len(plan.Servers) == 0 {
		return "They are in toolboxes already. Take them out of their apps?"
	}
	return fmt.Sprintf("Import %s into %q?", count(len(plan.Servers), "server"), plan.Toolbox)
}
