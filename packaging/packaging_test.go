// Package packaging_test checks that the descriptions in the packages agree with the program and with each
// other, and that the Linux packages have the right content.
package packaging_test

import (
	"archive/tar"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/links"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

const id = "io.github.workbench_mcp.WorkbenchDesktop"

func read(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{".."}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func find(t *testing.T, text, pattern string) string {
	t.Helper()
	match := regexp.MustCompile("(?m)" + pattern).FindStringSubmatch(text)
	if match == nil {
		t.Fatalf("nothing matches %s", pattern)
	}
	return match[1]
}

// source returns the Go files of a package, one after the other: so a constant may move to another file of it.
func source(t *testing.T, path ...string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(append(append([]string{".."}, path...), "*.go")...))
	if err != nil || len(names) == 0 {
		t.Fatal(path, "has no Go files:", err)
	}
	var text strings.Builder
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			text.WriteString(read(t, append(slices.Clone(path), filepath.Base(name))...))
		}
	}
	return text.String()
}

// TestDescriptionsAgree checks that all files that contain the version, the ID or the program's description
// agree.
func TestDescriptionsAgree(t *testing.T) {
	app := read(t, "FyneApp.toml")
	version := find(t, app, `^Version = "(.*)"$`)
	var info struct {
		ID       string `xml:"id"`
		License  string `xml:"project_license"`
		Releases []struct {
			Version string `xml:"version,attr"`
		} `xml:"releases>release"`
		Launchable string   `xml:"launchable"`
		Keywords   []string `xml:"keywords>keyword"`
		Categories []string `xml:"categories>category"`
	}
	if err := xml.Unmarshal([]byte(read(t, "packaging", "linux", id+".metainfo.xml")), &info); err != nil {
		t.Fatal(err)
	}
	if len(info.Releases) != 1 || info.Releases[0].Version != "@VERSION@" {
		t.Errorf("the release of the metainfo is %v, where packaging/linux/pack puts the version", info.Releases)
	}
	entry := read(t, "packaging", "linux", id+".desktop")
	plist := read(t, "packaging", "macos", "Info.plist")
	same := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %q, want %q", what, got, want)
		}
	}
	same("the program's version", find(t, source(t, "cmd", "workbench-desktop"), `^var version = "(.*)"$`), version+"-dev")
	same("the program's ID", find(t, source(t, "app"), `^const ID = "(.*)"$`), id)
	same("the ID in FyneApp.toml", find(t, app, `^ID = "(.*)"$`), id)
	same("the metainfo's ID", info.ID, id)
	same("what the metainfo launches", info.Launchable, id+".desktop")
	same("the bundle's ID", find(t, plist, `CFBundleIdentifier</key>\s*<string>(.*)</string>`), id)
	same("the entry's name", find(t, entry, `^Name=(.*)$`), find(t, app, `^Name = "(.*)"$`))
	same("the entry's comment", find(t, entry, `^Comment=(.*)$`), find(t, app, `^Comment = "(.*)"$`))
	same("the entry's generic name", find(t, entry, `^GenericName=(.*)$`), find(t, app, `^GenericName = "(.*)"$`))
	same("the entry's keywords", find(t, entry, `^Keywords=(.*);$`), strings.Join(info.Keywords, ";"))
	same("the entry's categories", find(t, entry, `^Categories=(.*);$`), strings.Join(info.Categories, ";"))
	same("what the entry opens", find(t, entry, `^MimeType=.*;(x-scheme-handler/.*);$`), "x-scheme-handler/"+links.Scheme)
	same("how the entry starts the program", find(t, entry, `^Exec=(.*)$`), "workbench-desktop %u")
	same("what the bundle opens", find(t, plist, `CFBundleURLSchemes</key>\s*<array>\s*<string>(.*)</string>`),
		links.Scheme)
	words := regexp.MustCompile(`"([^"]*)"`)
	var toml []string
	for _, word := range words.FindAllStringSubmatch(find(t, app, `^Keywords = \[(.*)\]$`), -1) {
		toml = append(toml, word[1])
	}
	same("the keywords of FyneApp.toml", strings.Join(toml, ";"), strings.Join(info.Keywords, ";"))
}

// TestToolboxFiles checks that Linux opens files with the extension of shared toolboxes with the program.
func TestToolboxFiles(t *testing.T) {
	kinds := read(t, "packaging", "linux", id+".mime.xml")
	kind, glob := find(t, kinds, `<mime-type type="(.*?)">`), find(t, kinds, `<glob pattern="(.*?)"`)
	if ending := find(t, source(t, "engine", "manage", "file", "share"), `^const Ending = "(.*)"$`); glob != "*"+ending {
		t.Errorf("files %s are known, and the program writes *%s", glob, ending)
	}
	entry := read(t, "packaging", "linux", id+".desktop")
	if kindsOpened := find(t, entry, `^MimeType=(.*)$`); !strings.Contains(";"+kindsOpened, ";"+kind+";") {
		t.Errorf("the entry opens %s, and not %s", kindsOpened, kind)
	}
	if exec := find(t, entry, `^Exec=(.*)$`); !strings.HasSuffix(exec, " %u") {
		t.Errorf("the entry starts %q, without the file", exec)
	}
}

// languages returns the languages that the program speaks.
func languages(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "assets", "translations", "help.*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no translations:", err)
	}
	for i, file := range files {
		files[i] = strings.Split(filepath.Base(file), ".")[1]
	}
	return files
}

