// Agents runs real AI coding agents from npm with the built program, and reports what each of them sees of a
// toolbox. An imitated model on a local address replaces theirs: it opens a toolbox, calls one of its tools,
// and closes it. See README.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

func main() {
	tapIfAsked()
	fakeserver.RunIfAsked() // these don't return where this program was started as one of them
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "agents:", err)
		}
		stop()
		os.Exit(1)
	}
}

type options struct {
	only, what, mode, cache, keep, out string
	times                              int
	ran, odd, http, here, shared       bool
	tools, bytes, least                int
	kind                               string
	think, patience, slow              time.Duration
}

func command(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("agents", flag.ContinueOnError)
	flags.StringVar(&o.only, "agents", "", "which agents, separated by commas (default: all)")
	flags.StringVar(&o.what, "what", "use",
		"use: open a toolbox, use a tool, close it; open: use a tool of a toolbox that is always open; search: find a "+
			"tool with find_tools, and use it; limit: how long an answer the agent shows its model; install: install only")
	flags.IntVar(&o.times, "times", 1, "how often each agent runs")
	flags.StringVar(&o.mode, "mode", "auto", "the toolMode of the configuration: auto, dynamic or proxy")
	flags.BoolVar(&o.ran, "ran", false, "for open: the servers ran before, so the engine knows their tools")
	flags.BoolVar(&o.http, "http", false, "the agents reach the engine over HTTP; only those of which it is known how")
	flags.BoolVar(&o.here, "here", false, "the toolbox is seen only in the folder in which the agent works")
	flags.BoolVar(&o.shared, "shared", false,
		"the agents run two at a time with one home folder, and share the servers of the toolbox")
	flags.IntVar(&o.tools, "tools", 0, "the toolbox has this many made-up tools instead of the real servers")
	flags.IntVar(&o.bytes, "bytes", 0,
		"about how many bytes the definitions of the made-up tools have; for limit: the longest text tried")
	flags.BoolVar(&o.odd, "odd", false,
		"the toolbox has tools with odd schemas instead; prints what of them the agent sends its model")
	flags.IntVar(&o.least, "least", 0, "for limit: a length that is known to be shown whole")
	flags.StringVar(&o.kind, "text", "json", "for limit: the text that is cut: json, or wide (characters of 3 bytes)")
	flags.StringVar(&o.cache, "cache", "",
		"where the agents are installed (default: workbench-agents in the cache folder of the user)")
	flags.StringVar(&o.keep, "keep", "", "a folder for what each run read and wrote (default: removed)")
	flags.StringVar(&o.out, "json", "", "a file to write the results to")
	flags.DurationVar(&o.slow, "slow", 0, "how long the server of the made-up tools takes for its list")
	flags.DurationVar(&o.think, "think", 0, "how long the model takes for each answer")
	flags.DurationVar(&o.patience, "patience", 3*time.Minute, "how long one run may take")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := choose(o.only)
	if err != nil {
		return err
	}
	if o.cache == "" {
		folder, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.cache = filepath.Join(folder, "workbench-agents")
	}
	if o.http {
		chosen = slices.DeleteFunc(chosen, func(a agent) bool { return a.web == "" })
	}
	for _, a := range chosen {
		if err := install(ctx, o.cache, a); err != nil {
			return err
		}
	}
	if o.what == "install" {
		return nil
	}
	b, err := newBench(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	if o.what == "limit" {
		return b.limits(ctx, chosen)
	}
	if o.shared {
		return b.together(ctx, chosen)
	}
	var results []result
	for _, a := range chosen {
		for range o.times {
			r := b.try(ctx, a)
			results = append(results, r)
			fmt.Fprintln(os.Stderr, r.line())
			if o.odd {
				fmt.Print(oddReport(a.name+" "+a.version, r.offered))
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	if !o.odd {
		fmt.Print(table(o.what, results))
	}
	if o.out == "" {
		return nil
	}
	text, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.out, append(text, '\n'), 0o644)
}

// bench has what all runs share: the programs and the folder of the runs.
type bench struct {
	options
	folder  string // removed at the end, unless it is to be kept
	program string // the built workbench-desktop
	self    string // this program
	npm     string // e2e/npm/node_modules
	runs    int
	known   []tool // of the toolbox
}

func newBench(ctx context.Context, o options) (*bench, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	npm, err := filepath.Abs(filepath.Join("e2e", "npm", "node_modules"))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(npm, "@modelcontextprotocol")); err != nil {
		return nil, fmt.Errorf("the servers are not installed (%w); run e2e/npm/install, and start this in the folder of "+
			"the repository", err)
	}
	folder := o.keep
	if folder == "" {
		folder, err = os.MkdirTemp("", "workbench-agents-")
	} else if folder, err = filepath.Abs(folder); err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, folder: folder, self: self, npm: npm}
	program, err := built.Recipe{Package: "./cmd/workbench-desktop", Args: []string{"-tags", "headless"}}.Into(folder)
	if err != nil {
		b.close()
		return nil, err
	}
	b.program = program.Path
	return b, ctx.Err()
}

func (b *bench) close() {
	if b.keep == "" {
		_ = os.RemoveAll(b.folder) // the system clears its temporary folder eventually
	}
}

// choose returns the agents with these ids.
func choose(ids string) ([]agent, error) {
	if ids == "" {
		return agents(), nil
	}
	var chosen []agent
	for id := range strings.SplitSeq(ids, ",") {
		found := false
		for _, a := range agents() {
			if a.id == strings.TrimSpace(id) {
				chosen, found = append(chosen, a), true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no agent %q", id)
		}
	}
	return chosen, nil
}
