package clients

// plain is the shape that most clients share.
func plain() Shape {
	return Shape{[]Field{{"command", SlotCommand}, {"args", SlotArgs}}}
}

// typed is that of VS Code and its relatives.
func typed() Shape {
	return Shape{[]Field{{"type", "stdio"}, {"command", SlotCommand}, {"args", SlotArgs}}}
}

// All returns the table of the clients. What it says comes from their documentation, their source and the reports of their users, as of
// November 2026. Whether tools may come and go was seen with the real programs of Claude Code, Cline, Codex, Copilot CLI, Gemini CLI and opencode; for VS Code
// it is in its source and documentation, for Zed in its pull request 42453, for Windsurf and Warp in the list of clients that was part of the
// protocol's documentation until May 2026.
func All() []Client {
	return []Client{
		{
			ID: "claude-desktop", Name: "Claude Desktop",
			Maker: "Anthropic",
			Places: []Place{
				{OS: "windows", Path: "{localappdata}/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json", Marks: []string{"{localappdata}/Packages/Claude_*"},
					Also: true, CopyOf: "{appdata}/Claude/claude_desktop_config.json", Says: "the file of Claude Desktop from the Microsoft Store or the current installer"},
				{OS: "windows", Path: "{appdata}/Claude/claude_desktop_config.json", Says: "the file of Claude Desktop from the older installer"},
				{OS: "windows", Path: "{localappdata}/Claude-3p/claude_desktop_config.json", Also: true, Says: "the file of Claude Desktop with a provider of your organisation"},
				{OS: "windows", Path: "{appdata}/Claude-3p/claude_desktop_config.json", Also: true, OnlyExisting: true, Says: "the file of older versions with a provider of your organisation"},
				{OS: "darwin", Path: "{support}/Claude/claude_desktop_config.json"},
				{OS: "darwin", Path: "{support}/Claude-3p/claude_desktop_config.json", Also: true, Says: "the file of Claude Desktop with a provider of your organisation"},
				{OS: "linux", Path: "{config}/Claude/claude_desktop_config.json"},
				{OS: "linux", Path: "{config}/Claude-3p/claude_desktop_config.json", Also: true, Says: "the file of Claude Desktop with a provider of your organisation"},
			},
			Format: JSON, Key: []string{"mcpServers"}, Shape: plain(),
			Uptake: QuitFully, Rewriting: FromMemory,
			Programs: []Program{
				{OS: "windows", Name: "Claude", In: "/WindowsApps/Claude_"}, {OS: "windows", Name: "Claude", In: "/AnthropicClaude/"},
				{OS: "darwin", Name: "Claude", In: "/Claude.app/"},
				{OS: "linux", Name: "claude-desktop"}, {OS: "linux", Name: "electron", In: "/claude-desktop/"},
			},
			ListChanged: No, Instructions: No,
			Limits: []string{
				"It does not notice new tools while it runs, so Workbench gives it fixed ones.",
				"It starts every server twice; that is harmless.",
				"It allows 64 characters for the name of a tool, what it puts before it included.",
			},
			Managed: &Managed{
				Key: `SOFTWARE\Policies\Claude`, Domain: "com.anthropic.claudefordesktop",
				Settings: []Place{{OS: "linux", Path: "/etc/claude-desktop/managed-settings.json"}},
				Switches: []Switch{
					{"isLocalDevMcpEnabled", "local servers in %[1]s (policy %[2]s). Workbench can be put into its file, but %[1]s will probably not start it"},
					{"isDesktopExtensionEnabled", "extensions in %[1]s (policy %[2]s). The extension file of Workbench cannot be installed there"},
				},
			},
		},
		{
			ID: "claude-code", Name: "Claude Code",
			Greetings: []string{"claude-code"}, Maker: "Anthropic",
			Places: []Place{
				{Path: "{CLAUDE_CONFIG_DIR}/.claude.json"},
				{Path: "~/.claude.json", Marks: []string{"~/.claude.json", "~/.claude"}},
			},
			Format: JSON, Key: []string{"mcpServers"}, Shape: typed(),
			Uptake: NewSession, Rewriting: FromMemory,
			ListChanged: Yes, Instructions: Yes,
			Limits: []string{"It shows the AI only the first 2 kB of what a server says about itself."},
			ByHand: "Claude Code writes its file all the time, so an edit from outside can be lost; its own command is safe.", Command: "claude", Projects: "projects",
			Managed: &Managed{
				Key: `SOFTWARE\Policies\ClaudeCode`, Blob: "Settings", Domain: "com.anthropic.claudecode", Lists: true,
				Settings:  claudeCode("managed-settings.json"),
				Exclusive: claudeCode("managed-mcp.json"),
			},
		},
		{
			ID: "cursor", Name: "Cursor",
			Greetings: []string{"cursor-vscode"},
			Places:    []Place{{Path: "~/.cursor/mcp.json"}},
			Format:    JSONC, Key: []string{"mcpServers"}, Shape: plain(),
			Uptake: Refresh, ListChanged: Unknown, Instructions: Unknown,
			Limits: []string{
				"It leaves out tools whose name and server name together have more than 60 characters.",
				"It may read only the first page of a long list of tools.",
			},
		},
		vscode("vscode", "VS Code", "Visual Studio Code", "Code"),
		vscode("vscode-insiders", "VS Code Insiders", "Visual Studio Code - Insiders", "Code - Insiders"),
		{
			ID: "windsurf", Name: "Windsurf (Devin Desktop)",
			Greetings: []string{"windsurf-client"},
			Places: []Place{
				{OS: "windows", Path: "{appdata}/devin/mcp_config.json", Also: true, Says: "the file of Devin Desktop"},
				{OS: "darwin", Path: "~/.config/devin/mcp_config.json", Also: true, Says: "the file of Devin Desktop"},
				{OS: "linux", Path: "{config}/devin/mcp_config.json", Also: true, Says: "the file of Devin Desktop"},
				{Path: "~/.codeium/windsurf/mcp_config.json", Also: true, Says: "the file of Windsurf"},
			},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain(),
			Uptake: Refresh, ListChanged: Yes, Instructions: Unknown,
			Limits: []string{"It takes 100 tools at most, those of all servers together."},
		},
		{
			ID: "zed", Name: "Zed",
			Greetings: []string{"Zed"},
			Places: []Place{
				{OS: "windows", Path: "{appdata}/Zed/settings.json"},
				{OS: "darwin", Path: "~/.config/zed/settings.json"},
				{OS: "linux", Path: "{config}/zed/settings.json"},
			},
			Format: JSONC, Key: []string{"context_servers"},
			Shape:  Shape{[]Field{{"source", "custom"}, {"command", SlotCommand}, {"args", SlotArgs}}},
			Uptake: AtOnce, ListChanged: Yes, Instructions: Unknown,
		},
		{
			ID: "cline", Name: "Cline",
			Greetings: []string{"Cline"},
			Places: []Place{
				{Path: "{CLINE_MCP_SETTINGS_PATH}"},
				{Path: "{CLINE_DIR}/data/settings/cline_mcp_settings.json"},
				{Path: "~/.cline/data/settings/cline_mcp_settings.json", Marks: []string{"~/.cline"}},
				{Path: "{code}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", OnlyExisting: true, Says: "the file of older versions"},
				{Path: "{code}/Cursor/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", OnlyExisting: true, Says: "the file of older versions in Cursor"},
			},
			Format: JSON, Key: []string{"mcpServers"}, Shape: plain(),
			Uptake: AtOnce, ListChanged: No, Instructions: Unknown,
			Limits: []string{
				"It does not notice new tools while it runs, so Workbench gives it fixed ones.",
				"It allows 64 characters for the name of a tool.",
			},
		},
		{
			ID: "continue", Name: "Continue",
			Greetings: []string{"continue-cli-client"},
			Places: []Place{
				{Path: "{CONTINUE_GLOBAL_DIR}/config.yaml", Instead: "{CONTINUE_GLOBAL_DIR}/config.json"},
				{Path: "~/.continue/config.yaml", Instead: "~/.continue/config.json"},
			},
			Format: YAML, Key: []string{"mcpServers"}, Named: "name",
			Shape:  Shape{[]Field{{"name", SlotName}, {"command", SlotCommand}, {"args", SlotArgs}}},
			Head:   "name: Main Config\nversion: 1.0.0\nschema: v1\n",
			Former: []Client{continueFiles()},
			Uptake: NewSession, ListChanged: No, Instructions: No,
			Limits: []string{"It does not notice new tools while it runs, so Workbench gives it fixed ones."},
		},
		{
			ID: "codex", Name: "Codex",
			Greetings: []string{"codex-mcp-client"},
			Places:    []Place{{Path: "{CODEX_HOME}/config.toml"}, {Path: "~/.codex/config.toml"}},
			Format:    TOML, Key: []string{"mcp_servers"}, Shape: plain(),
			Uptake: NewSession, ListChanged: No, Instructions: Yes,
			Limits: []string{
				"It does not notice new tools while it runs, so Workbench gives it fixed ones.",
				"It reads only the first 512 characters of what a server says about itself.",
				"A call may take five minutes.",
			},
		},
		{
			ID: "gemini", Name: "Gemini CLI",
			Greetings: []string{"gemini-cli-mcp-client"}, Maker: "Google",
			Places: []Place{{Path: "~/.gemini/settings.json"}},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain(),
			Uptake: NewSession, ListChanged: Yes, Instructions: Yes,
			Trust:  untrusted,
			Limits: []string{untrusted, "Names of tools are cut in the middle beyond 63 characters."},
		},
		{
			ID: "antigravity", Name: "Antigravity",
			Greetings: []string{"antigravity-client"}, Maker: "Google",
			Places: []Place{
				{Path: "~/.gemini/config/mcp_config.json"},
				{Path: "~/.gemini/antigravity/mcp_config.json", OnlyExisting: true, Says: "the file of older versions"},
			},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain(),
			Uptake: Refresh, ListChanged: Unknown, Instructions: Unknown,
		},
		{
			ID: "goose", Name: "Goose",
			Greetings: []string{"goose"},
			Places: []Place{
				{OS: "windows", Path: "{appdata}/Block/goose/config/config.yaml"},
				{OS: "darwin", Path: "~/.config/goose/config.yaml"},
				{OS: "linux", Path: "{config}/goose/config.yaml"},
			},
			Format: YAML, Key: []string{"extensions"},
			Shape: Shape{[]Field{
				{"enabled", true}, {"type", "stdio"}, {"name", SlotName}, {"cmd", SlotCommand}, {"args", SlotArgs}, {"envs", Object{}}, {"timeout", 300},
			}},
			Uptake: NewSession, Rewriting: Reflows, ListChanged: Unknown, Instructions: Yes,
		},
		{
			ID: "lmstudio", Name: "LM Studio",
			Greetings: []string{"lmstudio-mcp-bridge"},
			Places: []Place{
				{Path: "~/.lmstudio/mcp.json"},
				{Path: "~/.cache/lm-studio/mcp.json", OnlyExisting: true, Says: "the file of older versions"},
			},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain(),
			Uptake: Refresh, ListChanged: Unknown, Instructions: Unknown,
		},
		{
			ID: "jetbrains", Name: "JetBrains AI Assistant",
			Places: []Place{
				{OS: "windows", Path: "~/.ai/mcp/mcp.json", Marks: []string{"~/.ai/mcp", "{appdata}/JetBrains"}},
				{OS: "darwin", Path: "~/.ai/mcp/mcp.json", Marks: []string{"~/.ai/mcp", "{support}/JetBrains"}},
				{OS: "linux", Path: "~/.ai/mcp/mcp.json", Marks: []string{"~/.ai/mcp", "{config}/JetBrains"}},
			},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain(),
			Uptake: QuitFully, ListChanged: Unknown, Instructions: Unknown,
			Limits: []string{"Versions before 2025.3 do not read this file."},
		},
		{
			ID: "junie", Name: "Junie",
			Places: []Place{{Path: "~/.junie/mcp/mcp.json", Marks: []string{"~/.junie"}}},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain(),
			Uptake: NewSession, ListChanged: Unknown, Instructions: Unknown,
		},
		{
			ID: "copilot", Name: "Copilot CLI",
			Greetings: []string{"github-copilot-developer"},
			Places:    []Place{{Path: "~/.copilot/mcp-config.json"}},
			Format:    JSONC, Key: []string{"mcpServers"},
			Shape:  Shape{[]Field{{"type", "local"}, {"command", SlotCommand}, {"args", SlotArgs}, {"tools", []string{"*"}}}},
			Uptake: NewSession, ListChanged: Yes, Instructions: Yes,
		},
		{
			ID: "kiro", Name: "Kiro",
			Places: []Place{{Path: "~/.kiro/settings/mcp.json", Marks: []string{"~/.kiro"}}},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain(),
			Uptake: AtOnce, ListChanged: No, Instructions: Unknown,
			Limits: []string{"The IDE does not notice new tools while it runs; Kiro CLI does."},
		},
		{
			ID: "opencode", Name: "opencode",
			Greetings: []string{"opencode"},
			Places: []Place{
				{OS: "windows", Path: "~/.config/opencode/opencode.jsonc", OnlyExisting: true}, {OS: "windows", Path: "~/.config/opencode/opencode.json"},
				{OS: "darwin", Path: "~/.config/opencode/opencode.jsonc", OnlyExisting: true}, {OS: "darwin", Path: "~/.config/opencode/opencode.json"},
				{OS: "linux", Path: "{config}/opencode/opencode.jsonc", OnlyExisting: true}, {OS: "linux", Path: "{config}/opencode/opencode.json"},
			},
			Format: JSONC, Key: []string{"mcp"},
			Shape:  Shape{[]Field{{"type", "local"}, {"command", SlotLine}, {"enabled", true}}},
			Uptake: NewSession, ListChanged: Yes, Instructions: Unknown,
		},
		{
			ID: "warp", Name: "Warp",
			Places: []Place{{Path: "~/.warp/.mcp.json"}},
			Format: JSONC, Key: []string{"mcpServers"}, Shape: plain(),
			Uptake: AtOnce, ListChanged: Yes, Instructions: Unknown,
			Limits: []string{"It may find the entries of other apps by itself; then the tools of Workbench are there twice."},
		},
	}
}

