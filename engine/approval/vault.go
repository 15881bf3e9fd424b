package approval

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// vault is a file that only this program can write. It is encrypted and authenticated with a key in the
// system's keychain, or in a file beside it if there is no keychain. All vaults of a folder share the key.
type vault struct {
	path     string
	keychain Keychain // nil: the key is in a file
}

// newVault returns the vault in a file. It does not read the file.
func newVault(path string, keychain Keychain) *vault { return &vault{path, keychain} }

func (v *vault) keyFile() string  { return filepath.Join(filepath.Dir(v.path), "approvals.key") }
func (v *vault) keyName() string  { return "approvals " + filepath.Dir(v.path) }
func (v *vault) lockFile() string { return v.path + ".lock" }

// maxFile is the largest file that is read, in bytes.
const maxFile = 16 << 20

// format is the version of the file.
const format = 1

// envelope is the content of the file.
type envelope struct {
	Format int    `json:"format"`
	Sealed []byte `json:"sealed"`
	Key    home   `json:"key,omitempty"`   // where its key is stored
	KeyID  string `json:"keyId,omitempty"` // of its key
}

// Condition is the condition of a vault.
type Condition int

// The conditions of a vault.
const (
	Unused Condition = iota // it never existed: there is neither a file nor a key
	Sound                   // it is as this program wrote it
	Lost                    // the file is missing although there is a key, or is damaged, or another program wrote it
)

// content is the result of reading a vault.
type content struct {
	condition Condition
	raw       []byte // the file; nil if it is missing
	located
	plain []byte
}

// read reads the file. known is the key that was found before, if any.
func (v *vault) read(known located) (content, error) {
	c, err := v.load()
	if err != nil {
		return content{}, err
	}
	raw := c.raw
	if c := (content{condition: Lost, raw: raw, located: known}); known.key != nil && (raw == nil || c.open(v.path)) {
		return c, nil // the keychain need not confirm again that there was a file
	}
	in := known.home
	if in != inKeychain {
		var sealed envelope
		_ = json.Unmarshal(raw, &sealed) // a damaged file has none
		in = sealed.Key
	}
	found, err := v.findKey(in)
	switch {
	case errors.Is(err, errNoKey) && raw == nil && !exists(v.lockFile()): // the first change makes the lock
		return content{}, nil
	case errors.Is(err, errNoKey):
		return content{condition: Lost, raw: raw}, nil
	case err != nil:
		return content{raw: raw}, err
	}
	c = content{condition: Lost, raw: raw, located: found}
	c.open(v.path)
	return c, nil
}

// load returns the bytes of the file; nil if it is missing.
func (v *vault) load() (content, error) {
	raw, err := readFile(v.path, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return content{}, err
	}
	return content{raw: raw}, nil
}

// open decrypts the file, and reports whether it is as this program wrote it.
func (c *content) open(path string) bool {
	var sealed envelope
	if c.raw == nil || json.Unmarshal(c.raw, &sealed) != nil || sealed.Format != format || sealed.KeyID != "" && sealed.KeyID != c.key.id() {
		return false
	}
	plain, err := c.key.cipher().Open(nil, nil, sealed.Sealed, []byte(filepath.Base(path)))
	if err != nil {
		return false
	}
	c.condition, c.plain = Sound, plain
	return true
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// readFile reads a file of at most so many bytes. It does not wait for what is no file, such as a pipe.
func readFile(path string, most int64) ([]byte, error) {
	raw, err := atomicfile.Read(path, most)
	switch {
	case errors.Is(err, atomicfile.ErrIsFolder), errors.Is(err, atomicfile.ErrNotAFile):
		return nil, words.NewError("approval.not_a_file", "File", path).Because(err)
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, words.NewError("approval.too_large", "File", path).Because(err)
	}
	return raw, err
}

const (
	// lockPatience is how long to wait while another program of ours makes a change, which takes a few
	// milliseconds.
	lockPatience = 10 * time.Second
	lockPause    = 5 * time.Millisecond
)

// lock keeps other programs of ours from changing the vault until unlock is called.
func (v *vault) lock(ctx context.Context) (unlock func(), err error) {
	return v.lockAs(ctx, v.lockFile())
}

func (v *vault) lockAs(ctx context.Context, path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(v.path), 0o700); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	lock := flock.New(path, flock.SetPermissions(0o600))
	if locked, err := lock.TryLockContext(ctx, lockPause); !locked && ctx.Err() != nil {
		return nil, words.NewError("approval.busy", "File", v.path).Because(err)
	}
	return func() { _ = lock.Close() }, nil // a lock that is not available is skipped
}

// write replaces the contents c, which were read under the lock and have a key.
func (v *vault) write(c content, plain []byte) (content, error) {
	text, err := json.Marshal(envelope{
		Format: format, Sealed: c.key.cipher().Seal(nil, nil, plain, []byte(filepath.Base(v.path))), Key: c.home, KeyID: c.key.id(),
	})
	if err != nil {
		return content{}, err
	}
	if err := atomicfile.Replace(v.path, text, c.raw); err != nil {
		return content{}, err
	}
	c.condition, c.raw, c.plain = Sound, text, plain
	return c, nil
}
