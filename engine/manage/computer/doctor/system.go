package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// path explains how the PATH of apps differs from that of a terminal.
func (d *Doctor) path(ctx context.Context, _ *evidence, check *Check) {
	_, report := d.environ.Complete(ctx)
	check.found(OK, words.New("doctor.path_same"))
	if len(report.Folders) > 0 {
		check.found(OK, words.New("doctor.path_fewer", "Count", len(report.Folders), "Folders", named(report.Folders)))
	}
	if report.Problem == nil {
		return
	}
	check.State = Notice
	check.Detail = append([]words.Text{words.New("doctor.path_unknown", "Shell", report.Shell, "Why", report.Problem)},
		check.Detail...)
	check.Advice = words.New("doctor.path_unknown_advice", "Variable", environ.ResolvingVariable)
}

// maxFolders is how many folders are named before the rest is counted.
const maxFolders = 6

// named returns a text that lists folders.
func named(folders []environ.Folder) words.Text {
	var names []string
	for _, folder := range folders[:min(len(folders), maxFolders)] {
		names = append(names, folder.Path)
	}
	if more := len(folders) - maxFolders; more > 0 {
		return words.New("doctor.folders_and_more", "Folders", names, "Count", more)
	}
	return words.Foreign(strings.Join(names, ", "))
}

// keychain checks whether the keychain answers.
func (d *Doctor) keychain(ctx context.Context, e *evidence, check *Check) {
	answered := make(chan error, 1)
	// This call cannot be cancelled. If the keychain never answers, the goroutine stays. It holds nothing
	// else.
	background.Go(func() { answered <- background.Catch(d.options.Keychain) })
	var err error
	select {
	case err = <-answered:
	case <-ctx.Done():
		err = words.Code("doctor.keychain_silent")
	}
	err = keychain.Explain(err)
	used := e.configured() && len(e.keyrings) > 0
	switch {
	case err == nil:
		check.found(OK, words.New("doctor.keychain_answers"))
	case used:
		check.found(Wrong, words.New("doctor.keychain_needed", "Why", err, "Count", len(e.keyrings)))
		check.Advice = words.New("doctor.keychain_needed_advice")
	default:
		check.found(Notice, words.New("doctor.keychain_unneeded", "Why", err))
		check.Advice = words.New("doctor.keychain_unneeded_advice")
	}
}

// policy looks for rules of an organisation that keep AI apps from starting Workbench.
func (d *Doctor) policy(_ context.Context, _ *evidence, check *Check) {
	found := d.options.Policies()
	if len(found) == 0 {
		check.found(OK, words.New("doctor.policy_none"))
		return
	}
	check.State, check.Detail = Notice, found
	check.Advice = words.New("doctor.policy_advice")
}

// Free space, in bytes, below which the check warns.
const (
	fewBytes  = 1 << 30
	hardlyAny = 100 << 20
	megabyte  = 1 << 20
)

// disk checks the free space in the user's home, where package runners store their downloads.
func (d *Doctor) disk(_ context.Context, _ *evidence, check *Check) {
	free, err := freeSpace(existing(d.home))
	switch {
	case err != nil:
		check.found(Notice, words.New("doctor.disk_unknown", "Why", err))
		return
	case free < hardlyAny:
		check.State = Wrong
		check.Advice = words.New("doctor.disk_full_advice")
	case free < fewBytes:
		check.State = Notice
		check.Advice = words.New("doctor.disk_little_advice")
	default:
		check.State = OK
	}
	check.add(words.New("doctor.disk_free", "Size", size(free)))
}

// size returns a number of bytes as text.
func size(bytes uint64) words.Text {
	if bytes >= 10<<30 {
		return words.New("doctor.gigabytes", "Number", fmt.Sprint(bytes>>30))
	}
	if bytes >= fewBytes {
		return words.New("doctor.gigabytes", "Number", fmt.Sprintf("%.1f", float64(bytes)/fewBytes))
	}
	return words.New("doctor.megabytes", "Number", fmt.Sprint(bytes/megabyte))
}
