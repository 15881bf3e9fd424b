package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// command returns a command without flags. path is what people type after the name of the program, such as
// "config move". It determines the codes of the texts: "help.config.move.short", and ".args", ".long" and
// ".example" if they exist.
func command(path string, args cobra.PositionalArgs,
	run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	code := "help." + strings.ReplaceAll(path, " ", ".")
	name := path[strings.LastIndexByte(path, ' ')+1:]
	return &cobra.Command{
		Use: name + " " + code + ".args", Short: code + ".short", Long: code + ".long", Example: code + ".example",
		Args: args, RunE: run,
	}
}

// hide leaves flags that are only for tests out of the help.
func hide(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		_ = flags.MarkHidden(name) // fails for a flag that does not exist
	}
}

// speak makes cobra use the language of s. The texts of commands and flags are codes until help is shown, so
// that "stdio" reads no words when it starts.
func (s streams) speak(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { s.showHelp(cmd) })
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	root.SetHelpCommand(command("help", nil, func(cmd *cobra.Command, args []string) error {
		found, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return words.NewError("command.no_topic", "Topic", strings.Join(args, " "))
		}
		s.showHelp(found)
		return nil
	}))
}

// quotedName matches the name of a flag's value, which pflag takes from the text.
var quotedName = lazyregexp.New("`[^`]+`")

// translate replaces codes by words in a command and its subcommands.
func (s streams) translate(cmd *cobra.Command) {
	say := func(code string, more ...any) string {
		if !strings.HasPrefix(code, "help.") {
			return code // it was already translated, or is only for tests
		}
		text := words.New(words.Code(code), more...)
		if !s.words.Knows(text) {
			return ""
		}
		return s.words.Text(text)
	}
	name, arguments, _ := strings.Cut(cmd.Use, " ")
	cmd.Use = strings.TrimSpace(name + " " + say(arguments))
	cmd.Short = say(cmd.Short)
	cmd.Long = say(cmd.Long, "Apps", strings.Join(client.IDs(), " "), "ImportApps", strings.Join(imports.IDs(), " "),
		"Fields", settableFields(), "JSONFields", jsonFields(), "Window", hasWindow)
	cmd.Example = say(cmd.Example, "Window", hasWindow)
	cmd.InitDefaultHelpFlag()
	cmd.Flags().Lookup("help").Usage = s.words.Text(words.New("help.flag_help", "Command", name))
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		usage := say(f.Usage, "Default", f.DefValue, "Toolbox", imports.DefaultToolbox)
		usage = quotedName.ReplaceAllStringFunc(usage, strings.ToUpper) // as in the arguments of commands
		// the text names the default; pflag would add it in English
		if usage != f.Usage && f.DefValue != "" {
			f.DefValue = map[string]string{"string": "", "stringArray": "[]", "duration": "0s", "float64": "0",
				"bool": "false"}[f.Value.Type()]
		}
		f.Usage = usage
	})
	for _, sub := range cmd.Commands() {
		s.translate(sub)
	}
}

// showHelp prints what a command does and how to use it.
func (s streams) showHelp(cmd *cobra.Command) {
	s.translate(cmd.Root())
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	fmt.Fprintf(s.out, "%s\n\n", about)
	s.print(words.New("help.title_usage"))
	if cmd.Runnable() {
		line := cmd.CommandPath()
		if _, arguments, ok := strings.Cut(cmd.Use, " "); ok {
			line += " " + arguments
		}
		fmt.Fprintf(s.out, "  %s %s\n", line, s.words.Text(words.New("help.args_flags")))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(s.out, "  %s %s\n", cmd.CommandPath(), s.words.Text(words.New("help.args_command")))
	}
	if cmd.Example != "" {
		s.section(words.New("help.title_examples"), cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		s.commands(cmd)
	}
	if cmd.HasAvailableLocalFlags() {
		s.section(words.New("help.title_flags"), cmd.LocalFlags().FlagUsages())
	}
	if cmd.HasAvailableInheritedFlags() {
		s.section(words.New("help.title_global_flags"), cmd.InheritedFlags().FlagUsages())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintln(s.out)
		s.print(words.New("help.more", "Command", cmd.CommandPath()))
	}
}

// commands lists the commands of a command, in its groups.
func (s streams) commands(cmd *cobra.Command) {
	lines := map[string][]string{}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			lines[sub.GroupID] = append(lines[sub.GroupID], fmt.Sprintf("  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short))
		}
	}
	for _, group := range cmd.Groups() {
		s.section(words.Code(group.Title).Text(), strings.Join(lines[group.ID], "\n"))
	}
	if len(lines[""]) > 0 {
		s.section(words.New("help.title_commands"), strings.Join(lines[""], "\n"))
	}
}

// group puts commands under a title of the help. The title is a code.
func group(parent *cobra.Command, title string, commands ...*cobra.Command) {
	parent.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, cmd := range commands {
		cmd.GroupID = title
		parent.AddCommand(cmd)
	}
}

// section prints a titled paragraph of the help.
func (s streams) section(title words.Text, text string) {
	fmt.Fprintf(s.out, "\n%s\n%s\n", s.words.Text(title), strings.TrimRight(text, " \n"))
}

// atLeast, exactly and between accept a number of arguments.
func atLeast(n int) cobra.PositionalArgs { return between(n, 1<<30) }
func exactly(n int) cobra.PositionalArgs { return between(n, n) }
func between(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		n := len(args)
		switch {
		case least <= n && n <= most:
			return nil
		case most == 0:
			return words.NewError("command.unknown_command", "Name", args[0], "Command", cmd.CommandPath())
		case n < least:
			return words.NewError("command.too_few_arguments", "Command", cmd.CommandPath(), "Arguments",
				words.Code(argumentsOf(cmd)).Text())
		}
		return words.NewError("command.too_many_arguments", "Command", cmd.CommandPath(), "Arguments",
			words.Code(argumentsOf(cmd)).Text())
	}
}

// argumentsOf returns the code of the text that says which arguments a command takes.
func argumentsOf(cmd *cobra.Command) string {
	_, code, _ := strings.Cut(cmd.Use, " ")
	return code
}

// oneOf accepts exactly one of two flags.
func oneOf(cmd *cobra.Command, a, b string) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed(a) && cmd.Flags().Changed(b) {
			return words.NewError("command.flags_exclude", "One", "--"+a, "Other", "--"+b)
		}
		return nil
	}
}

// flagError returns the sentence for an error of pflag.
func flagError(err error) error {
	var unknown *pflag.NotExistError
	var alone *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		return words.NewError("command.unknown_flag", "Flag",
			dashed(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()))
	case errors.As(err, &alone):
		return words.NewError("command.flag_needs_value", "Flag", "--"+alone.GetFlag().Name)
	case errors.As(err, &invalid):
		kind := words.New("command.kind_number")
		switch invalid.GetFlag().Value.Type() {
		case "bool":
			kind = words.New("command.kind_bool")
		case "duration":
			kind = words.New("command.kind_duration")
		}
		return words.NewError("command.flag_invalid", "Value", invalid.GetValue(), "Flag", "--"+invalid.GetFlag().Name,
			"Kind", kind)
	case errors.As(err, &syntax):
		return words.NewError("command.flag_syntax", "Flag", syntax.GetSpecifiedFlag())
	}
	return err
}

func dashed(short, name string) string {
	if short != "" {
		return "-" + short
	}
	return "--" + name
}
