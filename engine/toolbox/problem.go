package toolbox

import (
	"errors"
	"net"
	"runtime"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// problemOf returns the problem of a server that is not connected, for people: its kind, by what can be done about it,
// a message and a hint.
func problemOf(entry *config.Server, err error) *status.Problem {
	message := words.Of(err).Map(func(part string) string { return oneLine(part, maxProblem) })
	p := &status.Problem{Kind: status.KindOther, Message: message}
	var expand *config.ExpandError
	var rpc *downstream.RPCError
	var netError net.Error
	var unapproved notApproved
	switch {
	case errors.As(err, &unapproved):
		p.Kind = status.KindApproval
		if words.Is(err, "expand.keychain_locked") {
			p.Hint = words.New("toolbox.unlock_keychain")
		}
	case errors.Is(err, process.ErrNotFound):
		p.Kind, p.Program = status.KindProgram, oneLine(entry.Command, maxName)
		p.Message = words.New("process.not_found", "Command", p.Program)
		p.Hint = installHint(entry.Command)
		if alone, ok := words.Find(err, "process.name_alone"); ok {
			p.Hint = words.New("toolbox.name_alone", "Name", alone.Args["Name"], "Path", alone.Args["Path"])
		}
	case errors.Is(err, process.ErrNotExecutable):
		p.Kind, p.Program = status.KindProgram, oneLine(entry.Command, maxName)
		p.Hint = words.New("toolbox.make_executable")
	case errors.Is(err, process.ErrNoFolder):
		p.Hint = words.New("toolbox.choose_folder")
	case errors.As(err, &expand):
		p.Kind = status.KindVariable
		p.Hint = words.New("toolbox.set_variable")
		if len(expand.Problems) > 0 {
			p.Field = strings.FieldsFunc(expand.Problems[0].Field+".", func(r rune) bool { return r == '.' || r == '[' })[0]
			p.Name, _ = strings.CutPrefix(expand.Problems[0].Field, p.Field+".")
			if p.Name == expand.Problems[0].Field {
				p.Name = ""
			}
		}
	case errors.Is(err, downstream.ErrSignIn):
		p.Kind = status.KindSignIn
		p.Hint = words.New("toolbox.sign_in")
	case errors.Is(err, downstream.ErrUnreachable):
		p.Kind = status.KindNetwork
		if !downstream.SaysWhatToCheck(p.Message) {
			p.Hint = words.New("toolbox.check_address")
		}
	case errors.Is(err, downstream.ErrTimeout):
		p.Kind = status.KindTimeout
		p.Hint = words.New("toolbox.more_time")
		if downstream.MayInstall(entry) {
			p.Hint = words.New("toolbox.still_downloading")
		}
	case errors.Is(err, downstream.ErrStopped):
		p.Kind = status.KindExited
		p.Hint = words.New("toolbox.see_log")
		if unknownToNpm(entry.Command, err) {
			p.Hint = words.New("toolbox.unknown_package")
		} else if name, wants := wantsKey(entry, lastWords(err)); wants {
			p.Kind, p.Field, p.Name = status.KindKey, "env", name
			p.Hint = words.New("toolbox.fill_in_key")
		} else if hint := privacyHint(runtime.GOOS, lastWords(err)); !hint.IsZero() {
			p.Hint = hint
		}
	case errors.As(err, &netError) && !errors.As(err, &rpc):
		p.Kind = status.KindNetwork
		p.Hint = words.New("toolbox.check_address")
	case errors.As(err, &rpc), words.Is(err, "downstream.answer_unusable"), words.Is(err, "downstream.not_mcp"):
		p.Kind = status.KindProtocol
		p.Hint = words.New("toolbox.check_command")
	}
	return p
}

// unknownToNpm reports whether npm has exited because a package does not exist.
func unknownToNpm(command string, err error) bool {
	if name := process.Name(command); name != "npx" && name != "npm" {
		return false
	}
	wrote := lastWords(err) // npm's own words
	return slices.ContainsFunc([]string{
		"could not be found or you do not have permission", "is not in this registry", "is not in the npm registry",
	}, func(sign string) bool { return strings.Contains(wrote, sign) })
}

// lastWords returns the last output of a server that has exited, or "" for other errors.
func lastWords(err error) string {
	stopped, _ := words.Find(err, "downstream.stopped")
	how, _ := stopped.Args["How"].(words.Text)
	wrote, _ := how.Args["Wrote"].(string)
	return wrote
}

// The errors of programs to which macOS has denied access, as Node, Python, Go and Rust write them: with the name of
// the error or the message of the C library.
var (
	withheldFiles   = lazyregexp.New(`EPERM|(?i:operation not permitted)`)
	withheldNetwork = lazyregexp.New(`EHOSTUNREACH|(?i:no route to host)`)
)

// privacyHint returns what to do if macOS has denied a server access to files or to the local network, and otherwise
// the zero Text.
func privacyHint(goos, wrote string) words.Text {
	switch {
	case goos != "darwin":
	case withheldFiles.MatchString(wrote):
		return words.New("toolbox.macos_files")
	case withheldNetwork.MatchString(wrote):
		return words.New("toolbox.macos_network")
	}
	return words.Text{}
}

// installHint returns where to get a program.
func installHint(command string) words.Text {
	if product := config.ProductOf(command); product.ID != "" {
		return words.New("toolbox.install_product", "Product", product.Name, "Address", product.Page)
	}
	return words.New("toolbox.install")
}
