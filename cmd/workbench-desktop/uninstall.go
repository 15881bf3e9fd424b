package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/autostart"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/links"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// removal is what "uninstall" does before a package manager removes the program.
type removal struct {
	registration
	everything bool
	link       string // for tests, like that of "stdio"
}

func newUninstall(c *shared) *cobra.Command {
	r := &removal{registration: registration{shared: c, back: true}}
	cmd := command("uninstall", exactly(0), func(cmd *cobra.Command, _ []string) error {
		return r.run(cmd.Context())
	})
	r.changeFlags(cmd)
	cmd.Flags().BoolVar(&r.everything, "everything", false, "help.uninstall.flag_everything")
	cmd.Flags().StringVar(&r.link, "link", "", "look for the app at this `address` instead of the usual one, for tests")
	hide(cmd.Flags(), "link")
	return cmd
}

func (r *removal) run(ctx context.Context) error {
	// The window would write again what is deleted.
	if r.everything && !r.dryRun && ipc.Running(ctx, r.link) {
		return r.fail(words.NewError("command.uninstall_running"))
	}
	// Apps that still start Workbench would miss it, so nothing else is removed when one failed.
	if err := r.disconnectAll(ctx); err != nil {
		return err
	}
	if !r.dryRun {
		if err := r.forgetSystem(); err != nil {
			return r.fail(err)
		}
	}
	if r.everything {
		if err := r.deleteAll(ctx); err != nil {
			return err
		}
	}
	if !r.dryRun {
		r.note(words.New("command.uninstall_next"))
	}
	return nil
}

// forgetSystem takes the program out of what the system starts and opens for this user. What another program has
// stays.
func (r *removal) forgetSystem() error {
	program, err := autostart.Executable(os.Getenv)
	if err != nil {
		return nil // then nothing can have been entered
	}
	if entry, err := autostart.New(os.Getenv); err == nil {
		if err := entry.Disable(); err != nil && !errors.Is(err, autostart.ErrForeign) {
			return err
		}
	}
	// The program with the window opens links, and this may be the one without.
	for _, window := range append([]string{program}, paths.Beside(program, "workbench-desktop")...) {
		opener, err := links.New(os.Getenv, window)
		if err != nil {
			return nil // without a home
		}
		if now, err := opener.Status(); err == nil && !now.Fixed && (now.On || now.Own) {
			return opener.Set(false)
		}
	}
	return nil
}

// deleteAll deletes the configuration and all that was kept, secrets included, after it was shown.
func (r *removal) deleteAll(ctx context.Context) error {
	var folders []string
	for _, folder := range paths.Here(os.Getenv).Own() {
		if _, err := os.Lstat(folder); err == nil {
			folders = append(folders, folder)
		}
	}
	secrets := r.ownSecrets()
	if len(folders)+len(secrets) == 0 {
		return nil
	}
	r.note(words.New("command.uninstall_deletes", "Folders", strings.Join(folders, "\n  "), "Secrets", secrets))
	if r.dryRun {
		return nil
	}
	if err := r.confirm(ctx, words.New("command.ask_uninstall")); err != nil {
		return err
	}
	var failed error
	for _, name := range secrets {
		failed = errors.Join(failed, keychain.System().Delete(name))
	}
	for _, folder := range folders {
		failed = errors.Join(failed, os.RemoveAll(folder))
	}
	if failed != nil {
		return r.fail(failed)
	}
	return nil
}

// ownSecrets returns the names of the secrets in the keychain: those of the configuration, and where
// it can list them the others.
func (r *removal) ownSecrets() []string {
	stored, all := keychain.Names()
	if all {
		return stored
	}
	_, document, err := r.readQuietly()
	if err != nil {
		return stored
	}
	for name := range secretUses(document) {
		if has, err := keychain.Has(keychain.System(), name); err == nil && has {
			stored = append(stored, name)
		}
	}
	return stored
}
