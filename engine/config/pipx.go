package config

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// packageName matches the name of a Python package. It does not match versions, addresses and scripts, which pipx and
// uvx treat differently.
var packageName = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)

// runByPipx reports whether a server is started by "pipx run" with options that uvx has, too: only the name of a
// package, and perhaps "--spec" before it. spec is the index of that option, or 0.
func runByPipx(server *Server) (spec int, ok bool) {
	args := server.Args
	if strings.ContainsAny(server.Command, `/\`) || process.Name(server.Command) != "pipx" || len(args) < 2 ||
		args[0] != "run" {
		return 0, false
	}
	// These variables set another source of packages, or other folders. uv ignores them, and would get the package from
	// PyPI.
	if slices.ContainsFunc(server.Env, func(v Variable) bool {
		name := strings.ToUpper(v.Name)
		return strings.HasPrefix(name, "PIP_") || strings.HasPrefix(name, "PIPX_")
	}) {
		return 0, false
	}
	name := 1
	from, inline := strings.CutPrefix(args[1], "--spec=")
	if inline {
		spec, name = 1, 2
	} else if args[1] == "--spec" && len(args) > 2 {
		spec, name, from = 1, 3, args[2]
	}
	if spec > 0 && (from == "" || strings.HasPrefix(from, "-")) || len(args) <= name {
		return 0, false
	}
	return spec, packageName.MatchString(args[name]) && !strings.HasSuffix(strings.ToLower(args[name]), ".py")
}

// startWithUvx returns the fix that starts a server with uvx instead of pipx; nil if it is not certain that uvx runs
// the same package. The user is asked about this fix alone, since it starts another program.
func (d *Document) startWithUvx(t *stringText) *Fix {
	spec, ok := runByPipx(t.server)
	servers := t.at.parent.parent
	if !ok || servers.parent == nil || t.value != t.server.Command {
		return nil
	}
	var changes []Change
	change := func(do func(*jsonc.Editor) error) bool {
		e, err := jsonc.NewEditor(d.Source, &jsonc.Form{KeepComments: true})
		if err != nil || do(e) != nil {
			return false
		}
		changes = append(changes, e.Changes()...) // a separate editor for each change, so that they do not overlap
		return true
	}
	entry := jsonc.Keys("toolboxes", servers.parent.key, "mcpServers", t.at.parent.key)
	args := entry.Member("args")
	if !change(func(e *jsonc.Editor) error { return e.SetText(entry.Member("command"), jsonc.Quote("uvx")) }) ||
		!change(func(e *jsonc.Editor) error { return e.Remove(args.Element(0)) }) {
		return nil
	}
	if spec > 0 && !change(func(e *jsonc.Editor) error {
		option, err := e.Find(args.Element(spec))
		if err != nil {
			return err
		}
		return e.SetText(args.Element(spec), strings.Replace(option.Raw(), "--spec", "--from", 1))
	}) {
		return nil
	}
	sortChanges(changes)
	if _, err := ApplyChanges(d.Source, changes); err != nil {
		return nil
	}
	return &Fix{Title: words.New("config.fix.start_with_uvx"), Changes: changes, Alone: true}
}
