package live

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
)

// ShortName returns the beginning of a name that another program may have chosen. A long name must not hide the text
// after it.
func ShortName(name string) string { return kit.Beginning(kit.Line(name), 20) }

// WaitingTitle returns a short text that says that servers wait for approval.
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

// ToApprove returns a short text that says that tools wait for approval.
func ToApprove(count int) string {
	return lang.N("{{.Count}} tools to approve", count, map[string]any{"Count": count})
}

// Forgotten returns a text that says that tools wait for approval because the file with their earlier definitions is
// damaged.
func Forgotten(count int) string {
	return lang.N("The record of its tools is damaged. {{.Count}} tools wait for your approval.", count,
		map[string]any{"Count": count})
}

// WhyWaiting returns a sentence that says why a server waits for approval.
func WhyWaiting(why approval.Reason) string {
	switch why {
	case approval.NewFile:
		return lang.L("You have approved nothing in this configuration file yet.")
	case approval.Returned:
		return lang.L("It came back with an older version of the file, where it was not approved.")
	case approval.NoRecord:
		return lang.L("What you had approved is missing or damaged, or belongs to another computer. Another program may " +
			"have done that, so look at it once more.")
	}
	return lang.L("Another program wrote this into the configuration.")
}
