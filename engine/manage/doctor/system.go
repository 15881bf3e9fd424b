package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
)

// path explains the difference between what apps look through and what a terminal does.
func (d *Doctor) path(ctx context.Context, _ *evidence, check *Check) {
	_, report := d.environ.Complete(ctx)
	check.State, check.Detail = OK, "AI apps look through the same folders as your terminal."
	if len(report.Folders) > 0 {
		check.Detail = fmt.Sprintf("AI apps look through fewer folders than your terminal. Workbench adds %s: %s.",
			count(len(report.Folders), "folder"), named(report.Folders))
	}
	if report.Problem == "" {
		return
	}
	shell := "Your shell"
	if report.Shell != "" {
		shell += " (" + report.Shell + ")"
	}
	check.State, check.Detail = Notice, fmt.Sprintf("%s could not be asked for its folders: %s. %s", shell, report.Problem, check.Detail)
	check.Advice = "Look into the start files of your shell, or write the full paths of programs into the configuration. " +
		"Start files can leave out what gets in the way when " + environ.ResolvingVariable + " is set."
}

// maxFolders is how many folders are named before the rest is counted.
const maxFolders = 6

// named lists folders.
func named(folders []environ.Folder) string {
	var names []string
	for i, folder := range folders {
		if i == maxFolders {
			names = append(names, fmt.Sprintf("and %d more", len(folders)-maxFolders))
			break
		}
		names = append(names, folder.Path)
	}
	return strings.Join(names, ", ")
}

// probe is the name of an entry that no keychain has.
const probe = "workbench-doctor-asks-whether-you-are-there"

// keychain looks whether the keychain answers.
func (d *Doctor) keychain(ctx context.Context, e *evidence, check *Check) {
	answered := make(chan error, 1)
	// It cannot be told to give up, so one that never answers keeps this goroutine; it holds nothing else.
	go func() { answered <- d.options.Keychain(probe) }()
	var err error
	select {
	case err = <-answered:
	case <-ctx.Done():
		err = errors.New("it does not answer; it may be waiting for its password")
	}
	err = config.ExplainKeychain(err)
	used := e.configured() && len(e.keyrings) > 0
	switch {
	case err == nil || errors.Is(err, keyring.ErrNotFound):
		check.State, check.Detail = OK, "The keychain of your system answers."
	case used:
		check.State = Wrong
		check.Detail = fmt.Sprintf("The keychain of your system cannot be reached: %s. Your configuration needs %s from it.", err, countOf(len(e.keyrings), "secret", "secrets"))
		check.Advice = "Unlock it, or start the program that provides it, such as GNOME Keyring or KWallet."
	default:
		check.State = Notice
		check.Detail = fmt.Sprintf("The keychain of your system cannot be reached: %s. Nothing needs it now.", err)
		check.Advice = "To keep secrets out of the configuration, unlock it, or start the program that provides it."
	}
}

// policy looks for rules against us that whoever looks after this computer has set.
func (d *Doctor) policy(_ context.Context, _ *evidence, check *Check) {
	found := d.options.Policies()
	if len(found) == 0 {
		check.State, check.Detail = OK, "None was found that keeps an AI app from starting Workbench."
		return
	}
	check.State, check.Detail = Notice, strings.Join(found, " ")
	check.Advice = "Ask those who look after this computer to allow it."
}

// How little free space is worth a word, in bytes.
const (
	fewBytes  = 1 << 30
	hardlyAny = 100 << 20
	megabyte  = 1 << 20
)

// disk looks at the space in the user's home, where package runners put what they download.
func (d *Doctor) disk(_ context.Context, _ *evidence, check *Check) {
	free, err := freeSpace(existing(d.home))
	switch {
	case err != nil:
		check.State, check.Detail = Notice, fmt.Sprintf("How much there is could not be found out: %s.", err)
		return
	case free < hardlyAny:
		check.State = Wrong
		check.Advice = "Make room: servers cannot be installed, and changes may not be saved."
	case free < fewBytes:
		check.State = Notice
		check.Advice = "Make room before you add servers: npx, uvx and docker download them."
	default:
		check.State = OK
	}
	check.Detail = size(free) + " are free in your home folder."
}

// size writes a number of bytes.
func size(bytes uint64) string {
	if bytes >= 10<<30 {
		return fmt.Sprintf("%d GB", bytes>>30)
	}
	if bytes >= fewBytes {
		return fmt.Sprintf("%.1f GB", float64(bytes)/fewBytes)
	}
	return fmt.Sprintf("%d MB", bytes/megabyte)
}
