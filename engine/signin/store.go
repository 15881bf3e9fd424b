// Package signin signs the user in to remote MCP servers, and stores the tokens for all engines and the app.
//
// The protocol is OAuth 2.1 as in the MCP specification (docs/adr/041-sign-in.md,
// docs/adr/054-who-signs-in-and-for-what.md).
//
// Nothing here is logged, and no error contains text from a server that may be secret.
package signin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/network"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options say where sign-ins are stored.
type Options struct {
	// Dir is the folder of the sign-ins, usually [paths.Folders.SignIns]. It is made when needed. Required.
	Dir string
	// Keychain holds the keys that encrypt the sign-ins. If nil, they are stored in files that only the user
	// can read.
	Keychain Keychain
	// ClientMetadata is the address of the document that describes us. If empty, it is the constant
	// [ClientMetadata].
	ClientMetadata string
	// Base sends the requests; nil means what follows the environment of this process, see [network.Later].
	Base http.RoundTripper
}

// Store stores sign-ins. Several stores may use one folder, in one or several processes. It is safe for
// concurrent use.
type Store struct {
	options Options
	base    http.RoundTripper
	step    time.Duration // the time limit of one request

	mu   sync.Mutex
	keys map[string][]byte // from the keychain, by resource
}

// Open returns the store in a folder. It does not access the folder or the keychain.
func Open(options Options) *Store {
	base := options.Base
	if base == nil {
		base = network.Later(os.Getenv)
	}
	return &Store{options: options, base: base, step: stepTime, keys: map[string][]byte{}}
}

// Possible reports whether people can sign in to a server. They cannot if its entry has its own Authorization
// header.
func Possible(server *config.Server) bool {
	return server.URL != "" && !slices.ContainsFunc(server.Headers, func(header config.Variable) bool {
		return strings.EqualFold(header.Name, "Authorization")
	})
}

// Address returns the address of a server with its references resolved. lookup may ask the keychain.
func Address(server *config.Server, lookup config.Lookup) (string, error) {
	expanded, err := (&config.Server{Transport: server.Transport, URL: server.URL, Env: server.Env}).ExpandRemote(lookup)
	if err != nil {
		return "", err
	}
	return expanded.URL, nil
}

// entry is one sign-in.
type entry struct {
	Token        token  `json:"token"`
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret,omitempty"`
	AuthMethod   string `json:"authMethod,omitempty"`

	// Issuer is the service that issued the token, TokenEndpoint is where it is renewed, and Resource is what
	// it is for.
	Issuer        string `json:"issuer,omitempty"`
	TokenEndpoint string `json:"tokenEndpoint"`
	Resource      string `json:"resource,omitempty"`

	// Asked are the scopes that the sign-in requested. All is set if they are all that the server lists.
	Asked []string `json:"asked,omitempty"`
	All   bool     `json:"all,omitempty"`
}

// file is a stored entry. Only one of the two forms is set.
type file struct {
	Resource string          `json:"resource"`
	Sealed   []byte          `json:"sealed,omitempty"`
	Plain    json.RawMessage `json:"plain,omitempty"`
}

// maxFile is the largest file that is read, in bytes. Tokens have a few kilobytes.
const maxFile = 1 << 20

// lockPatience is how long to wait while another program of ours renews a token.
const lockPatience = 45 * time.Second

// Has reports whether somebody has signed in to a server.
func (s *Store) Has(address string) bool {
	resource, err := resourceOf(address)
	if err != nil {
		return false
	}
	_, err = os.Stat(s.path(resource))
	return err == nil
}

// Unsealed reports whether the sign-in is stored without the keychain, in a file that only the user can read.
func (s *Store) Unsealed(address string) bool {
	resource, err := resourceOf(address)
	if err != nil {
		return false
	}
	kept, err := s.readFile(resource)
	return err == nil && kept.Plain != nil
}

