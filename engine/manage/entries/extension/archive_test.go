package extension

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for name, words := range map[string]string{
		"../evil":                          "outside of the extension's folder",
		"server/../../evil":                "outside of the extension's folder",
		"/etc/passwd":                      "outside of the extension's folder",
		"C:/Windows/evil":                  "outside of the extension's folder",
		`server\..\..\evil`:                "cannot have that name",
		"server//x":                        "a part of the path is missing",
		"./x":                              "a part of the path is missing",
		"/":                                "that is no name",
		"a/b:stream":                       "cannot have that name",
		"a\nb":                             "cannot have that name",
		"bell\a":                           "cannot have that name",
		"a.":                               "takes it for another name",
		"a /b":                             "takes it for another name",
		"server/NUL":                       "a device on Windows",
		"aux.js":                           "a device on Windows",
		"lib/com1.txt":                     "a device on Windows",
		"CONIN$":                           "a device on Windows",
		"lpt³":                             "a device on Windows",
		"a\xffb":                           "not text",
		strings.Repeat("a", 256):           "too long",
		strings.Repeat("a/", 70) + "x":     "too long",
		strings.Repeat("abcdefg/", 130):    "too long",
		"SERVER/Index.js":                  "are the same file on many computers",
		"server/index.js/x":                "is a file and a folder at once",
		"Server/INDEX.js/":                 "is a file and a folder at once",
		"server":                           "is a file and a folder at once",
		"server/index.js":                  "is in it twice",
		"Manifest.json":                    "are the same file on many computers",
		"stra\u00dfe.js\x00/../../../evil": "",
	} {
		refused(t, here(t), packed(t, append(usual(good), entry{name, "x", 0o644})), words)
	}
	// macOS treats two ways of writing the same letter as the same name.
	refused(t, here(t), packed(t, append(usual(good), entry{"\u00e9", "x", 0}, entry{"e\u0301", "x", 0})),
		"are the same file")
	// Names that real extensions have are accepted.
	fine := []entry{{"server/", "", 0}, {"server/lib/", "", fs.ModeDir | 0o755},
		{"node_modules/@scope/a-b.c/index.d.ts", "", 0o644},
		{"com10.js", "", 0}, {"console.js", "", 0}, {".hidden/x", "", 0}, {"ünï/日本.txt", "", 0},
		{"with space/a (1).txt", "", 0}}
	read(t, here(t), append(usual(good), fine...))
}

func TestLinks(t *testing.T) {
	for _, mode := range []fs.FileMode{fs.ModeSymlink | 0o777, fs.ModeDevice | 0o666, fs.ModeNamedPipe | 0o600,
		fs.ModeSocket | 0o600, fs.ModeDir | 0o755} {
		refused(t, here(t), packed(t, append(usual(good), entry{"server/link", "../../../etc/passwd", mode})),
			"neither a file nor a folder")
	}
	refused(t, here(t), forged(t, usual(good), func(_, list []byte) { list[8] |= 1 }), "protected with a password")
	refused(t, here(t), forged(t, usual(good), func(_, list []byte) { list[10] = 12 }), "packed in a way")
}

// forged makes a bundle in which the two records of the second file are changed: the header before its
// contents, and its record in the list.
func forged(t *testing.T, entries []entry, change func(local, list []byte)) []byte {
	t.Helper()
	data := packed(t, entries)
	nth := func(signature string, n int) []byte {
		at := 0
		for range n {
			next := bytes.Index(data[at:], []byte(signature))
			if next < 0 {
				t.Fatal("there is no such record")
			}
			at += next + 1
		}
		return data[at-1:]
	}
	change(nth("PK\x03\x04", 2), nth("PK\x01\x02", 2))
	return data
}

