package live

import (
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
	case client.Here && client.Trouble != model.NoTrouble:
		return ToRestart(client.Name)
	case client.Here:
		return lang.L("{{.Client}} — connected since {{.Time}}",
			map[string]any{"Client": client.Name, "Time": Clock(client.Since, now.Time)})
	}
	return lang.L("{{.Client}} — last seen {{.Time}}",
		map[string]any{"Client": client.Name, "Time": Clock(client.Last, now.Time)})
}

// LastClient returns a short text about the connected clients, or about the one that was connected last.
func LastClient(now *model.Snapshot) string {
	var here, trouble []string
	var last model.SeenClient
	for _, client := range now.Clients {
		if client.Here {
			if client.Trouble == model.NoTrouble {
				here = append(here, client.Name)
			} else {
				trouble = append(trouble, client.Name)
			}
		} else if client.Last.After(last.Last) {
			last = client
		}
	}
	var parts []string
	if len(trouble) > 0 {
		parts = append(parts, ToRestart(kit.SayList(trouble)))
	}
	if len(here) > 0 {
		parts = append(parts, lang.L("{{.Clients}}: connected", map[string]any{"Clients": kit.SayList(here)}))
	}
	if len(parts) == 0 && last.Name != "" {
		return clientLine(last, now)
	}
	return kit.Facts(parts...)
}

// ToRestart says in a few words that clients must be started again.
func ToRestart(clients string) string {
	return lang.L("Please restart {{.Clients}}", map[string]any{"Clients": clients})
}
