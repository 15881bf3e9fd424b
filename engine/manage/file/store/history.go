package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Default limits of a history.
const (
	DefaultMaxVersions = 200
	DefaultMaxBytes    = 64 << 20
)

// Author says which program made a version.
type Author string

// The authors.
const (
	AuthorWindow      Author = "window"
	AuthorCommandLine Author = "command line"
	AuthorOther       Author = "another editor" // a program that does not use a Store
)

// Version is one saved version of the file in its history.
type Version struct {
	// ID identifies the version in the history of its file. Later versions have higher numbers.
	ID string `json:"id"`

	Time   time.Time `json:"time"`   // when it was saved or first seen, in UTC
	Size   int64     `json:"size"`   // of the file, in bytes
	Label  string    `json:"label"`  // what was done, such as "added server memory to dev"
	Author Author    `json:"author"` // who did it

	// Says is the label in any language; zero in versions made by an older program.
	Says words.Text `json:"says,omitzero"`
}

// Text returns the label in any language. If an older program made the version, or a newer one used a text
// that this program does not know, it returns Label.
func (v Version) Text() words.Text {
	if v.Says.IsZero() || !words.English().Knows(v.Says) {
		return words.Foreign(v.Label)
	}
	return v.Says
}

// maxSays is the size in bytes above which only the label of a sentence is kept, since that is shorter.
const maxSays = 8 << 10

// history keeps the versions of one file, each in a file of its own, in one folder. The caller must lock the
// file before calling methods that write.
//
// The file of a version is one line of JSON, the header, followed by the text without its secrets. People can
// read it. If it was truncated, that is noticed, since the length and the hash do not match.
type history struct {
	folder      string
	hasher      hasher
	maxVersions int
	maxBytes    int64
}

// header is the first line of a version's file.
type header struct {
	Format int `json:"format"` // 1
	Version

	// Began is when the first of the joined versions was made; see joins. It is zero if nothing was joined.
	Began time.Time `json:"began,omitzero"`

	Path string `json:"path"` // of the configuration file, for people
	Hash string `json:"hash"` // keyed hash of the original file
	Text int64  `json:"text"` // length of the text that follows
	Sum  string `json:"sum"`  // SHA-256 of the text that follows
}

const (
	historyFormat = 1
	versionEnd    = ".version"
	maxHeader     = 64 << 10
)

const errDamaged = words.Code("store.damaged")

// versionFile is the file of a version, which may be unreadable.
type versionFile struct {
	number int
	name   string
	size   int64
}

