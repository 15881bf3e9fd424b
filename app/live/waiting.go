package live

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
)

// ShortName returns the beginning of a name that another program may have chosen. A long name must not hide the text
// after it.
func ShortName(name string) string { return kit.Beginning(kit.Line(name), 20) }

// WaitingTitle returns a short text that says that servers wait for approval.
func WaitingTitle(waiting []approval.Waiting) string {
	if count := len(waiting); count != 1 {
		return lang.N("{{.Count}} servers wait for your approval", count, map[string]any{"Count": count})
	}
	return lang.L("“{{.Name}}” waits for your approval", map[string]any{"Name": ShortName(waiting[0].Server.Name)})
}

// ToApprove returns a short text that says that tools wait for approval.
func ToApprove(count int) string {
	return lang.N("{{.Count}} tools to approve", count, map[string]any{"Count": count})
}

// ChangedTools says that tools wait for approval.
func ChangedTools(count int) string {
	return lang.N("{{.Count}} new or changed tools wait for your approval.", count, map[string]any{"Count": count})
}

// ToolsOf says that tools of a server wait for approval.
func ToolsOf(server string, count int) string {
	return lang.N("{{.Count}} tools of “{{.Name}}” wait for your approval", count,
		map[string]any{"Count": count, "Name": ShortName(server)})
}

// WhyWaiting returns a sentence that says why a server waits for approval.
func WhyWaiting(why approval.Reason) string {
	switch why {
	case approval.Elsewhere:
		return lang.L("Another program wrote this into the configuration.")
	case approval.NoRecord:
		return lang.L("What you had approved is missing or damaged, or belongs to another computer. Another program may " +
			"have done that, so look at it once more.")
	}
	return lang.L("You have not approved this version yet.")
}
