package client

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/definition"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// table has a row for each client. It is static data: nothing is computed at start, and it must not be
// changed. If Seen and Source are empty, a row is based on the client's documentation, its source code and
// reports of its users, as of November 2026.
var table = [...]Client{
	{
		ID: "claude-desktop", Name: "Claude Desktop", Maker: "Anthropic",
		Session: Session{
			NewTools: ToolsIgnored, Instructions: No, Source: "reports of its users; claude.com/docs/connectors/building",
			Limit: Limit{40_000, Bytes}, // a careful value; its documentation says "~150,000 characters"
		},
		File: File{
			Places: []Location{
				{OS: "windows", Path: "{localappdata}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
					Marks: []string{"{localappdata}/Packages/Claude_*"},
					Also:  true, CopyOf: "{appdata}/Claude/claude_desktop_config.json", Says: "clients.file_store"},
				{OS: "windows", Path: "{appdata}/Claude/claude_desktop_config.json", Says: "clients.file_older_installer"},
				{OS: "windows", Path: "{localappdata}/Claude-3p/claude_desktop_config.json", Also: true,
					Says: "clients.file_provider"},
				{OS: "windows", Path: "{appdata}/Claude-3p/claude_desktop_config.json", Also: true, OnlyExisting: true,
					Says: "clients.file_older_provider"},
				{OS: "darwin", Path: "{support}/Claude/claude_desktop_config.json"},
				{OS: "darwin", Path: "{support}/Claude-3p/claude_desktop_config.json", Also: true, Says: "clients.file_provider"},
				{OS: "linux", Path: "{config}/Claude/claude_desktop_config.json"},
				{OS: "linux", Path: "{config}/Claude-3p/claude_desktop_config.json", Also: true, Says: "clients.file_provider"},
			},
			Format: JSON, Key: []string{"mcpServers"}, Shape: plain,
			Uptake: QuitFully, Rewriting: FromMemory,
			Programs: []Program{
				{OS: "windows", Name: "Claude", In: "/WindowsApps/Claude_"},
				{OS: "windows", Name: "Claude", In: "/AnthropicClaude/"},
				{OS: "darwin", Name: "Claude", In: "/Claude.app/"},
				{OS: "linux", Name: "claude-desktop"}, {OS: "linux", Name: "electron", In: "/claude-desktop/"},
			},
		},
		Managed: &Managed{
			Key: `SOFTWARE\Policies\Claude`, Domain: "com.anthropic.claudefordesktop",
			Settings: []Location{{OS: "linux", Path: "/etc/claude-desktop/managed-settings.json"}},
			Switches: []Switch{
				{"isLocalDevMcpEnabled", "clients.policy_local_servers"},
				{"isDesktopExtensionEnabled", "clients.policy_extensions"},
			},
		},
		Limits: []words.Code{
			"clients.ignores_new_tools",
			"clients.starts_often",
			"clients.prefix_counts",
		},
	},
	{
		ID: "claude-code", Name: "Claude Code", Maker: "Anthropic",
		Session: Session{
			ClientNames: []string{"claude-code"}, Seen: "2.1.332, 2026-11-28", NewTools: ToolsInTime, Instructions: Yes,
			Mends: definition.Combined | definition.Named | definition.Outdated,
			// it worked with 1.7 s, and not with 2.2 s
			Patience:   time.Second,
			CallLimit:  27 * time.Hour,            // according to its documentation: MCP_TOOL_TIMEOUT
			Limit:      Limit{49_900, Characters}, // above that: a preview of 2,000
			NameBudget: 64 - len("mcp__workbench__"),
		},
		File: File{
			Places: []Location{
				{Path: "{CLAUDE_CONFIG_DIR}/.claude.json"},
				{Path: "~/.claude.json", Marks: []string{"~/.claude.json", "~/.claude"}},
			},
			Format: JSON, Key: []string{"mcpServers"}, Shape: typed,
			Uptake: NewSession, Rewriting: FromMemory,
			ByHand:  "clients.by_hand",
			Command: "claude", Projects: "projects",
		},
		Managed: &Managed{
			Key: `SOFTWARE\Policies\ClaudeCode`, Blob: "Settings", Domain: "com.anthropic.claudecode", Lists: true,
			Settings: []Location{
				{OS: "windows", Path: "C:/Program Files/ClaudeCode/managed-settings.json"},
				{OS: "darwin", Path: "/Library/Application Support/ClaudeCode/managed-settings.json"},
				{OS: "linux", Path: "/etc/claude-code/managed-settings.json"},
			},
			Exclusive: []Location{
				{OS: "windows", Path: "C:/Program Files/ClaudeCode/managed-mcp.json"},
				{OS: "darwin", Path: "/Library/Application Support/ClaudeCode/managed-mcp.json"},
				{OS: "linux", Path: "/etc/claude-code/managed-mcp.json"},
			},
		},
		Limits: []words.Code{"clients.instructions_2kb"},
	},
	{
		ID: "cursor", Name: "Cursor",
		Session: Session{ClientNames: []string{"cursor-vscode"}, NewTools: ToolsClaimed, Source: "its documentation"},
		File: File{
			Places: []Location{{Path: "~/.cursor/mcp.json"}},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain, Uptake: Refresh,
		},
		Limits: []words.Code{
			"clients.names_60",
			"clients.first_page",
		},
	},
	{
		ID: "vscode", Name: "VS Code", Maker: "Microsoft",
		Session: Session{
			// Tools that are added during a turn are offered from the user's next message on.
			ClientNames: []string{"Visual Studio Code"}, NewTools: ToolsLate, Instructions: Yes,
			Source:     "its documentation; github.com/microsoft/vscode/issues/303012, open",
			NameBudget: 64 - vscodePrefix,
		},
		File: File{
			Places: []Location{
				{Path: "{code}/Code/User/mcp.json"},
				{Path: "{code}/Code/User/profiles/*/mcp.json", Also: true, OnlyExisting: true, Says: "clients.file_profile"},
			},
			Sandboxes: []Sandbox{{Flatpak: "com.visualstudio.code", Inside: true}, {Snap: "code"}},
			Format:    JSONC, Key: []string{"servers"}, Shape: typed, Uptake: AtOnce,
			Trust: "clients.asks_trust",
		},
		Limits: []words.Code{"clients.prefix_counts", "clients.finds_claude_desktop"},
	},
	{
		ID: "vscode-insiders", Name: "VS Code Insiders", Maker: "Microsoft",
		Session: Session{
			// Tools that are added during a turn are offered from the user's next message on.
			ClientNames: []string{"Visual Studio Code - Insiders"}, NewTools: ToolsLate, Instructions: Yes,
			Source:     "its documentation; github.com/microsoft/vscode/issues/303012, open",
			NameBudget: 64 - vscodePrefix,
		},
		File: File{
			Places: []Location{
				{Path: "{code}/Code - Insiders/User/mcp.json"},
				{Path: "{code}/Code - Insiders/User/profiles/*/mcp.json", Also: true, OnlyExisting: true,
					Says: "clients.file_profile"},
			},
			Sandboxes: []Sandbox{{Flatpak: "com.visualstudio.code.insiders", Inside: true}, {Snap: "code-insiders"}},
			Format:    JSONC, Key: []string{"servers"}, Shape: typed, Uptake: AtOnce,
			Trust: "clients.asks_trust",
		},
		Limits: []words.Code{"clients.prefix_counts", "clients.finds_claude_desktop"},
	},
	{
		// The part of VS Code that runs where the files are: in WSL, or on another computer that is reached by SSH. The
		// window is elsewhere, reads this file through it, and has the servers started here.
		ID: "vscode-server", Name: "VS Code Server", Maker: "Microsoft",
		Session: Session{
			NewTools: ToolsLate, Instructions: Yes,
			Source: "its source (serverEnvironmentService.ts), github.com/microsoft/vscode/issues/256546 and " +
				"github.com/coder/code-server, patches/local-storage.diff",
			NameBudget: 64 - 18,
		},
		File: File{
			Places: []Location{
				{Path: "~/.vscode-server/data/User/mcp.json", Also: true},
				{Path: "~/.vscode-server-insiders/data/User/mcp.json", Also: true},
				{OS: "linux", Path: "~/.local/share/code-server/User/mcp.json", Also: true},
			},
			Format: JSONC, Key: []string{"servers"}, Shape: typed, Uptake: AtOnce,
			Trust: "clients.asks_trust",
		},
		Limits: []words.Code{"clients.prefix_counts"},
	},
	{
		ID: "vscodium", Name: "VSCodium",
		Session: Session{ClientNames: []string{"VSCodium"}, NewTools: ToolsLate, Instructions: Yes,
			Source: "it is built from the source of VS Code", NameBudget: 64 - vscodePrefix},
		File: File{
			Places: []Location{
				{Path: "{code}/VSCodium/User/mcp.json", Also: true},
				{Path: "{code}/VSCodium/User/profiles/*/mcp.json", Also: true, OnlyExisting: true, Says: "clients.file_profile"},
				{Path: "{code}/VSCodium - Insiders/User/mcp.json", Also: true},
				{Path: "{code}/Code - OSS/User/mcp.json", Also: true}, // built by others from the same source
			},
			Sandboxes: []Sandbox{{Flatpak: "com.vscodium.codium", Inside: true},
				{Flatpak: "com.vscodium.codium-insiders", Inside: true}, {Flatpak: "com.visualstudio.code-oss", Inside: true},
				{Snap: "codium"}},
			Format: JSONC, Key: []string{"servers"}, Shape: typed, Uptake: AtOnce,
			Trust: "clients.asks_trust",
		},
		Limits: []words.Code{"clients.prefix_counts", "clients.finds_claude_desktop"},
	},
	{
		ID: "windsurf", Name: "Windsurf (Devin Desktop)",
		Session: Session{ClientNames: []string{"windsurf-client"}, NewTools: ToolsClaimed, Source: "its documentation"},
		File: File{
			Places: []Location{
				{OS: "windows", Path: "{appdata}/devin/mcp_config.json", Also: true, Says: "clients.file_devin"},
				{OS: "darwin", Path: "~/.config/devin/mcp_config.json", Also: true, Says: "clients.file_devin"},
				{OS: "linux", Path: "{config}/devin/mcp_config.json", Also: true, Says: "clients.file_devin"},
				{Path: "~/.codeium/windsurf/mcp_config.json", Also: true, Says: "clients.file_windsurf"},
			},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain, Uptake: Refresh,
		},
		Limits: []words.Code{"clients.tools_100"},
	},
	{
		ID: "zed", Name: "Zed",
		// Each request uses the tools that it has (thread.rs, refresh_turn_tools). It does not wait for a
		// list that was requested. Holding the answer should make up for that, but this was not observed.
		Session: Session{ClientNames: []string{"Zed"}, NewTools: ToolsLate,
			Source: "its source; github.com/zed-industries/zed/issues/57473, open"},
		File: File{
			Places: []Location{
				{OS: "windows", Path: "{appdata}/Zed/settings.json"},
				{OS: "darwin", Path: "~/.config/zed/settings.json"},
				{OS: "linux", Path: "{config}/zed/settings.json"},
			},
			// Its Flatpak leaves the sandbox when it starts.
			Sandboxes: []Sandbox{{Flatpak: "dev.zed.Zed"}, {Flatpak: "dev.zed.Zed-Preview"}, {Snap: "zed"}},
			Format:    JSONC, Key: []string{"context_servers"},
			Shape:  []Field{{"source", "custom"}, {"command", SlotCommand}, {"args", SlotArgs}},
			Uptake: AtOnce,
		},
	},
	{
		ID: "cline", Name: "Cline",
		Session: Session{
			ClientNames: []string{"@cline/core", "Cline"}, Seen: "3.0.65, 2026-11-23", NewTools: ToolsIgnored, Instructions: No,
			Limit: Limit{7_900, EscapedBytes}, // above that: the middle of the whole result, as JSON, is removed
		},
		File: File{
			Places: []Location{
				{Path: "{CLINE_MCP_SETTINGS_PATH}"},
				{Path: "{CLINE_DIR}/data/settings/cline_mcp_settings.json"},
				{Path: "~/.cline/data/settings/cline_mcp_settings.json", Marks: []string{"~/.cline"}},
				{Path: "{code}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
					OnlyExisting: true, Says: "clients.file_older"},
				{Path: "{code}/Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
					OnlyExisting: true, Says: "clients.file_older_cursor"},
			},
			Format: JSON, Key: []string{"mcpServers"}, Shape: plain, Uptake: AtOnce,
		},
		Limits: []words.Code{"clients.ignores_new_tools", "clients.names_64"},
	},
	{
		ID: "continue", Name: "Continue",
		Session: Session{
			ClientNames: []string{"continue-cli-client"}, Seen: "1.5.47, 2026-11-23", NewTools: ToolsIgnored, Instructions: No,
			Limit: Limit{400_000, Bytes}, // nothing was cut at this size
		},
		File: File{
			Places: []Location{
				{Path: "{CONTINUE_GLOBAL_DIR}/config.yaml", Instead: "{CONTINUE_GLOBAL_DIR}/config.json"},
				{Path: "~/.continue/config.yaml", Instead: "~/.continue/config.json"},
			},
			Format: YAML, Key: []string{"mcpServers"}, Named: "name",
			Shape: []Field{{"name", SlotName}, {"command", SlotCommand}, {"args", SlotArgs}},
			Head:  "name: Main Config\nversion: 1.0.0\nschema: v1\n",
			Former: []File{{ // the files of single servers, which its extensions read and its program "cn" does not
				Places: []Location{
					{Path: "{CONTINUE_GLOBAL_DIR}/mcpServers/*.json", Also: true, OnlyExisting: true},
					{Path: "~/.continue/mcpServers/*.json", Also: true, OnlyExisting: true},
				},
				Format: JSONC, Key: []string{"mcpServers"}, Shape: plain,
			}},
			Imports: []File{{
				Places: []Location{
					{Path: "~/.continue/mcpServers/*.yaml", Also: true, OnlyExisting: true},
					{Path: "~/.continue/mcpServers/*.yml", Also: true, OnlyExisting: true},
				},
				Format: YAML, Key: []string{"mcpServers"}, Named: "name",
			}},
			Uptake: NewSession,
		},
		Limits: []words.Code{"clients.ignores_new_tools"},
	},
	{
		ID: "codex", Name: "Codex",
		Session: Session{
			ClientNames: []string{"codex-mcp-client"}, Seen: "0.171.0, 2026-11-28", NewTools: ToolsIgnored, Instructions: Yes,
			FirstLine: true,
			Mends:     definition.Outdated,
			Patience:  500 * time.Millisecond, // it worked with 0.7 s, and not with 1 s
			// above that: the middle is removed. This is for models that it does not know; others see 47,900
			Limit:     Limit{11_900, Bytes},
			CallLimit: 5 * time.Minute,
			// Its library (rmcp) reads lines of any length.
			MaxMessage: 64 << 20,
		},
		File: File{
			Places: []Location{{Path: "{CODEX_HOME}/config.toml"}, {Path: "~/.codex/config.toml"}},
			Format: TOML, Key: []string{"mcp_servers"}, Shape: plain, Uptake: NewSession,
		},
		Limits: []words.Code{
			"clients.ignores_new_tools",
			"clients.instructions_512",
			"clients.call_5_minutes",
		},
	},
	{
		ID: "gemini", Name: "Gemini CLI", Maker: "Google",
		Session: Session{
			ClientNames: []string{"gemini-cli-mcp-client"}, Seen: "0.61.0, 2026-11-23", NewTools: ToolsInTime, Instructions: Yes,
			// 200 ms were enough on a quiet machine, and in 7 of 9 runs on a busy one
			Pause:      500 * time.Millisecond,
			Limit:      Limit{39_900, Characters}, // above that: the middle is removed
			NameBudget: 63 - len("mcp_workbench_"),
		},
		File: File{
			Places: []Location{{Path: "~/.gemini/settings.json"}},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain, Uptake: NewSession,
			// This is the case in a folder that ~/.gemini/trustedFolders.json does not mention, or mentions
			// with DO_NOT_TRUST (0.61.0).
			Trust: "clients.untrusted",
		},
		Limits: []words.Code{"clients.untrusted", "clients.names_63"},
	},
	{
		ID: "qwen", Name: "Qwen Code",
		Session: Session{
			ClientNames: []string{"qwen-cli-mcp-client-*"}, Seen: "0.24.4, 2026-11-28", NewTools: ToolsIgnored, Instructions: Yes,
			Limit:     Limit{27_900, Characters}, // above that: a preview of 2,000
			CallLimit: 10 * time.Minute,          // according to its source
		},
		File: File{
			Places: []Location{{Path: "{QWEN_HOME}/settings.json"}, {Path: "~/.qwen/settings.json"}},
			Format: JSONC, Key: []string{"mcpServers"},
			// Without the last member it finds our tools by a search first, which costs six requests.
			Shape:  []Field{{"command", SlotCommand}, {"args", SlotArgs}, {"alwaysLoadTools", true}},
			Uptake: NewSession,
		},
		Limits: []words.Code{"clients.ignores_new_tools"},
	},
	{
		ID: "antigravity", Name: "Antigravity", Maker: "Google",
		Session: Session{ClientNames: []string{"antigravity-client"}},
		File: File{
			Places: []Location{
				{Path: "~/.gemini/config/mcp_config.json"},
				{Path: "~/.gemini/antigravity/mcp_config.json", OnlyExisting: true, Says: "clients.file_older"},
			},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain, Uptake: Refresh,
		},
	},
	{
		ID: "goose", Name: "Goose",
		Session: Session{ClientNames: []string{"goose"}, Instructions: Yes, Source: "its source and issues",
			CallLimit: 5 * time.Minute}, // our entry sets it
		File: File{
			Places: []Location{
				{OS: "windows", Path: "{appdata}/Block/goose/config/config.yaml"},
				{OS: "darwin", Path: "~/.config/goose/config.yaml"},
				{OS: "linux", Path: "{config}/goose/config.yaml"},
			},
			Format: YAML, Key: []string{"extensions"},
			Shape: []Field{
				{"enabled", true}, {"type", "stdio"}, {"name", SlotName}, {"cmd", SlotCommand}, {"args", SlotArgs},
				{"envs", Object{}}, {"timeout", 300},
			},
			Uptake: NewSession, Rewriting: Reflows,
		},
	},
	{
		ID: "lmstudio", Name: "LM Studio",
		Session: Session{ClientNames: []string{"lmstudio-mcp-bridge"}},
		File: File{
			Places: []Location{
				{Path: "~/.lmstudio/mcp.json"},
				{Path: "~/.cache/lm-studio/mcp.json", OnlyExisting: true, Says: "clients.file_older"},
			},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain, Uptake: Refresh,
		},
	},
	{
		ID: "jetbrains", Name: "JetBrains AI Assistant",
		File: File{
			Places: []Location{
				{OS: "windows", Path: "~/.ai/mcp/mcp.json", Marks: []string{"~/.ai/mcp", "{appdata}/JetBrains"}},
				{OS: "darwin", Path: "~/.ai/mcp/mcp.json", Marks: []string{"~/.ai/mcp", "{support}/JetBrains"}},
				{OS: "linux", Path: "~/.ai/mcp/mcp.json", Marks: []string{"~/.ai/mcp", "{config}/JetBrains"}},
			},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain, Uptake: QuitFully,
		},
		Limits: []words.Code{"clients.since_2025_3"},
	},
	{
		ID: "junie", Name: "Junie",
		File: File{
			Places: []Location{{Path: "~/.junie/mcp/mcp.json", Marks: []string{"~/.junie"}}},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain, Uptake: NewSession,
		},
	},
	{
		ID: "copilot", Name: "Copilot CLI",
		Session: Session{
			ClientNames: []string{"copilot-cli", "github-copilot-developer"}, Seen: "1.0.102, 2026-11-23", NewTools: ToolsInTime,
			Instructions: No, Pause: NoWait,
			Mends: definition.Combined | definition.Outdated,
			Limit: Limit{20_400, Bytes}, // above that: a preview of 500 characters
		},
		File: File{
			Places: []Location{{Path: "~/.copilot/mcp-config.json"}},
			Format: JSONC, Key: []string{"mcpServers"},
			Shape:  []Field{{"type", "local"}, {"command", SlotCommand}, {"args", SlotArgs}, {"tools", []string{"*"}}},
			Uptake: NewSession,
		},
	},
	{
		ID: "copilot-jetbrains", Name: "Copilot in JetBrains",
		File: File{
			Places: []Location{
				{OS: "windows", Path: "{localappdata}/github-copilot/intellij/mcp.json"},
				{OS: "darwin", Path: "~/.config/github-copilot/intellij/mcp.json"},
				{OS: "linux", Path: "{config}/github-copilot/intellij/mcp.json"},
			},
			Sandboxes: []Sandbox{{Flatpak: "com.jetbrains.*", Inside: true},
				{Flatpak: "com.google.AndroidStudio", Inside: true}},
			Format: JSONC, Key: []string{"servers"}, Shape: plain, Uptake: Refresh,
		},
	},
	{
		ID: "kiro", Name: "Kiro",
		Session: Session{NewTools: ToolsIgnored, Source: "github.com/kirodotdev/Kiro, issues"},
		File: File{
			Places: []Location{{Path: "~/.kiro/settings/mcp.json", Marks: []string{"~/.kiro"}}},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain, Uptake: AtOnce,
		},
		Limits: []words.Code{"clients.kiro_cli"},
	},
	{
		ID: "opencode", Name: "opencode",
		Session: Session{
			ClientNames: []string{"opencode"}, Seen: "1.18.33, 2026-11-23", NewTools: ToolsInTime, Instructions: Yes,
			Limit: Limit{51_000, Bytes}, // above that: whole lines are dropped, and our answer is one line
		},
		File: File{
			Places: []Location{
				{OS: "windows", Path: "~/.config/opencode/opencode.jsonc", OnlyExisting: true},
				{OS: "windows", Path: "~/.config/opencode/opencode.json"},
				{OS: "darwin", Path: "~/.config/opencode/opencode.jsonc", OnlyExisting: true},
				{OS: "darwin", Path: "~/.config/opencode/opencode.json"},
				{OS: "linux", Path: "{config}/opencode/opencode.jsonc", OnlyExisting: true},
				{OS: "linux", Path: "{config}/opencode/opencode.json"},
				{Path: "{OPENCODE2_CONFIG_DIR}/opencode.jsonc", Also: true, OnlyExisting: true, Newer: true,
					Says: "clients.file_opencode2"},
				{Path: "{OPENCODE2_CONFIG_DIR}/opencode.json", Also: true, CopyOf: "{OPENCODE2_CONFIG_DIR}/opencode.jsonc",
					Newer: true, Says: "clients.file_opencode2"},
				{OS: "windows", Path: "~/.config/opencode2/opencode.jsonc", Also: true, OnlyExisting: true, Newer: true,
					Says: "clients.file_opencode2"},
				{OS: "windows", Path: "~/.config/opencode2/opencode.json", Also: true,
					CopyOf: "~/.config/opencode2/opencode.jsonc", Newer: true, Says: "clients.file_opencode2"},
				{OS: "darwin", Path: "~/.config/opencode2/opencode.jsonc", Also: true, OnlyExisting: true, Newer: true,
					Says: "clients.file_opencode2"},
				{OS: "darwin", Path: "~/.config/opencode2/opencode.json", Also: true, CopyOf: "~/.config/opencode2/opencode.jsonc",
					Newer: true, Says: "clients.file_opencode2"},
				{OS: "linux", Path: "{config}/opencode2/opencode.jsonc", Also: true, OnlyExisting: true, Newer: true,
					Says: "clients.file_opencode2"},
				{OS: "linux", Path: "{config}/opencode2/opencode.json", Also: true, CopyOf: "{config}/opencode2/opencode.jsonc",
					Newer: true, Says: "clients.file_opencode2"},
			},
			Format: JSONC, Key: []string{"mcp"}, Shape: asOpencode, Uptake: NewSession,
			Newer: &File{Key: []string{"mcp", "servers"}, Shape: []Field{{"type", "local"}, {"command", SlotLine}}},
		},
	},
	{
		ID: "kilo", Name: "Kilo Code",
		Session: Session{
			ClientNames: []string{"kilo"}, Seen: "7.7.9, 2026-11-28", NewTools: ToolsInTime, Instructions: Yes,
			Limit: Limit{51_000, Bytes}, // above that: as opencode
		},
		File: File{
			Places: []Location{
				{OS: "windows", Path: "~/.config/kilo/kilo.jsonc", OnlyExisting: true},
				{OS: "windows", Path: "~/.config/kilo/kilo.json"},
				{OS: "darwin", Path: "~/.config/kilo/kilo.jsonc", OnlyExisting: true},
				{OS: "darwin", Path: "~/.config/kilo/kilo.json"},
				{OS: "linux", Path: "{config}/kilo/kilo.jsonc", OnlyExisting: true},
				{OS: "linux", Path: "{config}/kilo/kilo.json"},
			},
			Format: JSONC, Key: []string{"mcp"}, Shape: asOpencode,
			Imports: []File{{ // of its extension before version 7
				Places: []Location{
					{Path: "{code}/Code/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json", Also: true,
						OnlyExisting: true},
					{Path: "{code}/Cursor/User/globalStorage/kilocode.kilo-code/settings/mcp_settings.json", Also: true,
						OnlyExisting: true},
				},
				Format: JSONC, Key: []string{"mcpServers"},
			}},
			Uptake: NewSession,
		},
	},
	{
		ID: "kimi", Name: "Kimi Code",
		Session: Session{
			ClientNames: []string{"kimi-code"}, Seen: "2.1.0, 2026-11-28", NewTools: ToolsIgnored, Instructions: No,
			Limit: Limit{49_900, Characters}, // above that: a preview of 2,000
		},
		File: File{
			Places: []Location{{Path: "{KIMI_CODE_HOME}/mcp.json"}, {Path: "~/.kimi-code/mcp.json"}},
			Format: JSON, Key: []string{"mcpServers"}, Shape: plain, Uptake: NewSession,
		},
		Limits: []words.Code{"clients.ignores_new_tools"},
	},
	{
		ID: "warp", Name: "Warp",
		Session: Session{NewTools: ToolsClaimed, Source: "its documentation"},
		File: File{
			Places: []Location{{Path: "~/.warp/.mcp.json"}},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain, Uptake: AtOnce,
		},
		Limits: []words.Code{"clients.finds_entries"},
	},
}

