package consent

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Call returns the question whether a call of a tool may be made.
func Call(q *ipc.Asked) *Question {
	return &Question{
		Context: q.Context(),
		Refuse:  func() { q.Answer(status.Refuse) },
		Make: func() Content {
			app := live.ClientName(q.ClientID, q.Client)
			why := lang.L("The server does not say that this tool only reads, so it may change something.")
			if q.Destructive {
				why = lang.L("The server says that this tool deletes or overwrites something.")
			}
			return Content{
				Title: lang.L("{{.App}} wants to use {{.Tool}}", map[string]any{"App": app, "Tool": kit.Quote(q.Tool)}),
				Where: lang.L("Server {{.Server}} in toolbox {{.Toolbox}}",
					map[string]any{"Server": kit.Quote(q.Server), "Toolbox": kit.Quote(q.Toolbox)}),
				Why:   why,
				Label: lang.L("Sent to the tool"),
				Body:  readable(q.Arguments),
				Note: lang.L("“Allow once” runs this call. “Allow for an hour” also runs later calls of this tool of this "+
					"server, as long as {{.App}} runs. “Refuse” does not run it, and tells {{.App}} so. {{.App}} waits until "+
					"{{.Time}}.",
					map[string]any{"App": app, "Time": kit.Seconds(q.Until)}),
				Refuse: lang.L("Refuse"),
				Choices: []Choice{
					{lang.L("Allow for an hour"), func() { q.Answer(status.AllowHour) }},
					{lang.L("Allow once"), func() { q.Answer(status.AllowOnce) }},
				},
			}
		},
	}
}