// TestLies: files that claim another size or other contents than they have.
func TestLies(t *testing.T) {
	large := append(usual(good), entry{})
	copy(large[2:], large[1:])
	large[1] = entry{"bomb", strings.Repeat("\x00", 1<<20), 0o644}
	for name, change := range map[string]func(local, list []byte){
		"smaller": func(_, list []byte) { binary.LittleEndian.PutUint32(list[24:], 10) },
		"larger":  func(_, list []byte) { binary.LittleEndian.PutUint32(list[24:], 2<<20) },
		"sum":     func(_, list []byte) { list[16] ^= 1 },
	} {
		s := here(t)
		x, err := Read(t.Context(), saved(t, forged(t, large, change)), s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := x.Unpack(t.Context()); err == nil ||
			!strings.Contains(err.Error(), "“bomb” in it is damaged. Download it again") {
			t.Errorf("%s: %v", name, err)
		}
		if left := everything(t, s.Folder); len(left) > 1 { // the folder named after the extension
			t.Errorf("%s: left is %q", name, left)
		}
	}
	refused(t, here(t), forged(t, large, func(_, list []byte) {
		binary.LittleEndian.PutUint32(list[24:], 0xf0000000)
	}), "larger than 1024 MiB")
	refused(t, here(t), forged(t, large, func(_, list []byte) {
		binary.LittleEndian.PutUint32(list[24:], 200<<20)
	}), "times its own size")
	refused(t, here(t), forged(t, large, func(_, list []byte) {
		binary.LittleEndian.PutUint32(list[20:], 1<<20)
	}), "made to fill a disk")
	// The second file claims the contents of the first.
	refused(t, here(t), forged(t, large, func(_, list []byte) {
		binary.LittleEndian.PutUint32(list[42:], 0)
	}), "share the same contents")
}

func TestBroken(t *testing.T) {
	data := packed(t, usual(good))
	refused(t, here(t), []byte("just text"), "not an extension")
	refused(t, here(t), nil, "empty")
	for _, length := range []int{1, 21, 22, len(data) / 2, len(data) - 23, len(data) - 1} {
		refused(t, here(t), data[:length], "")
	}
	end := bytes.LastIndex(data, []byte(endSignature))
	for offset, words := range map[int]string{4: "damaged", 8: "damaged", 12: "damaged", 16: "damaged"} {
		wrong := bytes.Clone(data)
		wrong[end+offset]++
		refused(t, here(t), wrong, words)
	}
	wrong := bytes.Clone(data)
	binary.LittleEndian.PutUint16(wrong[end+8:], 0xffff)
	binary.LittleEndian.PutUint16(wrong[end+10:], 0xffff)
	refused(t, here(t), wrong, "more files than")
	binary.LittleEndian.PutUint16(wrong[end+8:], 1) // there are two
	binary.LittleEndian.PutUint16(wrong[end+10:], 1)
	refused(t, here(t), wrong, "damaged")
	refused(t, here(t), append([]byte("#!/bin/sh\n"), data...), "damaged")

	// The signature that the format's tool appends is ignored.
	signed := append(bytes.Clone(data), []byte("MCPB_SIG_V1\x10\x00\x00\x00PK\x05\x06 a signature MCPB_SIG_END")...)
	if _, err := Read(t.Context(), saved(t, signed), here(t)); err != nil {
		t.Errorf("a signed one is refused: %v", err)
	}
	folder := t.TempDir()
	if _, err := Read(t.Context(), folder, here(t)); err == nil || !strings.Contains(err.Error(), "not a file") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Read(t.Context(), filepath.Join(folder, "none.mcpb"), here(t)); !os.IsNotExist(err) {
		t.Errorf("a missing one: %v", err)
	}
	sparse := filepath.Join(folder, "large.mcpb")
	if err := os.WriteFile(sparse, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, MaxSize+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), sparse, here(t)); err == nil || !strings.Contains(err.Error(), "up to 512 MiB") {
		t.Errorf("a large one: %v", err)
	}
}

// TestTooManyFiles: a list of files that is longer than any real extension's is not read.
func TestTooManyFiles(t *testing.T) {
	var entries []entry
	for i := range MaxFiles + 1 {
		entries = append(entries, entry{fmt.Sprintf("f%d", i), "", 0})
	}
	refused(t, here(t), packed(t, append(usual(good), entries...)), "more files than the 50000")
}

func TestNoManifest(t *testing.T) {
	refused(t, here(t), packed(t, []entry{{"readme.txt", "hello", 0}}), "there is no manifest.json in it")
	refused(t, here(t), packed(t, []entry{{"notes/manifest.json", good, 0}, {"notes/server/index.js", "", 0}}),
		"in the folder “notes” instead of at the top")
	refused(t, here(t), packed(t, []entry{{"manifest.json", good + strings.Repeat(" ", maxManifest), 0},
		{"server/index.js", "", 0}}), "longer than 1024 KiB")
	damagedText := packed(t, usual(good))
	sum := crc32.ChecksumIEEE([]byte(good))
	at := bytes.LastIndex(damagedText, binary.LittleEndian.AppendUint32(nil, sum))
	damagedText[at] ^= 1
	refused(t, here(t), damagedText, "“manifest.json” in it is damaged")
}

func FuzzRead(f *testing.F) {
	f.Add(packed(f, usual(good)))
	f.Add(packed(f, append(usual(demanding), entry{"a/", "", 0}, entry{"b", strings.Repeat("x", 5000), 0o755})))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkBundle(t, data)
	})
}

// FuzzManifest changes only the manifest, since random changes of the zip file would fail at its checksums.
func FuzzManifest(f *testing.F) {
	f.Add(good, "server/index.js")
	f.Add(demanding, "../x")
	f.Add(with(`"node", "args"`, `"${user_config.a}", "args"`), "server/index.js")
	f.Fuzz(func(t *testing.T, manifest, name string) {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for name, text := range map[string]string{"manifest.json": manifest, name: "x"} {
			file, err := w.Create(name)
			if err != nil {
				t.Skip()
			}
			_, _ = file.Write([]byte(text)) // to memory
		}
		if w.Close() != nil {
			t.Skip()
		}
		checkBundle(t, b.Bytes())
	})
}

// checkBundle checks that a bundle is refused with an error for people, or else writes nothing outside its
// folder and refers to none of the user's values.
func checkBundle(t *testing.T, data []byte) {
	s := here(t)
	x, err := Read(t.Context(), saved(t, data), s)
	if err != nil {
		if err.Error() == "" {
			t.Error("the error has no text")
		}
		return
	}
	answers := map[string][]string{}
	for _, setting := range x.Settings {
		answers[setting.Name] = setting.Default
	}
	if server, err := x.Server(answers); err == nil {
		noReferences(t, server)
		if server.Cwd != x.Folder() || filepath.Dir(filepath.Dir(x.Folder())) != s.Folder {
			t.Errorf("the server starts in %s", server.Cwd)
		}
	}
	if _, err := x.Unpack(t.Context()); err != nil {
		return
	}
	entries, err := os.ReadDir(s.Home)
	if err != nil || len(entries) != 1 {
		t.Errorf("beside its folder there is %v, %v", entries, err)
	}
	if err := x.Remove(); err != nil {
		t.Error(err)
	}
	if left := everything(t, filepath.Join(s.Home, "data")); len(left) > 0 {
		t.Errorf("left is %q", left)
	}
}
