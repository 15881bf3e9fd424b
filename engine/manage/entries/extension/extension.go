package extension

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Extension is a bundle that has been read. It must not be changed.
type Extension struct {
	Name        string // its name for programs
	Title       string
	Version     string
	Author      string // may be empty
	Description string
	Type        Type
	Runtime     string   // the versions of Node.js or Python that it needs, such as ">=18"; may be empty
	Tools       []string // the tools that the manifest names
	Settings    []Setting

	here     System
	manifest *manifest
	path     string // of the bundle
	digest   [sha256.Size]byte
	files    map[string]bool // the files in the bundle
}

// Read reads a bundle. The error is an [*Error] if the bundle cannot be used. Read writes nothing.
func Read(ctx context.Context, path string, here System) (*Extension, error) {
	x := &Extension{here: here, path: path}
	a, file, err := x.open(ctx)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	x.files = make(map[string]bool, len(a.files))
	for _, f := range a.files {
		x.files[f.Name] = true
	}
	text, err := readManifest(a)
	if err != nil {
		return nil, err
	}
	if x.manifest, err = parseManifest(text, x.files, here); err != nil {
		return nil, err
	}
	m := x.manifest
	x.Name, x.Version, x.Author, x.Description = visible.Short(m.Name, 60), visible.Short(m.Version, 40),
		visible.Short(m.Author.name, 80), visible.Short(m.Description, 400)
	if x.Title = visible.Short(m.DisplayName, 80); x.Title == "" {
		x.Title = x.Name
	}
	x.Type, x.Tools = m.Server.Type, m.tools()
	switch x.Type {
	case Node:
		x.Runtime = visible.Short(m.Compatibility.Runtimes["node"], 40)
	case Python, UV:
		x.Runtime = visible.Short(m.Compatibility.Runtimes["python"], 40)
	}
	if x.Settings, err = m.settings(here); err != nil {
		return nil, err
	}
	// Make sure that the command can be shown.
	answers := map[string][]string{}
	for _, s := range x.Settings {
		if answers[s.Name] = s.Default; len(s.Default) == 0 {
			answers[s.Name] = []string{"x"}
		}
	}
	if _, err := x.Server(answers); err != nil {
		return nil, err
	}
	return x, nil
}

// open opens the bundle's file and checks its list of files. The caller must close the file.
func (x *Extension) open(ctx context.Context) (*archive, *os.File, error) {
	// Opening a pipe would block until a program writes into it.
	if info, err := os.Stat(x.path); err != nil {
		return nil, nil, err
	} else if !info.Mode().IsRegular() {
		return nil, nil, &Error{words.New("extension.no_file"), words.New("extension.choose_the_file")}
	}
	file, err := os.Open(x.path)
	if err != nil {
		return nil, nil, err
	}
	a, err := x.check(ctx, file)
	if err != nil {
		_ = file.Close() // it was only read
		return nil, nil, err
	}
	return a, file, nil
}

func (x *Extension) check(ctx context.Context, file *os.File) (*archive, error) {
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.Size() == 0:
		return nil, &Error{words.New("extension.empty"), getAgain.Text()}
	case info.Size() > MaxSize:
		return nil, &Error{words.New("extension.too_large", "MiB", info.Size()>>20, "Most", MaxSize>>20), tellMaker.Text()}
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, &contextReader{ctx, io.LimitReader(file, MaxSize)}); err != nil {
		return nil, err
	}
	switch digest := [sha256.Size]byte(sum.Sum(nil)); {
	case x.digest == [sha256.Size]byte{}: // Only Read gets here. Later calls, which may come from other goroutines, never write the digest.
		x.digest = digest
	case x.digest != digest:
		return nil, &Error{words.New("extension.changed"), words.New("extension.choose_again")}
	}
	return openArchive(file, info.Size())
}

// contextReader is a reader that fails when its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (p *contextReader) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.Read(b)
}

// readManifest reads the manifest of a bundle.
func readManifest(a *archive) ([]byte, error) {
	f := a.byName[manifestName]
	if f == nil {
		for _, other := range a.files {
			if path.Base(other.Name) == manifestName && strings.Count(other.Name, "/") == 1 {
				return nil, &Error{words.New("extension.folder_packed", "Manifest", manifestName, "Folder",
					shown(path.Dir(other.Name))), tellMaker.Text()}
			}
		}
		return nil, &Error{words.New("extension.no_manifest", "Manifest", manifestName),
			words.New("extension.choose_a_file")}
	}
	if f.UncompressedSize64 > maxManifest {
		return nil, &Error{words.New("extension.manifest_too_long", "Manifest", manifestName, "KiB", maxManifest>>10),
			notTrusted.Text()}
	}
	var b bytes.Buffer
	err := copyTo(&b, f)
	return b.Bytes(), err
}

