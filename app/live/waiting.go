package live

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
)

// ShortName is the beginning of a name that another program may have chosen: a long one must not push what is said of it out of sight.
func ShortName(name string) string { return kit.Beginning(kit.Line(name), 20) }

// WaitingTitle says in a few words that servers wait for the person.
func WaitingTitle(waiting []approval.Waiting) string {
	count, name := len(waiting), ""
	if count == 1 {
		name = ShortName(waiting[0].Server.Name)
	}
	elsewhere := !slices.ContainsFunc(waiting, func(w approval.Waiting) bool { return w.Why != approval.Elsewhere })
	switch {
	case count == 1 && elsewhere:
		return lang.L("“{{.Name}}” was changed by another program", map[string]any{"Name": name})
	case count == 1:
		return lang.L("“{{.Name}}” waits for your approval", map[string]any{"Name": name})
	case elsewhere:
		return lang.N("{{.Count}} servers were changed by another program", count, map[string]any{"Count": count})
	}
	return lang.N("{{.Count}} servers wait for your approval", count, map[string]any{"Count": count})
}

// WhyWaiting says in a sentence why a server waits.
func WhyWaiting(why approval.Reason) string {
	switch why {
	case approval.NewFile:
		return lang.L("You have approved nothing in this configuration file yet.")
	case approval.Returned:
		return lang.L("It came back with an older version of the file, where it was not approved.")
	case approval.NoRecord:
		return lang.L("What you had approved is missing or damaged, or belongs to another computer. Another program may have done that, so look at it once more.")
	}
	return lang.L("Another program wrote this into the configuration.")
}
