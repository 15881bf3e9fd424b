package guardian

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Variable is the environment variable that marks the processes of servers. Its value is a list of marks,
// separated by colons. The last mark is that of the engine that started the server. Earlier marks are of
// outer engines, if a server starts an engine.
const Variable = "WORKBENCH_SERVER"

// maxMarks is the largest number of nested engines.
const maxMarks = 16

// mark identifies an engine among all others, since the last boot and before.
type mark struct {
	engine  int    // its process id
	started uint64 // when it was started, in the system's own units
	boot    string // the boot of the system
	random  string
}

func (m mark) String() string {
	return fmt.Sprintf("%s.%d.%d.%s", m.random, m.engine, m.started, m.boot)
}

// newMark returns the mark of this process.
func newMark() (string, error) {
	boot, err := bootID()
	if err != nil {
		return "", err
	}
	p, err := look(os.Getpid())
	if err != nil {
		return "", err
	}
	random := make([]byte, 8)
	_, _ = rand.Read(random) // it never fails
	return mark{engine: p.pid, started: p.started, boot: boot, random: hex.EncodeToString(random)}.String(), nil
}

// parseMark reads a mark.
func parseMark(text string) (mark, bool) {
	parts := strings.Split(text, ".")
	if len(parts) != 4 {
		return mark{}, false
	}
	engine, err1 := strconv.Atoi(parts[1])
	started, err2 := strconv.ParseUint(parts[2], 10, 64)
	return mark{engine, started, parts[3], parts[0]}, err1 == nil && err2 == nil && engine > 1
}

// marks returns the marks in the value of the variable.
func marks(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, ":")
}

// marked returns the variable for a server that is started with an environment.
func marked(env []string, mark string) string {
	around := marks(process.Getenv(env, Variable))
	if own := marks(os.Getenv(Variable)); len(around) == 0 {
		around = own // env need not have all variables of this process
	}
	around = append(slices.Clip(around), mark)
	return Variable + "=" + strings.Join(around[max(0, len(around)-maxMarks):], ":")
}
