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
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxArguments is the largest input of "call … -", in bytes.
const maxArguments = 64 << 20

func newCall(c *shared) *cobra.Command {
	var asJSON bool
	cmd := command("call", between(3, 4), func(cmd *cobra.Command, args []string) error {
		return c.call(cmd.Context(), args, asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "help.call.flag_json")
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
	return c.printResult(jsonrpc.AppendObject(nil, result), asJSON)
}

// arguments reads the optional JSON object; nil if there is none.
func (c *shared) arguments(args []string) (json.RawMessage, error) {
	if len(args) == 0 {
		return nil, nil
	}
	text := []byte(args[0])
	if args[0] == "-" {
		var err error
		if text, err = io.ReadAll(io.LimitReader(c.in, maxArguments)); err != nil {
			return nil, c.fail(words.NewError("command.arguments_unreadable", "Why", err))
		}
	}
	if _, err := jsonrpc.Members(text); err != nil {
		return nil, words.NewError("command.arguments_no_object", "Example", `{"path":"notes.txt"}`, "Why", err)
	}
	// A message is one line, so white space between the values must not contain a line end.
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
				fmt.Fprintln(c.out, item.Text)
			case "image", "audio":
				c.print(words.New("command.content_media", "Type", item.Type, "MIMEType", visible.Line(item.MimeType), "Count",
					len(item.Data)))
			case "resource_link":
				c.print(words.New("command.content_link", "URI", visible.Line(item.URI)))
			default:
				c.print(words.New("command.content_other", "Type", visible.Line(item.Type)))
			}
		}
		if len(result.Content) == 0 && result.Structured != nil {
			fmt.Fprintf(c.out, "%s\n", indented(result.Structured))
		}
	}
	if result.IsError {
		c.note(words.New("command.tool_error"))
		return exitStatus(exitFailed)
	}
	return nil
}
