package doctor

import (
	"context"
	"runtime"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	versionLimit = 6 * time.Second // npx and docker take a second or two when they are cold
	maxOutput    = 8 << 10         // bytes of a program's output that are searched
)

// versionPattern finds a version number in the output of a program.
var versionPattern = lazyregexp.New(`\d+(?:\.\d+){1,3}(?:[-+.][0-9A-Za-z.-]+)?`)

// version asks a program for its version.
func version(ctx context.Context, env []string, path string, args []string) (string, error) {
	if err := developerTools(ctx, env, path); err != nil {
		return "", err
	}
	output, err := run(ctx, env, path, args...)
	if err != nil {
		return "", err
	}
	number := versionPattern.FindString(output)
	if number == "" {
		return "", words.NewError("doctor.no_version")
	}
	return number, nil
}

// withVersion returns a program's name with its version.
func withVersion(title, version string) string { return title + " " + version }

// developerTools returns an error if path is one of Apple's stubs for the developer tools and the tools are
// not installed. Starting the stub would then show a dialog that asks to install them.
func developerTools(ctx context.Context, env []string, path string) error {
	if runtime.GOOS != "darwin" || !strings.HasPrefix(path, "/usr/bin/") {
		return nil
	}
	if _, err := run(ctx, env, "/usr/bin/xcode-select", "-p"); err != nil {
		return words.NewError("doctor.no_apple_tools")
	}
	return nil
}

// run starts a program, waits for it to end, and returns what it wrote to stdout.
func run(ctx context.Context, env []string, path string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	output, _, err := process.Run(ctx,
		process.Spec{Command: path, Args: args, Env: env, Session: true, StdinGrace: -1, TermGrace: -1}, maxOutput)
	if err != nil && ctx.Err() != nil {
		err = words.NewError("doctor.program_silent", "Time", versionLimit)
	}
	return output, err
}
