package packaging_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// bash runs one of the scripts of this folder as for the release 1.2.3, and returns what it has printed.
func bash(t *testing.T, args ...string) string {
	t.Helper()
	script := exec.CommandContext(t.Context(), "bash", args...)
	script.Env = append(os.Environ(), "WORKBENCH_VERSION=1.2.3", "SOURCE_DATE_EPOCH=1700000000")
	said, err := script.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, said)
	}
	return string(said)
}

// TestEngineArchives makes the archive and the image of the engine for this computer, and starts what is in them.
func TestEngineArchives(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the recipe is for Linux")
	}
	out, root := t.TempDir(), t.TempDir()
	bash(t, "engine", "--out", out, runtime.GOOS+"/"+runtime.GOARCH)
	folder := "workbench-engine-1.2.3-linux-" + runtime.GOARCH
	bash(t, "-c", `tar -xzf "$0" -C "$1"`, filepath.Join(out, folder+".tar.gz"), root)
	version := func(program string) {
		t.Helper()
		said, err := exec.CommandContext(t.Context(), program, "version").CombinedOutput()
		if err != nil || !strings.HasPrefix(string(said), "workbench-desktop 1.2.3 (") {
			t.Errorf("%s: %s, %v", program, said, err)
		}
	}
	version(filepath.Join(root, folder, "workbench-engine"))
	bill, err := os.ReadFile(filepath.Join(root, folder, "workbench-engine.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	checkBill(t, bill, filepath.Join(root, folder, "workbench-engine"))

	layout, inside := filepath.Join(root, "layout"), filepath.Join(root, "inside")
	for _, folder := range []string{layout, inside} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	bash(t, "-c", `tar -xf "$0" -C "$1"`, filepath.Join(out, "workbench-engine-1.2.3-image.tar"), layout)
	image := ociImage(t, layout)
	if image.Config.Entrypoint[0] != "/usr/bin/workbench-engine" || image.Config.User != "65532:65532" {
		t.Errorf("the image starts %q as %s", image.Config.Entrypoint, image.Config.User)
	}
	if err := unpack(image.layer, inside); err != nil {
		t.Fatal(err)
	}
	version(filepath.Join(inside, "usr", "bin", "workbench-engine"))
	authorities, err := os.ReadFile(filepath.Join(inside, "etc", "ssl", "certs", "ca-certificates.crt"))
	if err != nil || bytes.Count(authorities, []byte("BEGIN CERTIFICATE")) < 80 {
		t.Errorf("%d certificate authorities, %v", bytes.Count(authorities, []byte("BEGIN CERTIFICATE")), err)
	}
}

// image is the part of an image's configuration that matters here, and its only layer.
type image struct {
	Config struct {
		User       string
		Entrypoint []string
	}
	RootFS struct {
		DiffIDs []string `json:"diff_ids"`
	}
	layer []byte
}

// ociImage follows an image's documents from one to the next as programs for containers do, and checks all sums.
func ociImage(t *testing.T, layout string) image {
	t.Helper()
	type descriptor struct {
		Digest string
		Size   int
	}
	var next struct {
		Manifests, Layers []descriptor
		Config            descriptor
	}
	read := func(d descriptor, into any) []byte {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(layout, "blobs", strings.Replace(d.Digest, ":", "/", 1)))
		sum := sha256.Sum256(data)
		if err != nil || d.Digest != "sha256:"+hex.EncodeToString(sum[:]) || d.Size != len(data) {
			t.Fatalf("%+v is not what it says: %v", d, err)
		}
		if into != nil {
			if err := json.Unmarshal(data, into); err != nil {
				t.Fatal(err)
			}
		}
		return data
	}
	data, err := os.ReadFile(filepath.Join(layout, "index.json"))
	if err == nil {
		err = json.Unmarshal(data, &next)
	}
	if err != nil {
		t.Fatal(err)
	}
	read(next.Manifests[0], &next) // all processors
	read(next.Manifests[0], &next) // the first of them
	var found image
	read(next.Config, &found)
	zipped, err := gzip.NewReader(bytes.NewReader(read(next.Layers[0], nil)))
	if err != nil {
		t.Fatal(err)
	}
	var layer bytes.Buffer
	if _, err := layer.ReadFrom(zipped); err != nil {
		t.Fatal(err)
	}
	found.layer = layer.Bytes()
	if sum := sha256.Sum256(found.layer); found.RootFS.DiffIDs[0] != "sha256:"+hex.EncodeToString(sum[:]) {
		t.Errorf("the layer is not %s", found.RootFS.DiffIDs[0])
	}
	return found
}

