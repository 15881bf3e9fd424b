package consent

import (
	"cmp"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Call returns the question whether a call of a tool may be made.
func Call(q *ipc.Asked) Question { return call{q} }

type call struct{ *ipc.Asked }

func (q call) Content() Content {
	app := live.ClientName(q.ClientID, q.Client)
	content := Content{
		Title: lang.L("{{.App}} wants to use {{.Tool}}",
			map[string]any{"App": app, "Tool": kit.Quote(cmp.Or(q.Title, q.Tool))}),
		Where: lang.L("For the tool {{.Tool}} of the server {{.Server}} in the toolbox {{.Toolbox}}", map[string]any{
			"Tool": kit.Quote(q.Tool), "Server": kit.Quote(q.Server), "Toolbox": kit.Quote(q.Toolbox)}),
		Why:  lang.L("The server does not say that this tool only reads, so it may change something."),
		Form: fieldsOf(q.Arguments), Until: q.Until,
		Note: lang.L("An hour is for this tool only, as long as {{.App}} runs.",
			map[string]any{"App": app}),
		Missed: lang.L("{{.Tool}}, {{.Time}}: {{.App}} went on without it.",
			map[string]any{"App": app, "Tool": cmp.Or(q.Title, q.Tool), "Time": kit.Clock(q.Until)}),
		Refuse: lang.L("Refuse"),
		Choices: []Choice{
			{lang.L("Allow for an hour"), status.AllowHour},
			{lang.L("Allow once"), status.AllowOnce},
		},
	}
	if q.Destructive {
		content.Why = lang.L("The server says that this tool deletes or overwrites something.")
	}
	if q.Says != "" {
		content.Says = lang.L("The server describes it: {{.Words}}", map[string]any{"Words": kit.Quote(q.Says)})
	}
	return content
}
