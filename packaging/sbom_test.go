package packaging_test

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
)

// TestBillOfMaterials makes the bill for the engine and compares it with the information that Go has stored
// in the program.
func TestBillOfMaterials(t *testing.T) {
	folder := t.TempDir()
	program, err := built.Recipe{Package: "../cmd/workbench-desktop",
		Args: []string{"-trimpath", "-tags", "headless"}}.Into(folder)
	if err != nil {
		t.Fatal(err)
	}
	sbom := filepath.Join(folder, "sbom")
	if said, err := exec.CommandContext(t.Context(), "go", "-C", "tools", "build", "-o", sbom,
		"./sbom").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	bill, err := exec.CommandContext(t.Context(), sbom, "1.2.3", program.Executable).Output()
	if err != nil {
		t.Fatal(err)
	}
	checkBill(t, bill, program.Executable)
	again, err := exec.CommandContext(t.Context(), sbom, "1.2.3", program.Executable).Output()
	if err != nil || string(again) != string(bill) {
		t.Errorf("the same program has another bill: %v", err)
	}
	if strings.Contains(string(bill), "fyne") {
		t.Error("the engine has something of Fyne")
	}
}

// checkBill checks that a bill in the CycloneDX format has exactly the modules from which programs were
// built, and which program has which.
func checkBill(t *testing.T, bill []byte, programs ...string) {
	t.Helper()
	var read struct {
		BOMFormat, SpecVersion string
		Metadata               struct {
			Component struct {
				Name, Version, Purl string
				Components          []struct {
					Ref    string `json:"bom-ref"`
					Hashes []struct{ Alg, Content string }
				}
			}
		}
		Components []struct {
			Ref                       string `json:"bom-ref"`
			Type, Name, Version, Purl string
			Properties                []struct{ Name, Value string }
		}
		Dependencies []struct {
			Ref       string
			DependsOn []string
		}
	}
	if err := json.Unmarshal(bill, &read); err != nil {
		t.Fatal(err)
	}
	if read.BOMFormat != "CycloneDX" || read.SpecVersion != "1.6" || read.Metadata.Component.Version == "" ||
		len(read.Metadata.Component.Components) != len(programs) {
		t.Fatalf("the bill begins %s", bill[:min(len(bill), 2000)])
	}
	all := map[string]bool{}
	for i, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")}
		for _, module := range info.Deps {
			want = append(want, "pkg:golang/"+module.Path+"@"+module.Version)
		}
		slices.Sort(want)
		for _, url := range want {
			all[url] = true
		}
		if got := read.Dependencies[i]; got.Ref != filepath.Base(program) || !slices.Equal(got.DependsOn, want) {
			t.Errorf("%s has %q,\nwant %q", got.Ref, got.DependsOn, want)
		}
		content, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		if file := read.Metadata.Component.Components[i]; len(file.Hashes) != 1 ||
			file.Hashes[0].Content != hex.EncodeToString(sum[:]) {
			t.Errorf("the sum of %s is %v", program, file.Hashes)
		}
	}
	if len(read.Components) != len(all) {
		t.Errorf("it has %d components, want %d", len(read.Components), len(all))
	}
	for _, one := range read.Components {
		if !all[one.Ref] || one.Purl != one.Ref || one.Type != "library" || one.Name != "std" && len(one.Properties) != 1 {
			t.Errorf("%+v", one)
		}
	}
}

// TestPicturePackages checks that docs/dependencies.md names what imports the unmaintained packages for
// pictures.
func TestPicturePackages(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f",
		`{{$p := .ImportPath}}{{range .Imports}}{{.}} {{$p}}{{"\n"}}{{end}}`, "../cmd/workbench-desktop").Output()
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `(github.com/[^`]*)` \\|[^|]*\\| ([^|]*) \\|").FindAllStringSubmatch(read(t,
		"docs", "dependencies.md"), -1)
	if len(rows) != 4 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		var importers []string
		for line := range strings.Lines(string(out)) {
			if imported, by, _ := strings.Cut(strings.TrimSpace(line), " "); imported == row[1] {
				importers = append(importers, "`"+by+"`")
			}
		}
		slices.Sort(importers)
		if got := strings.Join(importers, ", "); got != row[2] {
			t.Errorf("%s is imported by %s; the page says %s", row[1], got, row[2])
		}
	}
}
