package toolbox

import (
	"errors"
	"fmt"
	"net"
	"path"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// problemOf sorts why a server is not connected by what mends it, and says it for people.
func problemOf(entry *config.Server, err error) *status.Problem {
	p := &status.Problem{Kind: status.KindOther, Message: oneLine(err.Error(), maxProblem)}
	var expand *config.ExpandError
	var rpc *downstream.RPCError
	var netError net.Error
	switch {
	case errors.Is(err, process.ErrNotFound):
		p.Kind, p.Program = status.KindProgram, oneLine(entry.Command, maxName)
		p.Message = p.Program + " was not found"
		p.Hint = installHint(entry.Command)
	case errors.Is(err, process.ErrNotExecutable):
		p.Kind, p.Program = status.KindProgram, oneLine(entry.Command, maxName)
		p.Hint = "Make the file executable, or choose another program."
	case errors.Is(err, process.ErrNoFolder):
		p.Hint = "Choose another folder for the server, or create it."
	case errors.As(err, &expand):
		p.Kind = status.KindVariable
		p.Hint = "Set the variable where the AI app finds it, keep the value in the keychain, or give it a default: ${NAME:-default}."
	case errors.Is(err, downstream.ErrSignIn):
		p.Kind = status.KindSignIn
		p.Hint = "Sign in, or check the token in the server's headers."
	case errors.Is(err, downstream.ErrUnreachable):
		p.Kind = status.KindNetwork
		if !strings.Contains(p.Message, "; check ") { // most of them say already what to do
			p.Hint = "Check the address and the network."
		}
	case errors.Is(err, downstream.ErrTimeout):
		p.Kind = status.KindTimeout
		p.Hint = "Its log says what it did. If it only needs longer to start, give it more time: “Time limits” in its Setup."
		if downstream.MayInstall(entry) {
			p.Hint = "It may still have been downloading; try again, or look at its log."
		}
	case errors.Is(err, downstream.ErrStopped):
		p.Kind = status.KindExited
		p.Hint = "Its log says what it wrote last."
		if unknownToNpm(entry.Command, p.Message) {
			p.Hint = "npm knows no package of that name, or not for you: check the name in the server's arguments."
		}
	case errors.As(err, &rpc):
		p.Kind = status.KindProtocol
		p.Hint = "Check that the command starts an MCP server."
	case errors.As(err, &netError):
		p.Kind = status.KindNetwork
		if !strings.Contains(p.Message, "; check ") { // most of them say already what to do
			p.Hint = "Check the address and the network."
		}
	case strings.Contains(err.Error(), "the server's answer to"):
		p.Kind = status.KindProtocol
		p.Hint = "Check that the command starts an MCP server."
	}
	return p
}

// unknownToNpm reports whether npm has ended because there is no such package.
func unknownToNpm(command, said string) bool {
	if name := programName(command); name != "npx" && name != "npm" {
		return false
	}
	return strings.Contains(said, "could not be found or you do not have permission") || strings.Contains(said, "is not in this registry") || strings.Contains(said, "is not in the npm registry")
}

// programName is what a command is called on all systems.
func programName(command string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(command, `\`, "/")))
	for _, extension := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, extension)
	}
	return name
}

// installHint says where a program that many servers need comes from.
func installHint(command string) string {
	from := ""
	switch programName(command) {
	case "npx", "npm", "node":
		from = "It comes with Node.js (https://nodejs.org)."
	case "uvx", "uv":
		from = "It comes with uv (https://docs.astral.sh/uv)."
	case "docker":
		from = "It comes with Docker Desktop (https://www.docker.com)."
	case "python", "python3", "pipx":
		from = "It comes with Python (https://www.python.org)."
	case "bunx", "bun":
		from = "It comes with Bun (https://bun.sh)."
	case "deno":
		from = "It comes with Deno (https://deno.com)."
	}
	if from == "" {
		return "Install it, or write the full path of the program."
	}
	return fmt.Sprintf("%s If it is installed, write the full path of the program.", from)
}