// TestLanguagesOfTheEntry checks that what Linux desktops show of the program is in all of its languages.
func TestLanguagesOfTheEntry(t *testing.T) {
	entry, kinds := read(t, "packaging", "linux", id+".desktop"), read(t, "packaging", "linux", id+".mime.xml")
	for _, language := range languages(t) {
		if language == "en" {
			continue
		}
		locale := strings.NewReplacer("-Hans", "_CN", "-", "_").Replace(language)
		for _, key := range []string{"GenericName", "Comment", "Name"} { // the name is that of the action
			if !strings.Contains(entry, "\n"+key+"["+locale+"]=") {
				t.Errorf("the entry has no %s in %s", key, language)
			}
		}
		if !strings.Contains(kinds, `<comment xml:lang="`+locale+`">`) {
			t.Errorf("toolbox files have no name in %s", language)
		}
	}
}

// TestProgramsAgree checks that every package has both programs, under the names by which they find each
// other.
func TestProgramsAgree(t *testing.T) {
	window := find(t, source(t, "engine", "manage", "apps", "clients"), `^\twindowName += "(.*?)"`)
	engine := process.Engine
	if got := find(t, read(t, "packaging", "macos", "Info.plist"),
		`CFBundleExecutable</key>\s*<string>(.*)</string>`); got != window {
		t.Errorf("the app of macOS starts %s, not %s", got, window)
	}
	for _, system := range []string{"linux", "windows", "macos"} {
		recipe := read(t, "packaging", system, "build")
		for _, name := range []string{window, engine} {
			if !regexp.MustCompile(`(?m)^[^#\n]*(\bbuild |-o "\$STAGE/bin/)` + name + `\b`).MatchString(recipe) {
				t.Errorf("packaging/%s/build does not build %s", system, name)
			}
			if !regexp.MustCompile(`(?m)^"\$(work|STAGE)/sbom" [^\n]*/` + name +
				`\b[^\n]*>[^\n]*/workbench-desktop\.cdx\.json"$`).MatchString(recipe) {
				t.Errorf("packaging/%s/build makes no bill of materials of %s", system, name)
			}
		}
	}
}

// TestLinuxPackages builds the packages and checks their content. The content of the Debian package is then
// used as if it were installed.
func TestLinuxPackages(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the recipe is for Linux")
	}
	out := t.TempDir()
	said, err := exec.CommandContext(t.Context(), "bash", "linux/build", "--out", out).CombinedOutput()
	if err != nil {
		t.Fatalf("packaging/linux/build: %v\n%s", err, said)
	}
	for _, tool := range []string{"desktop-file-validate", "appstreamcli"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Errorf("%s is missing, so the packages were not checked; .ci/setup test installs it", tool)
		}
	}

	want := []string{
		"bin/workbench-desktop",
		"bin/workbench-engine",
		"share/applications/" + id + ".desktop",
		"share/doc/workbench-desktop/CHANGELOG.md.gz",
		"share/doc/workbench-desktop/copyright",
		"share/doc/workbench-desktop/licences.md",
		"share/doc/workbench-desktop/workbench-desktop.cdx.json",
		"share/icons/hicolor/256x256/apps/" + id + ".png",
		"share/icons/hicolor/512x512/apps/" + id + ".png",
		"share/icons/hicolor/scalable/apps/" + id + ".svg",
		"share/metainfo/" + id + ".metainfo.xml",
		"share/mime/packages/" + id + ".xml",
	}
	file, err := os.Open(only(t, filepath.Join(out, "workbench-desktop-*.tar.gz")))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := files(t, unzipped, 1); !slices.Equal(got, want) {
		t.Errorf("the tarball has %q,\nwant %q", got, want)
	}

	deb := only(t, filepath.Join(out, "*.deb"))
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("dpkg-deb isn't installed here, so the Debian package cannot be looked into")
	}
	content := exec.CommandContext(t.Context(), "dpkg-deb", "--fsys-tarfile", deb)
	stream, err := content.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := content.Start(); err != nil {
		t.Fatal(err)
	}
	if got := files(t, stream, 1); !slices.Equal(got, want) {
		t.Errorf("the Debian package has %q,\nwant %q", got, want)
	}
	if err := content.Wait(); err != nil {
		t.Error(err)
	}

	root := filepath.Join(out, "root")
	if said, err := exec.CommandContext(t.Context(), "dpkg-deb", "--extract", deb, root).CombinedOutput(); err != nil {
		t.Fatalf("dpkg-deb: %v\n%s", err, said)
	}
	share := filepath.Join(root, "usr", "share", "doc", "workbench-desktop")
	bill, err := os.ReadFile(filepath.Join(share, "workbench-desktop.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(root, "usr", "bin")
	checkBill(t, bill, filepath.Join(bin, "workbench-desktop"), filepath.Join(bin, "workbench-engine"))
	p := installed{deb: deb, bin: bin}
	t.Run("sizes", p.sizes)
	t.Run("languages", p.languages)
	t.Run("libraries", p.libraries)
	t.Run("connect", p.connect)
}

// only returns the single file that matches a pattern.
func only(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v", pattern, found, err)
	}
	return found[0]
}

// files lists the files of an archive without the first parts of their paths, and checks their owners and
// permissions.
func files(t *testing.T, archive io.Reader, parts int) []string {
	t.Helper()
	var names []string
	for reader := tar.NewReader(archive); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			slices.Sort(names)
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Uid != 0 || header.Mode&0o022 != 0 {
			t.Errorf("%s belongs to %d and has the mode %o", header.Name, header.Uid, header.Mode)
		}
		if header.Typeflag == tar.TypeReg {
			split := strings.SplitN(strings.TrimPrefix(header.Name, "./"), "/", parts+1)
			names = append(names, split[len(split)-1])
		}
	}
}
