package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the version of the program. A release has that of its tag (packaging/version), which the linker puts
// here:
// -X main.version=1.2.3
var version = "0.1.0-dev"

func newVersion(c *shared) *cobra.Command {
	return command("version", exactly(0), func(*cobra.Command, []string) error {
		fmt.Fprintf(c.out, "workbench-desktop %s%s (%s, %s/%s%s)\n", version, revision(), runtime.Version(), runtime.GOOS,
			runtime.GOARCH, variant)
		return nil
	})
}

// revision returns " " and the short commit of the build; "" if the build does not know it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return " " + setting.Value[:12]
		}
	}
	return ""
}
