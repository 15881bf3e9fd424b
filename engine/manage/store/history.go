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
	"github.com/workbench-mcp/workbench-desktop/engine/order"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Defaults of the bounds of a history.
const (
	DefaultMaxVersions = 200
	DefaultMaxBytes    = 64 << 20
)

// Author says who made a version.
type Author string

// The authors.
const (
	AuthorWindow      Author = "window"
	AuthorCommandLine Author = "command line"
	AuthorOther       Author = "another editor" // whoever doesn't go through a Store
)

// Version is one saved version of the file in its history.
type Version struct {
	// ID names the version within the history of its file. Later versions have higher numbers.
	ID string `json:"id"`

	Time   time.Time `json:"time"`   // when it was saved or first seen, in UTC
	Size   int64     `json:"size"`   // of the file, in bytes
	Label  string    `json:"label"`  // what was done, such as "added server memory to dev"
	Author Author    `json:"author"` // who did it

	// Says is the label in any language; zero in versions that an older program has kept.
	Says words.Text `json:"says,omitzero"`
}

// Text returns what was done as a sentence in any language. It is the label in versions that an older program has kept, and in those that a
// newer one has kept in words that this one does not have.
func (v Version) Text() words.Text {
	if v.Says.IsZero() || !words.English().Knows(v.Says) {
		return words.Foreign(v.Label)
	}
	return v.Says
}

// maxSays is the size from which on a sentence is only kept as its label, which is shorter.
const maxSays = 8 << 10

// history keeps the versions of one file, one file each, in a folder of their own. Its methods that
// write are called with the file locked.
//
// A version's file is one line of JSON, the header, and then the text without its secrets. People
// can read it, and so can we when it was cut off: its length and its hash don't fit then.
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

	// Began is when the first of the versions was made that this one stands for; see joins. Zero when it is the only one.
	Began time.Time `json:"began,omitzero"`

	Path string `json:"path"` // of the configuration file, for people
	Hash string `json:"hash"` // of the file as it was, keyed
	Text int64  `json:"text"` // length of the text that follows
	Sum  string `json:"sum"`  // SHA-256 of the text that follows
}

const (
	historyFormat = 1
	versionEnd    = ".version"
	maxHeader     = 64 << 10
)

const errDamaged = words.Code("store.damaged")

// kept is a version's file in the folder, whether it can be read or not.
type kept struct {
	number int
	name   string
	size   int64
}

// files returns the versions' files, oldest first.
func (h *history) files() ([]kept, error) {
	entries, err := os.ReadDir(h.folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var found []kept
	for _, entry := range entries {
		digits, ok := strings.CutSuffix(entry.Name(), versionEnd)
		number, err := strconv.Atoi(digits)
		if !ok || err != nil || number <= 0 {
			continue
		}
		file := kept{number: number, name: filepath.Join(h.folder, entry.Name())}
		if info, err := entry.Info(); err == nil {
			file.size = info.Size()
		}
		found = append(found, file)
	}
	order.By(found, func(a, b kept) int { return cmp.Compare(a.number, b.number) })
	return found, nil
}

// list returns the versions that can be read, newest first.
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

// header reads no more than the header, which is enough to tell when the file was cut off.
func (k kept) header() (header, error) {
	file, err := os.Open(k.name)
	if err != nil {
		return header{}, err
	}
	defer file.Close()
	start := make([]byte, min(k.size, maxHeader))
	n, err := file.Read(start)
	if err != nil {
		return header{}, err
	}
	head, rest, err := parseHeader(start[:n])
	if err == nil && int64(rest)+head.Text != k.size {
		err = errDamaged
	}
	head.ID = strconv.Itoa(k.number)
	return head, err
}

func parseHeader(data []byte) (head header, length int, err error) {
	end := bytes.IndexByte(data, '\n')
	if end < 0 || json.Unmarshal(data[:end], &head) != nil || head.Format != historyFormat {
		return header{}, 0, errDamaged
	}
	return head, end + 1, nil
}

// load returns a version with its text, in which placeholders stand for secrets.
func (h *history) load(id string) (Version, []byte, error) {
	files, err := h.files()
	if err != nil {
		return Version{}, nil, words.NewError("store.history_unread", "Folder", h.folder, "Why", err)
	}
	at := slices.IndexFunc(files, func(k kept) bool { return strconv.Itoa(k.number) == id })
	if at < 0 {
		return Version{}, nil, words.NewError("store.no_version", "Version", strconv.Quote(id))
	}
	version, text, err := files[at].load()
	if err != nil {
		return Version{}, nil, words.NewError("store.version_unread", "Version", id, "File", files[at].name, "Why", err)
	}
	return version, text, nil
}

func (k kept) load() (Version, []byte, error) {
	data, err := os.ReadFile(k.name)
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
	head.ID = strconv.Itoa(k.number)
	return head.Version, text, nil
}

// before returns the text of the newest version that can be read before a certain one, or nothing.
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

// record keeps a version of the file, unless it is the same as the newest one. It returns the id
// of the one that is kept.
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
	var began time.Time // zero when the version stands for itself
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
	h.prune(append(files, kept{next, name, int64(len(data))}))
	return head.ID, nil
}

// joinTime is how long one version may go on taking the place of the one before.
const joinTime = 5 * time.Minute

// joins reports whether the next version takes the place of this one, the newest: what is typed is saved at every pause,
// and each of them as a version would soon leave no room for anything else. What was before all of them stays. That is for
// the window alone, which can undo each one; the history is all that others have.
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

// writeNew makes a file that must not exist. It doesn't matter here when it is cut off half-way,
// since that shows.
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

// prune deletes the oldest versions that are too many or too much. The newest always stays.
func (h *history) prune(files []kept) {
	var total int64
	count := 0
	for i, file := range slices.Backward(files) {
		total += file.size
		count++
		if i < len(files)-1 && (count > h.maxVersions || total > h.maxBytes) {
			_ = os.Remove(file.name) // else it goes with the next one
		}
	}
}