// Folder returns the folder into which the bundle is unpacked. It depends on the contents, so that another
// bundle with the same name and version has another folder.
func (x *Extension) Folder() string {
	return filepath.Join(x.here.Folder, folderName(x.Name), folderName(x.Version)+"-"+hex.EncodeToString(x.digest[:8]))
}

// Server returns the entry that starts the server. answers are the values of the settings by name: none, one,
// or several if the setting takes several. Like everything in an entry they may refer to the environment and
// the keychain.
//
// An argument or variable that refers to a setting without an answer is left out. After an option ("--key")
// it becomes an empty argument, since otherwise the next argument would be taken for the option's value.
func (x *Extension) Server(answers map[string][]string) (*config.Server, error) {
	given := make(map[string][]string, len(x.Settings))
	for _, s := range x.Settings {
		given[s.Name] = nil
		for _, answer := range answers[s.Name] {
			if answer = strings.TrimSpace(answer); answer != "" {
				given[s.Name] = append(given[s.Name], answer)
			}
		}
	}
	variables := x.here.variables()
	variables["__dirname"] = x.Folder()
	l := x.manifest.launch(x.here)
	s := &config.Server{Name: folderName(x.Name), Transport: config.TransportStdio}
	var t template
	var err error
	if s.Command, err = x.command(&t, l.Command, variables, given); err != nil {
		return nil, err
	}
	for i, arg := range l.Args {
		filled, err := t.fill(arg, variables, given)
		if err != nil {
			return nil, err
		}
		if len(filled) == 0 && i > 0 && strings.HasPrefix(l.Args[i-1], "-") && !strings.ContainsAny(l.Args[i-1], "=$") &&
			placeholder.FindString(arg) == arg {
			filled = []string{""}
		}
		s.Args = append(s.Args, filled...)
	}
	for _, v := range l.Env {
		filled, err := t.fill(string(v.value), variables, given)
		if err != nil {
			return nil, err
		}
		if len(filled) > 0 {
			s.Env = append(s.Env, config.Variable{Name: v.name, Value: strings.Join(filled, ",")})
		}
	}
	// Relative paths in the manifest are relative to the bundle's folder.
	s.Cwd, err = t.one(x.Folder(), nil)
	return s, err
}

// command returns the program. A program of the bundle is named by its absolute path.
func (x *Extension) command(t *template, command string, variables map[string]string,
	given map[string][]string) (string, error) {
	if own := x.own(command); own != "" {
		return t.one(filepath.Join(x.Folder(), filepath.FromSlash(own)), nil)
	}
	filled, err := t.fill(command, variables, given)
	if err != nil {
		return "", err
	}
	// The command must be exactly one text; a setting with no answer or with several makes it ambiguous.
	if len(filled) != 1 || strings.TrimSpace(filled[0]) == "" {
		return "", &Error{words.New("extension.no_command_filled"), tellMaker.Text()}
	}
	return filled[0], nil
}

// own returns the file of the bundle that a command names; empty if it names another program. As the format
// requires, the file name extensions of programs are tried on Windows.
func (x *Extension) own(command string) string {
	name := entryPath(command)
	if name == command && !strings.Contains(command, "/") && x.Type != Binary {
		return "" // a program of the system
	}
	if x.here.OS == "windows" && x.files[name+".exe"] {
		return name + ".exe"
	}
	if x.files[name] {
		return name
	}
	return ""
}

// programs returns the files that must be executable, whatever their mode in the bundle is.
func (x *Extension) programs() []string {
	var list []string
	if own := x.own(x.manifest.launch(x.here).Command); own != "" {
		list = append(list, own)
	}
	if x.Type == Binary {
		list = append(list, entryPath(x.manifest.Server.EntryPoint))
	}
	return list
}

// mode returns the mode for a file of the bundle: accessible to the user only, and executable if the bundle
// says so.
func (x *Extension) mode(f *zip.File) fs.FileMode {
	if f.Mode()&0o111 != 0 || slices.Contains(x.programs(), f.Name) {
		return 0o700
	}
	return 0o600
}

// isContext reports whether the error is that of an ended context.
func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
