package editor

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// formNames puts the names that the form has in the place of the keys of the file, in what is said beside its fields: whoever fills them in may have never
// seen the file. Only quoted keys are replaced.
func formNames() *strings.Replacer {
	var pairs []string
	for key, name := range map[string]string{
		"command": lang.L("Command"), "args": lang.L("Arguments"), "cwd": lang.L("Folder"), "url": lang.L("Address"), "headers": lang.L("Headers"),
		"env": lang.L("Environment"), "startupTimeout": lang.L("To start"), "callTimeout": lang.L("Per call"),
		"inheritEnv": lang.L("What it inherits"),
	} {
		pairs = append(pairs, strconv.Quote(key), kit.Quote(name))
	}
	return strings.NewReplacer(pairs...)
}
