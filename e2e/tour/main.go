// Tour shows the engine at work: an MCP client starts the given command, reads the instructions, opens the toolbox
// "office" of docs/example/workbench-config.json, and uses tools of two servers.
//
//	go run ./e2e/tour workbench-desktop stdio
//
// The servers get an empty home, so that every tour begins without what the one before has left, and nothing of the
// person who runs it is read or written.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: tour command [argument ...]")
		os.Exit(2)
	}
	if err := tour(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "\nThe tour failed:", err)
		os.Exit(1)
	}
}

// tour takes the whole tour in a home of its own, which it removes.
func tour(command string, args []string) error {
	home, err := os.MkdirTemp("", "workbench-tour-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	letter := []byte("Dear Ms Lovelace,\nthe hearing is on 3 May.\n")
	if err := os.WriteFile(filepath.Join(home, "letter.txt"), letter, 0o600); err != nil {
		return err
	}
	example, err := filepath.Abs(filepath.Join("docs", "example", "workbench-config.json"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()

	heading("the client connects; the engine has started no server yet")
	args = append(slices.Clone(args), "--config", example, "--log-level", "warn")
	connected, err := client.NewStdioMCPClientWithOptions(command, nil, args,
		transport.WithCommandFunc(func(ctx context.Context, command string, _, args []string) (*exec.Cmd, error) {
			cmd := exec.CommandContext(ctx, command, args...)
			cmd.Env = []string{"HOME=" + home, "USERPROFILE=" + home, "TMPDIR=" + os.TempDir(), "PATH=" + os.Getenv("PATH")}
			cmd.Stderr = os.Stderr
			return cmd, nil
		}))
	if err != nil {
		return err
	}
	defer connected.Close()
	greeting := mcp.InitializeRequest{}
	greeting.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	greeting.Params.ClientInfo = mcp.Implementation{Name: "tour", Version: "1.0.0"}
	greeted, err := connected.Initialize(ctx, greeting)
	if err != nil {
		return err
	}
	fmt.Println(greeted.Instructions)

	heading(`the model opens the toolbox "office"`)
	opened, err := call(ctx, connected, "open_toolbox", map[string]any{"toolbox_name": "office"})
	if err != nil {
		return err
	}
	if err := printTools(opened); err != nil {
		return err
	}

	heading("and uses its tools")
	for _, use := range []struct {
		server, tool string
		arguments    map[string]any
	}{
		{"files", "search_text", map[string]any{"path": ".", "query": "hearing"}},
		{"notes", "write_note", map[string]any{"title": "Lovelace", "text": "The hearing is on 3 May."}},
		{"notes", "search_notes", map[string]any{"query": "May"}},
	} {
		shown, err := json.Marshal(use.arguments)
		if err != nil {
			return err
		}
		fmt.Printf("use_tool office › %s › %s %s\n", use.server, use.tool, shown)
		text, err := call(ctx, connected, "use_tool", map[string]any{
			"tool":      map[string]any{"toolbox": "office", "server": use.server, "tool": use.tool},
			"arguments": use.arguments,
		})
		if err != nil {
			return err
		}
		fmt.Println("  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  "))
	}
	return nil
}

func heading(text string) { fmt.Printf("\n── %s\n", text) }

// call calls a tool of the engine's own and returns the text of its result. A result that is an error is an error.
func call(ctx context.Context, c *client.Client, tool string, arguments map[string]any) (string, error) {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, arguments
	result, err := c.CallTool(ctx, request)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, content := range result.Content {
		if part, isText := content.(mcp.TextContent); isText {
			text.WriteString(part.Text)
		}
	}
	if result.IsError {
		return "", fmt.Errorf("%s: %s", tool, text.String())
	}
	return text.String(), nil
}

// printTools prints the tools that an opened toolbox has, by server. It fails if a server did not connect.
func printTools(opened string) error {
	var toolbox struct {
		Connected int      `json:"servers_connected"`
		Errors    []string `json:"_errors"`
		Tools     []struct {
			Name   string `json:"name"`
			Server string `json:"source_server"`
		} `json:"tools"`
	}
	if err := json.Unmarshal([]byte(opened), &toolbox); err != nil {
		return err
	}
	var servers []string
	tools := make(map[string][]string)
	for _, tool := range toolbox.Tools {
		if tools[tool.Server] == nil {
			servers = append(servers, tool.Server)
		}
		tools[tool.Server] = append(tools[tool.Server], tool.Name)
	}
	for _, server := range servers {
		fmt.Printf("%s: %s\n", server, strings.Join(tools[server], ", "))
	}
	fmt.Printf("%d servers connected, %d tools\n", toolbox.Connected, len(toolbox.Tools))
	if len(toolbox.Errors) > 0 {
		return fmt.Errorf("not all servers of the toolbox could be connected: %s", strings.Join(toolbox.Errors, "; "))
	}
	return nil
}
