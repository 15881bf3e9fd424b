package config

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var secretInArguments = Rule{Code: "secret-in-arguments", Severity: SeverityWarning,
	About: "All programs of a computer can read the arguments of a running program, for example in " +
		"`/proc/PID/cmdline`. Its variables are for programs of the same user.",
	Entry: `"command": "npx", "args": ["-y", "some-server", "--api-key", "${keyring:some key}"]`,
	program: func(d *diagnoser, r Rule, e *entry, _ member) {
		args, ok := e.member("args")
		if !ok || len(args.value.Children) != len(e.Args) {
			return
		}
		arguments, _ := secret.InCommand(e.Command, e.Args)
		for i, argument := range e.Args {
			if len(arguments[i].Secrets) > 0 || strings.Contains(argument, "${keyring:") {
				d.sayAt(r, args.value.Children[i].Span, args.at.element(i), words.New("config.secret_in_arguments"),
					words.New("config.secret_in_arguments.hint"))
				return // one is enough to say it
			}
		}
	}}