// vscodePrefix is the length of the longest prefix that VS Code puts before the name of a tool (McpToolName in its
// source).
const vscodePrefix = 18

// retired are apps that are no longer developed. Their servers can be imported, but they cannot be connected.
var retired = [...]Client{
	{
		ID: "roo", Name: "Roo Code",
		File: File{
			Places: []Location{
				{Path: "{code}/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json", Also: true,
					OnlyExisting: true},
				{Path: "{code}/Cursor/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json", Also: true,
					OnlyExisting: true},
			},
			Format: JSONC, Key: []string{"mcpServers"},
		},
	},
	{
		ID: "amazonq", Name: "Amazon Q CLI",
		File: File{
			Places: []Location{{Path: "~/.aws/amazonq/mcp.json", Also: true, OnlyExisting: true}},
			Format: JSONC, Key: []string{"mcpServers"},
		},
	},
}

// plain is the form of entries that most clients share; typed is that of VS Code and related editors, and
// asOpencode that of opencode and what is made from it.
var (
	plain = []Field{{"command", SlotCommand}, {"args", SlotArgs}}
	typed = []Field{{"type", "stdio"}, {"command", SlotCommand}, {"args", SlotArgs}}

	asOpencode = []Field{{"type", "local"}, {"command", SlotLine}, {"enabled", true}}
)