// SignOut removes a sign-in. The service is not told, so a copy of the token stays valid until it expires.
func (s *Store) SignOut(ctx context.Context, address string) error {
	resource, err := resourceOf(address)
	if err != nil {
		return err
	}
	unlock, err := s.lock(ctx, resource)
	if err != nil {
		return err
	}
	defer unlock()
	s.forgetWish(resource)
	return s.remove(resource)
}

// remove removes a sign-in. The caller must hold the lock.
func (s *Store) remove(resource string) error {
	if err := os.Remove(s.path(resource)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return words.NewError("signin.not_deleted", "Why", err)
	}
	s.forgetKey(resource)
	if s.options.Keychain != nil {
		_ = s.options.Keychain.Delete(keyName(resource)) // the key opens nothing any more
	}
	return nil
}

// read returns a sign-in; nil if there is none.
func (s *Store) read(resource string) (*entry, error) {
	kept, err := s.readFile(resource)
	if err != nil || kept == nil {
		return nil, err
	}
	plain := []byte(kept.Plain)
	if kept.Plain == nil {
		if plain, err = s.unseal(resource, kept.Sealed); err != nil {
			return nil, err
		}
	}
	var e entry
	if err := json.Unmarshal(plain, &e); err != nil {
		return nil, words.NewError("signin.kept_unreadable")
	}
	return &e, nil
}

// readFile returns the stored file; nil if there is none.
func (s *Store) readFile(resource string) (*file, error) {
	path := s.path(resource)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, words.NewError("signin.not_read", "Why", err)
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return nil, words.NewError("signin.not_ours", "Path", path)
	}
	source, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, words.NewError("signin.not_read", "Why", err)
	}
	var kept file
	if err := json.Unmarshal(source, &kept); err != nil || kept.Resource != resource {
		return nil, words.NewError("signin.kept_unreadable")
	}
	return &kept, nil
}

// write stores a sign-in. The caller must hold the lock.
func (s *Store) write(resource string, e *entry) error {
	plain, err := json.Marshal(e)
	if err != nil {
		return err
	}
	kept := file{Resource: resource}
	if kept.Sealed = s.seal(resource, plain); kept.Sealed == nil {
		kept.Plain = plain
	}
	source, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	path := s.path(resource)
	old, err := os.ReadFile(path)
	if err != nil {
		old = nil // the error shows again when the file is replaced
	} else if err := os.Chmod(path, 0o600); err != nil { // replacing the file keeps its mode
		return words.NewError("signin.not_kept", "Why", err)
	}
	if err := atomicfile.Replace(path, source, old); err != nil {
		return words.NewError("signin.not_kept", "Why", err)
	}
	return nil
}

// lock keeps other programs and other calls from using a sign-in until unlock is called.
func (s *Store) lock(ctx context.Context, resource string) (unlock func(), err error) {
	if err := os.MkdirAll(s.options.Dir, 0o700); err != nil {
		return nil, words.NewError("signin.no_folder", "Why", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	lock := flock.New(s.path(resource)+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, words.NewError("signin.not_let_go")
		}
		return nil, words.NewError("signin.not_locked", "Why", err)
	}
	return func() { _ = lock.Close() }, nil
}

// path returns the file of a sign-in.
func (s *Store) path(resource string) string {
	sum := sha256.Sum256([]byte(resource))
	return filepath.Join(s.options.Dir, hex.EncodeToString(sum[:12])+".json")
}

// resourceOf returns the resource of a sign-in: the origin and path of a server's address. An unencrypted
// address is an error, unless it is on this computer.
func resourceOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return "", words.NewError("signin.no_web_address")
	}
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	if scheme != "https" && (scheme != "http" || !loopback(host)) {
		return "", words.NewError("signin.no_https")
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "" && (scheme != "https" || port != "443") && (scheme != "http" || port != "80") {
		host += ":" + port
	}
	return scheme + "://" + host + strings.TrimSuffix(u.EscapedPath(), "/"), nil
}
