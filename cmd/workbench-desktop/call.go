package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// maxArguments caps what "call … -" reads, in bytes.
const maxArguments = 64 << 20

func newCall(c *shared) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "call toolbox server tool [json]",
		Short: "Call one tool and print its result",
		Long: `Starts the servers of a toolbox, calls one tool, prints its result, and ends them again. The
tool's arguments are a JSON object; "-" reads it from standard input. The exit status is 1 if the
call failed or the tool reported an error.

Text is printed as it is, other content is described; --json prints the whole result.`,
		Example: `  workbench-desktop call dev memory read_graph
  workbench-desktop call dev filesystem read_text_file '{"path":"notes.txt"}'`,
		Args: cobra.RangeArgs(3, 4),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.call(cmd.Context(), args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as the server sent it")
	return cmd
}

func (c *shared) call(ctx context.Context, args []string, asJSON bool) error {
	arguments, err := c.arguments(args[3:])
	if err != nil {
		return err
	}
	_, manager, err := c.manager()
	if err != nil {
		return err
	}
	defer manager.Shutdown(context.WithoutCancel(ctx))
	id := toolbox.ToolID{Toolbox: args[0], Server: args[1], Tool: args[2]}
	result, err := manager.Call(ctx, id, downstream.Call{Arguments: arguments})
	if err != nil {
		c.printFailure(err)
		return exitStatus(exitFailed)
	}
	return c.printResult(result, asJSON)
}

// arguments reads the optional JSON object; nil when there is none.
func (c *shared) arguments(args []string) (json.RawMessage, error) {
	if len(args) == 0 {
		return nil, nil
	}
	text := []byte(args[0])
	if args[0] == "-" {
		var err error
		if text, err = io.ReadAll(io.LimitReader(c.in, maxArguments)); err != nil {
			return nil, c.failf("reading the arguments from standard input: %v", err)
		}
	}
	if _, err := jsonrpc.Members(text); err != nil {
		return nil, fmt.Errorf("the arguments are not a JSON object such as {\"path\":\"notes.txt\"}: %w", err)
	}
	// A message is one line, so what stands between the values must not break it.
	return jsonrpc.AppendCompact(nil, text), nil
}

func (c *shared) printResult(raw json.RawMessage, asJSON bool) error {
	var result struct {
		IsError bool `json:"isError"`
		Content []struct {
			Type     string `json:"type"`
			Text     string `json:"text"`
			MimeType string `json:"mimeType"`
			Data     string `json:"data"`
			URI      string `json:"uri"`
		} `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
	}
	understood := json.Unmarshal(raw, &result) == nil
	switch {
	case asJSON || !understood:
		fmt.Fprintf(c.out, "%s\n", indented(raw))
	default:
		for _, item := range result.Content {
			switch item.Type {
			case "text":
				fmt.Fprintln(c.out, printable(item.Text))
			case "image", "audio":
				fmt.Fprintf(c.out, "[%s, %s, %d bytes in base64; --json shows them]\n", item.Type, printable(item.MimeType), len(item.Data))
			case "resource_link":
				fmt.Fprintf(c.out, "[link to resource %s]\n", printable(item.URI))
			default:
				fmt.Fprintf(c.out, "[content of type %q; --json shows it]\n", item.Type)
			}
		}
		if len(result.Content) == 0 && result.Structured != nil {
			fmt.Fprintf(c.out, "%s\n", indented(result.Structured))
		}
	}
	if result.IsError {
		fmt.Fprintln(c.err, "The tool reported an error.")
		return exitStatus(exitFailed)
	}
	return nil
}
