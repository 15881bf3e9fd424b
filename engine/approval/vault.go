package approval

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// vault is one file that only this program can write: it is encrypted and signed with a key that is in the keychain of the system, or in a
// file beside it where there is no keychain. All vaults of a folder share the key.
type vault struct {
	path     string
	keychain Keychain // nil: the key is in a file
}

// newVault returns the vault in a file. It reads nothing.
func newVault(path string, keychain Keychain) *vault { return &vault{path, keychain} }

func (v *vault) keyFile() string  { return filepath.Join(filepath.Dir(v.path), "approvals.key") }
func (v *vault) keyName() string  { return "approvals " + filepath.Dir(v.path) }
func (v *vault) lockFile() string { return v.path + ".lock" }

// maxFile is how large a file may be that is read, in bytes.
const maxFile = 16 << 20

// format is the version of the file.
const format = 1

// envelope is what is in the file.
type envelope struct {
	Format int    `json:"format"`
	Sealed []byte `json:"sealed"`
	Key    home   `json:"key,omitempty"`   // where its key is
	KeyID  string `json:"keyId,omitempty"` // of its key
}

// Condition tells what is known of a vault besides its contents.
type Condition int

// The conditions of a vault.
const (
	Unused Condition = iota // there never was one: neither the file nor a key is there
	Sound                   // it is as this program wrote it
	Lost                    // the file is missing although there is a key, or it is damaged, or another program wrote it
)

// content is what was read.
type content struct {
	condition Condition
	raw       []byte // the file; nil: it is missing
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
		return c, nil // the keychain need not say again that there was a file
	}
	in := known.home
	if in != inKeychain {
		var sealed envelope
		_ = json.Unmarshal(raw, &sealed) // a damaged one says nothing
		in = sealed.Key
	}
	found, err := v.findKey(in)
	switch {
	case errors.Is(err, errNoKey) && raw == nil:
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

// load returns the bytes of the file alone, which are nil when it is missing.
func (v *vault) load() (content, error) {
	raw, err := readFile(v.path)
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

func readFile(path string) ([]byte, error) {
	file, err := atomicfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(raw) > maxFile {
		return nil, words.NewError("approval.too_large", "File", path)
	}
	if raw == nil {
		raw = []byte{}
	}
	return raw, err
}

const (
	// lockPatience is how long another program of ours may take over its change, which needs a few milliseconds.
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
	return func() { _ = lock.Close() }, nil // a lock that cannot be had at all is done without
}

// write puts new contents in the place of c, which was read under the lock and has a key.
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
