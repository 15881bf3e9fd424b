package live

import (
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// ClientLines returns a line for each known client that says whether it is connected, for the tray.
func ClientLines(now *model.Snapshot) []string {
	var lines []string
	for _, client := range now.Clients {
		lines = append(lines, clientLine(client, now))
	}
	return lines
}

func clientLine(client model.SeenClient, now *model.Snapshot) string {
	switch {
	case client.Here && client.Trouble == model.Silent:
		return lang.L("{{.Client}} — not responding", map[string]any{"Client": client.Name})
	case client.Here && client.Trouble == model.OtherVersion:
		return lang.L("{{.Client}} — runs another version of Workbench", map[string]any{"Client": client.Name})
	case client.Here:
		return lang.L("{{.Client}} — connected since {{.Time}}",
			map[string]any{"Client": client.Name, "Time": Clock(client.Since, now.Time)})
	}
	return lang.L("{{.Client}} — last seen {{.Time}}",
		map[string]any{"Client": client.Name, "Time": Clock(client.Last, now.Time)})
}

// LastClient returns a short text about the connected clients, or about the one that was connected last.
func LastClient(now *model.Snapshot) string {
	var here [3][]string // by trouble
	var last model.SeenClient
	for _, client := range now.Clients {
		if client.Here {
			here[client.Trouble] = append(here[client.Trouble], client.Name)
		} else if client.Last.After(last.Last) {
			last = client
		}
	}
	names := func(trouble model.Trouble) map[string]any {
		return map[string]any{"Clients": kit.SayList(here[trouble])}
	}
	var parts []string
	if len(here[model.Silent]) > 0 {
		parts = append(parts, lang.L("{{.Clients}}: not responding", names(model.Silent)))
	}
	if len(here[model.OtherVersion]) > 0 {
		parts = append(parts, lang.L("{{.Clients}}: another version of Workbench", names(model.OtherVersion)))
	}
	if len(here[model.NoTrouble]) > 0 {
		parts = append(parts, lang.L("{{.Clients}}: connected", names(model.NoTrouble)))
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, " · ")
	case last.Name != "":
		return lang.L("{{.Client}}: last seen {{.Time}}",
			map[string]any{"Client": last.Name, "Time": Clock(last.Last, now.Time)})
	}
	return ""
}
