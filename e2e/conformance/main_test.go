package conformance

import (
	"flag"
	"os"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/e2e/conformance/driver"
)

// Flags of the tests.
var (
	update   = flag.Bool("update", false, "write the lists in testdata again")
	why      = flag.Bool("why", false, "log what the suite says of checks that pass only without the engine")
	scenario = flag.String("scenario", "", "run one scenario alone, through the engine, and log what the suite found")
)

// references is the import path of the packages that the suite tests without the engine.
const references = "github.com/modelcontextprotocol/go-sdk/conformance/"

// Paths of the programs, which TestMain builds before any test runs.
var program, everythingServer, everythingClient string

func TestMain(m *testing.M) {
	driver.RunIfAsked() // does not return if the suite started this binary
	flag.Parse()
	os.Exit(built.Tests(m.Run, prepare))
}

func prepare(folder string) (*built.Program, error) {
	made, err := built.Recipe{Package: "../../cmd/workbench-desktop", Args: []string{"-tags", "headless"},
		Race: built.WithRaceDetector()}.Into(folder)
	if err != nil {
		return nil, err
	}
	program = made.Path
	for name, path := range map[string]*string{"everything-server": &everythingServer,
		"everything-client": &everythingClient} {
		reference, err := built.Recipe{Package: references + name,
			Args: []string{"-modfile", "reference/go.mod"}}.Into(folder)
		if err != nil {
			return nil, err
		}
		*path = reference.Path
	}
	return made, nil
}
