package live

import (
	"strings"

	"fyne.io/fyne/v2/lang"
)

// ClientName gives an engine's client in words for people: by the ID that registration wrote, else by what the client calls
// itself in its greeting. A client of which nothing is known yet is "an AI app".
func ClientName(id, name string) string {
	for _, word := range []string{id, name} {
		if known := knownClient(strings.ToLower(strings.TrimSpace(word))); known != "" {
			return known
		}
	}
	for _, word := range []string{name, id} {
		if word = strings.TrimSpace(word); word != "" {
			return word
		}
	}
	return lang.L("an AI app")
}

// knownClient gives the name of a client in its maker's spelling. Both kinds of words are here: our IDs, and those that the
// clients are known to greet with.
func knownClient(word string) string {
	switch word {
	case "claude-desktop":
		return "Claude Desktop"
	case "claude-ai": // Claude Desktop greets so, and so does Claude in a browser
		return "Claude"
	case "claude-code":
		return "Claude Code"
	case "cursor", "cursor-vscode":
		return "Cursor"
	case "vscode", "vs-code", "visual studio code":
		return "VS Code"
	case "vscode-insiders", "visual studio code - insiders":
		return "VS Code Insiders"
	case "copilot-cli", "github-copilot-developer":
		return "Copilot CLI"
	case "windsurf", "windsurf-client":
		return "Windsurf"
	case "zed":
		return "Zed"
	case "cline":
		return "Cline"
	case "roo", "roo-code":
		return "Roo Code"
	case "continue", "continue-cli-client":
		return "Continue"
	case "codex", "codex-mcp-client":
		return "Codex"
	case "gemini", "gemini-cli", "gemini-cli-mcp-client":
		return "Gemini CLI"
	case "antigravity", "antigravity-client":
		return "Antigravity"
	case "goose":
		return "Goose"
	case "lm-studio", "lmstudio", "lmstudio-mcp-bridge":
		return "LM Studio"
	case "jetbrains":
		return "JetBrains"
	case "kiro":
		return "Kiro"
	case "opencode":
		return "opencode"
	case "warp":
		return "Warp"
	case "inspector-client", "mcp-inspector":
		return "MCP Inspector"
	case "workbench":
		return "Workbench"
	}
	return ""
}