// unpack writes the files of a layer.
func unpack(layer []byte, into string) error {
	for files := tar.NewReader(bytes.NewReader(layer)); ; {
		header, err := files.Next()
		if err != nil {
			return nil
		}
		target := filepath.Join(into, filepath.FromSlash(header.Name))
		if header.Typeflag != tar.TypeReg {
			continue
		}
		var content bytes.Buffer
		if _, err := content.ReadFrom(files); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(target, content.Bytes(), os.FileMode(header.Mode)); err != nil {
			return err
		}
	}
}

// TestRepositories lays out the repositories, and has apt find the package in one of them.
func TestRepositories(t *testing.T) {
	if _, err := exec.LookPath("createrepo_c"); err != nil {
		t.Skip("createrepo_c is missing")
	}
	packages, out, state := packed(t, "2020-01-01", "022", "UTC"), t.TempDir(), t.TempDir()
	if said := bash(t, "repository", packages, out); !strings.Contains(said, "no GPG_KEY") {
		t.Errorf("it does not say that nothing is signed: %s", said)
	}
	for _, folder := range []string{"lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(state, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	source := filepath.Join(state, "sources.list")
	if err := os.WriteFile(source, []byte("deb [trusted=yes] file:"+out+"/apt ./\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	apt := func(args ...string) string {
		options := []string{"-o", "Dir::Etc::sourcelist=" + source, "-o", "Dir::Etc::sourceparts=/dev/null",
			"-o", "Dir::Etc::parts=/dev/null", "-o", "Dir::Etc::main=/dev/null",
			"-o", "Dir::State::lists=" + state + "/lists", "-o", "Dir::Cache=" + state + "/cache", "-o", "APT::Sandbox::User="}
		said, err := exec.CommandContext(t.Context(), args[0], append(options, args[1:]...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, said)
		}
		return string(said)
	}
	apt("apt-get", "update")
	if said := apt("apt-cache", "show", "workbench-desktop"); !strings.Contains(said, "Version: 1.2.3\n") {
		t.Errorf("apt finds\n%s", said)
	}
	apt("apt-get", "--download-only", "--print-uris", "download", "workbench-desktop")
	index, err := os.ReadFile(filepath.Join(out, "rpm", "repodata", "repomd.xml"))
	if err != nil || !strings.Contains(string(index), "<revision>1700000000</revision>") {
		t.Errorf("%s, %v", index, err)
	}

	// When the packages were made matters to nobody: otherwise it is another list when it is made again.
	bash(t, "-c", `zcat "$0"/rpm/repodata/*-primary.xml.gz | grep --quiet 'time file="1700000000"'`, out)
}

// TestManifests makes the manifests of a release whose files all have the same content, and reads them as
// package managers do.
func TestManifests(t *testing.T) {
	packages, out := t.TempDir(), t.TempDir()
	manifests := func(version string) string {
		said, err := exec.CommandContext(t.Context(), "go", "-C", "tools", "run", "./manifests", version, "2026-11-28",
			packages, out).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		return string(said)
	}
	if said := manifests("1.2.3-rc.1"); !strings.Contains(said, "no version before its release") {
		t.Errorf("1.2.3-rc.1: %s", said)
	}
	sum := sha256.Sum256([]byte("a package"))
	hash := hex.EncodeToString(sum[:])
	files := []string{"workbench-desktop-1.2.3-windows-amd64-setup.exe", "workbench-desktop-1.2.3-windows-amd64.zip"}
	for _, processor := range []string{"amd64", "arm64"} {
		files = append(files, "workbench-desktop-1.2.3-linux-"+processor+".tar.gz",
			"workbench-engine-1.2.3-macos-"+processor+".tar.gz", "workbench-engine-1.2.3-linux-"+processor+".tar.gz")
	}
	for _, name := range files {
		if err := os.WriteFile(filepath.Join(packages, name), []byte("a package"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if said := manifests("1.2.3"); strings.Count(said, "left out") != 1 ||
		!strings.Contains(said, "Workbench-1.2.3.dmg") {
		t.Errorf("without the image for macOS: %s", said)
	}
	if err := os.WriteFile(filepath.Join(packages, "Workbench-1.2.3.dmg"), []byte("a package"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := manifests("1.2.3"); said != "" {
		t.Error(said)
	}
	manifest := func(name string, sums int) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(out, name))
		text := string(data)
		if err != nil || strings.Count(strings.ToLower(text), hash) != sums || strings.Contains(text, "{{") ||
			!strings.HasSuffix(text, "\n") || strings.HasPrefix(text, "\n") || !strings.Contains(text, "1.2.3") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		for _, at := range regexp.MustCompile(`releases/download/v1\.2\.3/([\w.-]+)`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(packages, at[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return text
	}
	for name, kind := range map[string]string{"": "version", ".installer": "installer",
		".locale.en-US": "defaultLocale"} {
		text := manifest("winget/WorkbenchMCP.Workbench"+name+".yaml", strings.Count(name, "installer"))
		for _, key := range []string{"PackageIdentifier: WorkbenchMCP.Workbench", "PackageVersion: 1.2.3",
			"ManifestType: " + kind, "ManifestVersion: 1.6.0"} {
			if !strings.Contains(text, "\n"+key+"\n") {
				t.Errorf("winget%s has no %s", name, key)
			}
		}
	}
	if setup := manifest("winget/WorkbenchMCP.Workbench.installer.yaml", 1); !strings.Contains(setup,
		"InstallerSha256: "+strings.ToUpper(hash)) || !strings.Contains(setup, "ProductCode: "+id+"\n") {
		t.Errorf("the installer of winget:\n%s", setup)
	}
	var scoop struct {
		Version      string
		Architecture map[string]struct{ URL, Hash string }
	}
	if err := json.Unmarshal([]byte(manifest("scoop/workbench.json", 1)), &scoop); err != nil ||
		scoop.Version != "1.2.3" || scoop.Architecture["64bit"].Hash != hash {
		t.Errorf("%+v, %v", scoop, err)
	}
	manifest("homebrew/Casks/workbench.rb", 1)
	manifest("homebrew/Formula/workbench-engine.rb", 4)
	for _, name := range []string{"homebrew/Casks/workbench.rb", "homebrew/Formula/workbench-engine.rb"} {
		text := manifest(name, strings.Count(name, "Formula")*3+1)
		begins := len(regexp.MustCompile(`(?m)( do|^class .*|^  def .*)$`).FindAllString(text, -1))
		if ends := len(regexp.MustCompile(`(?m)^ *end$`).FindAllString(text, -1)); begins != ends {
			t.Errorf("%s: %d blocks begin, and %d end", name, begins, ends)
		}
	}
	aur(t, filepath.Join(out, "aur", "workbench-desktop-bin"), manifest)
}

// aur checks that the recipe for the AUR is one for bash, and that the file that the AUR reads says the same.
func aur(t *testing.T, folder string, manifest func(name string, sums int) string) {
	t.Helper()
	manifest("aur/workbench-desktop-bin/PKGBUILD", 2)
	info := manifest("aur/workbench-desktop-bin/.SRCINFO", 2)
	script := `source "$0"; printf 'pkgbase = %s\n' "$pkgname"`
	for _, field := range []string{"pkgdesc", "pkgver", "pkgrel", "url"} {
		script += fmt.Sprintf(`; printf '\t%s = %%s\n' "$%s"`, field, field)
	}
	for _, field := range []string{"arch", "license", "depends", "optdepends", "provides", "conflicts", "source_x86_64",
		"sha256sums_x86_64", "source_aarch64", "sha256sums_aarch64"} {
		script += fmt.Sprintf(`; printf '\t%s = %%s\n' "${%s[@]}"`, field, field)
	}
	script += `; printf '\npkgname = %s\n' "$pkgname"`
	if want := bash(t, "-c", script, filepath.Join(folder, "PKGBUILD")); want != info {
		t.Errorf(".SRCINFO is\n%s, and the recipe says\n%s", info, want)
	}
}

// TestWorkflows checks that what the workflows start is there: they have run nowhere yet.
func TestWorkflows(t *testing.T) {
	workflows, err := filepath.Glob(filepath.Join("..", ".github", "workflows", "*.yml"))
	if err != nil || len(workflows) != 2 {
		t.Fatalf("%q, %v", workflows, err)
	}
	for _, name := range workflows {
		text := read(t, ".github", "workflows", filepath.Base(name))
		for _, path := range regexp.MustCompile(`(\./(engine|app|cmd)/|packaging/|\.ci/)[\w/-]+`).FindAllString(text, -1) {
			if _, err := os.Stat(filepath.Join("..", strings.TrimPrefix(path, "./"))); err != nil {
				t.Errorf("%s: %v", filepath.Base(name), err)
			}
		}
	}
}
