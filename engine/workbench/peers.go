package workbench

import (
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// peer is what is known of a client application. The zero value of each field means unknown, and is safe.
type peer struct {
	id    string   // as in --client
	names []string // clientInfo.name, compared without regard to case

	// seen is the version that was run and the day of the run, "" where the program was not run; source then says where the
	// row comes from.
	seen, source string

	// dynamic: in a run with the real program, the client's next request to its model had the tools of a toolbox that was
	// just opened. Nothing less will do (contract.md, section 4).
	dynamic bool
	// pause is how long it takes to take up a list of tools, 0 for defaultPause.
	pause time.Duration
	// noHold: it asks for the tools only after it has the answer, but still before its next request to the model.
	noHold bool
	// limit is how much of an answer it shows its model; the zero value is unknown.
	limit limit
	// firstLine: it may show its model only the first line of the instructions.
	firstLine bool
	// nameBudget is how long a tool name may be beside the prefix that this client adds; 0: unknown.
	nameBudget int
}

// peers returns the clients that are known to differ from the careful default.
func peers() []peer {
	return []peer{
		{id: "claude-code", names: []string{"claude-code"}, seen: "2.1.330, 2026-11-22", dynamic: true,
			limit: limit{49_900, inCharacters}, nameBudget: 64 - len("mcp__workbench__")}, // beyond: a preview of 2,000
		{id: "gemini", names: []string{"gemini-cli-mcp-client"}, seen: "0.61.0, 2026-11-22", dynamic: true,
			pause: 500 * time.Millisecond,                                               // 200 were enough on a quiet machine, and in 7 of 9 runs on a busy one
			limit: limit{39_900, inCharacters}, nameBudget: 63 - len("mcp_workbench_")}, // beyond: the middle is taken out
		{id: "opencode", names: []string{"opencode"}, seen: "1.18.33, 2026-11-22", dynamic: true,
			limit: limit{51_000, inBytes}}, // beyond: whole lines are dropped, and ours is one
		{id: "copilot", names: []string{"copilot-cli", "github-copilot-developer"}, seen: "1.0.102, 2026-11-22", dynamic: true, noHold: true,
			limit: limit{20_400, inBytes}}, // beyond: a preview of 500 characters
		// The limit is for models that Codex does not know, others see 47,900; it takes out the middle.
		{id: "codex", names: []string{"codex-mcp-client"}, seen: "0.169.0, 2026-11-22",
			limit: limit{11_900, inBytes}, firstLine: true},
		// It never asks for the tools again, and takes the middle out of the whole result as JSON.
		{id: "cline", names: []string{"@cline/core", "Cline"}, seen: "3.0.65, 2026-11-22",
			limit: limit{7_900, inEscapedBytes}},
		{id: "continue", names: []string{"continue-cli-client"}, seen: "1.5.47, 2026-11-22",
			limit: limit{400_000, inBytes}}, // nothing was cut
		// Tools that come while a turn is under way are offered from the next message of the user on.
		{id: "vscode", names: []string{"Visual Studio Code"}, source: "github.com/microsoft/vscode/issues/303012, open", nameBudget: 64 - 18},
		{id: "vscode-insiders", names: []string{"Visual Studio Code - Insiders"}, source: "as Visual Studio Code", nameBudget: 64 - 18},
		// Each request takes the tools that it has (thread.rs, refresh_turn_tools). It does not wait for a list that it has asked
		// for. The hold should mend that, but nobody has seen it run.
		{id: "zed", names: []string{"Zed"}, source: "github.com/zed-industries/zed/issues/57473, open"},
	}
}

// findPeer returns what is known of the client: by the id that our registration wrote, which is
// certain, else by the name that it gives itself.
func findPeer(id, name string) peer {
	for _, p := range peers() {
		if id != "" {
			if p.id == id {
				return p
			}
			continue
		}
		for _, known := range p.names {
			if strings.EqualFold(known, name) {
				return p
			}
		}
	}
	return peer{}
}

func (p peer) budget() int {
	if p.nameBudget == 0 {
		return toolbox.DefaultNameBudget
	}
	return p.nameBudget
}

// settle is how long the client gets to take up a list that it was given.
func (p peer) settle() time.Duration {
	if p.pause == 0 {
		return defaultPause
	}
	return p.pause
}