// continueFiles are the files of single servers that the extensions of Continue read and its program "cn" does not.
func continueFiles() Client {
	return Client{
		ID: "continue", Name: "Continue",
		Places: []Place{
			{Path: "{CONTINUE_GLOBAL_DIR}/mcpServers/*.json", Also: true, OnlyExisting: true},
			{Path: "~/.continue/mcpServers/*.json", Also: true, OnlyExisting: true},
		},
		Format: JSONC, Key: []string{"mcpServers"}, Shape: plain(),
	}
}

// untrusted is what Gemini CLI 0.61.0 does in a folder of which nothing, or DO_NOT_TRUST, stands in ~/.gemini/trustedFolders.json.
const untrusted = "In a folder that you have not trusted, Gemini CLI shows Workbench as “Disabled” and does not start it: type /permissions trust there."

// claudeCode gives the places of a file by which an organisation manages Claude Code.
func claudeCode(name string) []Place {
	return []Place{
		{OS: "windows", Path: "C:/Program Files/ClaudeCode/" + name},
		{OS: "darwin", Path: "/Library/Application Support/ClaudeCode/" + name},
		{OS: "linux", Path: "/etc/claude-code/" + name},
	}
}

// vscode is one of the editions of VS Code, which differ in what they call themselves and in the folder of their data.
func vscode(id, name, greeting, folder string) Client {
	return Client{
		ID: id, Name: name,
		Greetings: []string{greeting}, Maker: "Microsoft",
		Places: []Place{
			{Path: "{code}/" + folder + "/User/mcp.json"},
			{Path: "{code}/" + folder + "/User/profiles/*/mcp.json", Also: true, OnlyExisting: true, Says: "the file of a profile"},
		},
		Format: JSONC, Key: []string{"servers"}, Shape: typed(),
		Uptake: AtOnce, ListChanged: Yes, Instructions: Yes,
		Trust: name + " asks whether you trust the server when it is started for the first time.",
		Limits: []string{
			"It allows 64 characters for the name of a tool, what it puts before it included.",
			"It can find the entry of Claude Desktop by itself; then the tools of Workbench are there twice.",
		},
	}
}
