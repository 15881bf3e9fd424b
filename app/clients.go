package app

import (
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/live"
)

// clientLines says of each client that was seen whether it is there, for the tray.
func clientLines(now *moment) []string {
	var lines []string
	for _, client := range now.clients {
		lines = append(lines, clientLine(client, now))
	}
	return lines
}

func clientLine(client seen, now *moment) string {
	if client.Here {
		return lang.L("{{.Client}} — connected since {{.Time}}", map[string]any{"Client": client.Name, "Time": live.Clock(client.Since, now.time)})
	}
	return lang.L("{{.Client}} — last seen {{.Time}}", map[string]any{"Client": client.Name, "Time": live.Clock(client.Last, now.time)})
}

// lastClient says in a few words who uses the toolboxes, or who did last.
func lastClient(now *moment) string {
	var here []string
	var last seen
	for _, client := range now.clients {
		if client.Here {
			here = append(here, client.Name)
		} else if client.Last.After(last.Last) {
			last = client
		}
	}
	switch {
	case len(here) > 0:
		return lang.L("{{.Clients}}: connected", map[string]any{"Clients": strings.Join(here, ", ")})
	case last.Name != "":
		return lang.L("{{.Client}}: last seen {{.Time}}", map[string]any{"Client": last.Name, "Time": live.Clock(last.Last, now.time)})
	}
	return ""
}