// files returns the files of the versions, the oldest first.
func (h *history) files() ([]versionFile, error) {
	entries, err := os.ReadDir(h.folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var found []versionFile
	for _, entry := range entries {
		digits, ok := strings.CutSuffix(entry.Name(), versionEnd)
		number, err := strconv.Atoi(digits)
		if !ok || err != nil || number <= 0 {
			continue
		}
		file := versionFile{number: number, name: filepath.Join(h.folder, entry.Name())}
		if info, err := entry.Info(); err == nil {
			file.size = info.Size()
		}
		found = append(found, file)
	}
	slices.SortStableFunc(found, func(a, b versionFile) int { return cmp.Compare(a.number, b.number) })
	return found, nil
}

// list returns the readable versions, the newest first.
func (h *history) list() ([]Version, error) {
	files, err := h.files()
	if err != nil {
		return nil, words.NewError("store.history_unread", "Folder", h.folder, "Why", err)
	}
	versions := []Version{}
	for _, file := range slices.Backward(files) {
		if head, err := file.header(); err == nil {
			versions = append(versions, head.Version)
		}
	}
	return versions, nil
}

// header reads only the header. That is enough to notice a truncated file.
func (f versionFile) header() (header, error) {
	file, err := os.Open(f.name)
	if err != nil {
		return header{}, err
	}
	defer file.Close()
	start := make([]byte, min(f.size, maxHeader))
	n, err := file.Read(start)
	if err != nil {
		return header{}, err
	}
	head, rest, err := parseHeader(start[:n])
	if err == nil && int64(rest)+head.Text != f.size {
		err = errDamaged
	}
	head.ID = strconv.Itoa(f.number)
	return head, err
}

func parseHeader(data []byte) (head header, length int, err error) {
	end := bytes.IndexByte(data, '\n')
	if end < 0 || json.Unmarshal(data[:end], &head) != nil || head.Format != historyFormat {
		return header{}, 0, errDamaged
	}
	return head, end + 1, nil
}

// load returns a version with its text, which has placeholders instead of secrets.
func (h *history) load(id string) (Version, []byte, error) {
	files, err := h.files()
	if err != nil {
		return Version{}, nil, words.NewError("store.history_unread", "Folder", h.folder, "Why", err)
	}
	at := slices.IndexFunc(files, func(f versionFile) bool { return strconv.Itoa(f.number) == id })
	if at < 0 {
		return Version{}, nil, words.NewError("store.no_version", "Version", words.Quoted(id))
	}
	version, text, err := files[at].load()
	if err != nil {
		return Version{}, nil, words.NewError("store.version_unread", "Version", id, "File", files[at].name, "Why", err)
	}
	return version, text, nil
}

func (f versionFile) load() (Version, []byte, error) {
	data, err := os.ReadFile(f.name)
	if err != nil {
		return Version{}, nil, err
	}
	head, length, err := parseHeader(data)
	if err != nil {
		return Version{}, nil, err
	}
	text := data[length:]
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != head.Sum {
		return Version{}, nil, errDamaged
	}
	head.ID = strconv.Itoa(f.number)
	return head.Version, text, nil
}

// before returns the text of the newest readable version before another; nil if there is none.
func (h *history) before(id string) []byte {
	files, _ := h.files()
	for _, file := range slices.Backward(files) {
		if number, err := strconv.Atoi(id); err != nil || file.number >= number {
			continue
		}
		if _, text, err := file.load(); err == nil {
			return text
		}
	}
	return nil
}

// record adds a version of the file, unless it equals the newest one. It returns the id of the version that
// has the text.
func (h *history) record(path string, source []byte, made Version, now time.Time) (id string, err error) {
	if err := os.MkdirAll(h.folder, 0o700); err != nil {
		return "", err
	}
	files, err := h.files()
	if err != nil {
		return "", err
	}
	hash, label := h.hasher.file(source), secret.MaskLabel(made.Label)
	says := made.Says.Map(secret.MaskLabel)
	if says.Code == "" || says.Size() > maxSays {
		says = words.Text{}
	}
	next := 1
	var began time.Time // zero if the version is not joined
	if len(files) > 0 {
		newest := files[len(files)-1]
		head, err := newest.header()
		if err == nil && head.Hash == hash {
			return head.ID, nil
		}
		if err == nil && head.joins(label, made.Author, now) {
			began = head.begin()
		}
		next = newest.number + 1
	}
	text := hideSecrets(source, h.hasher)
	sum := sha256.Sum256(text)
	head := header{
		Format: historyFormat,
		Version: Version{
			ID: strconv.Itoa(next), Time: now.UTC(), Size: int64(len(source)), Label: label, Author: made.Author, Says: says,
		},
		Began: began, Path: path, Hash: hash, Text: int64(len(text)), Sum: hex.EncodeToString(sum[:]),
	}
	line, err := json.Marshal(head)
	if err != nil {
		return "", err
	}
	data := append(append(line, '\n'), text...)
	name := filepath.Join(h.folder, fmt.Sprintf("%08d%s", next, versionEnd))
	if err := writeNew(name, data); err != nil {
		return "", err
	}
	if last := len(files) - 1; !began.IsZero() && os.Remove(files[last].name) == nil {
		files = files[:last]
	}
	h.prune(append(files, versionFile{next, name, int64(len(data))}))
	return head.ID, nil
}

// joinTime is how long versions are joined.
const joinTime = 5 * time.Minute

// joins reports whether the next version replaces this one, the newest. The window saves typed text at every
// pause, and a version for each pause would soon leave no room for others. The version before the first of
// them stays. Only the window's versions are joined, since the window can undo each edit; other programs have
// only the history.
func (h header) joins(label string, author Author, now time.Time) bool {
	since := now.Sub(h.begin())
	return author == AuthorWindow && h.Author == author && h.Label == label && since >= 0 && since < joinTime
}

func (h header) begin() time.Time {
	if h.Began.IsZero() {
		return h.Time
	}
	return h.Began
}

// writeNew makes a file that must not exist. It need not be atomic, since a truncated file is noticed.
func writeNew(name string, data []byte) (err error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Sync(), file.Close())
	if err != nil {
		_ = os.Remove(name)
	}
	return err
}

// prune deletes the oldest versions until the history is within its limits. The newest version always stays.
func (h *history) prune(files []versionFile) {
	var total int64
	count := 0
	for i, file := range slices.Backward(files) {
		total += file.size
		count++
		if i < len(files)-1 && (count > h.maxVersions || total > h.maxBytes) {
			_ = os.Remove(file.name) // otherwise it is removed next time
		}
	}
}
