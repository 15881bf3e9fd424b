package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// openLogs returns the writer of an engine's logs; nil if their folder is not known.
func openLogs(o logs.Options) *logs.Writer {
	folder, err := paths.Here(os.Getenv).Logs()
	if err != nil {
		return nil
	}
	o.Folder = logs.Folder(folder)
	return logs.NewWriter(o)
}

func newLogs(c *shared) *cobra.Command {
	var follow, asJSON bool
	cmd := command("logs", between(0, 2), func(cmd *cobra.Command, args []string) error {
		return c.logs(cmd.Context(), args, follow, asJSON)
	})
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "help.logs.flag_follow")
	cmd.Flags().BoolVar(&asJSON, "json", false, "help.logs.flag_json")
	return cmd
}

func (c *shared) logs(ctx context.Context, args []string, follow, asJSON bool) error {
	location, err := c.locate()
	if err != nil {
		return err
	}
	path, err := paths.Here(os.Getenv).Logs()
	if err != nil {
		return c.fail(err)
	}
	folder, selection := logs.Folder(path), logs.Selection{Config: location.Path}
	if len(args) > 0 {
		selection.Toolbox = args[0]
	}
	if len(args) > 1 {
		selection.Server = args[1]
	}
	kept := folder.Read(selection)
	if len(kept) == 0 {
		if err := c.checkKnown(location, selection); err != nil {
			return c.fail(err)
		}
	}
	switch {
	case follow:
		folder.Follow(ctx, selection, func(lines []logs.Line) { c.printLines(lines, selection, asJSON) })
		return nil
	case asJSON:
		lines := make([]logs.Line, len(kept)) // never nil, so that JSON has a list
		for i, line := range kept {
			lines[i] = inEnglish(line)
		}
		return c.encode(struct {
			File   string      `json:"file"`
			Folder string      `json:"folder"`
			Lines  []logs.Line `json:"lines"`
		}{location.Path, path, lines})
	case len(kept) == 0:
		c.note(words.New("command.no_logs", "Folder", path))
	}
	c.printLines(kept, selection, false)
	c.note(words.New("command.of_configuration", "Path", location.Path))
	return nil
}

// checkKnown returns an error for a toolbox or server that is neither in the configuration nor has a log. Logs can
// be shown even if the configuration cannot be read.
func (c *shared) checkKnown(location config.Location, s logs.Selection) error {
	document, err := config.Read(location)
	if s.Toolbox == "" || err != nil || !document.Valid() {
		return nil
	}
	toolbox, ok := document.Config.Toolbox(s.Toolbox)
	if !ok {
		return words.NewError("command.logs_no_toolbox", "Toolbox", s.Toolbox)
	}
	if _, ok := toolbox.Server(s.Server); s.Server != "" && !ok {
		return words.NewError("command.logs_no_server", "Server", s.Server, "Toolbox", s.Toolbox)
	}
	return nil
}

// inEnglish returns a line for programs, with the text in English.
func inEnglish(line logs.Line) logs.Line {
	line.Text = line.Words().String()
	return line
}

// printLines prints lines for people, or one JSON object for each line for programs.
func (c *shared) printLines(lines []logs.Line, s logs.Selection, asJSON bool) {
	for _, line := range lines {
		if asJSON {
			if raw, err := json.Marshal(inEnglish(line)); err == nil {
				fmt.Fprintf(c.out, "%s\n", raw)
			}
			continue
		}
		parts := []string{line.Time.Local().Format("2006-01-02 15:04:05.000")}
		switch {
		case line.Server == "":
			parts = append(parts, fmt.Sprintf("%s[%d]", line.Client, line.Pid))
		case s.Server == "":
			parts = append(parts, line.Server)
		}
		if line.Server != "" && line.Source != "engine" {
			parts = append(parts, strings.TrimSpace(line.Source+" "+line.Level)+":")
		}
		for i := range parts {
			parts[i] = visible.Line(parts[i])
		}
		fmt.Fprintln(c.out, strings.Join(append(parts, visible.Line(c.words.Text(line.Words()))), "  "))
	}
}
