// Package token knows the tokens with which apps reach the engine over HTTP. Each token has a name, which is the
// app's. The file has only hashes of them: whoever reads it can use none.
package token

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/filewatch"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	errName    = words.Code("token.name")
	errTaken   = words.Code("token.taken")
	errUnknown = words.Code("token.unknown")
	errMany    = words.Code("token.many")
	errDamaged = words.Code("token.damaged")
	errBusy    = words.Code("token.busy")
)

const (
	// beginning is how each token begins, so that people and programs that look for leaked secrets recognise it.
	beginning = "workbench_"
	// size is how many random bytes a token has. Nobody can guess it, so one round of SHA-256 is enough.
	size = 32
	// most is how many tokens there can be.
	most = 100
	// maxFile is the largest file that is read, in bytes.
	maxFile = 64 << 10
	// patience is how long a change waits for another program that changes the file.
	patience = 5 * time.Second
)

// Token is what the file says of a token. The token itself is in no file.
type Token struct {
	Name    string    `json:"name"`
	Hash    string    `json:"sha256"` // of the whole token, in hex
	Created time.Time `json:"created"`
}

// Store is a file with tokens. It is safe for concurrent use, also by several programs.
type Store struct {
	path string

	mu     sync.Mutex
	read   os.FileInfo // the file when it was read; nil if there was none
	tokens []Token
	err    error
}

// Open returns the store in a file, which need not exist.
func Open(path string) *Store { return &Store{path: path} }

// List returns the tokens, sorted by name.
func (s *Store) List() ([]Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	return slices.Clone(s.tokens), s.err
}

// Find returns what is known of a token, as the file says now. If the file cannot be read, no token is known.
func (s *Store) Find(token string) (Token, bool) {
	hash := hashOf(token)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh()
	i := slices.IndexFunc(s.tokens, func(t Token) bool { return t.Hash == hash })
	if i < 0 {
		return Token{}, false
	}
	return s.tokens[i], true
}

// refresh reads the file if it has changed.
func (s *Store) refresh() {
	now, _ := os.Stat(s.path)
	if now != nil && s.read != nil && atomicfile.Unchanged(s.read, now) {
		return
	}
	s.read, s.tokens, s.err = now, nil, nil
	if source, err := s.source(); err != nil {
		s.err = err
	} else {
		s.tokens, s.err = parse(source)
	}
	if s.err != nil {
		s.read = nil
	}
}

// source returns the content of the file, nil if there is none.
func (s *Store) source() ([]byte, error) {
	source, err := atomicfile.Read(s.path, maxFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return source, err
}

func parse(source []byte) ([]Token, error) {
	var file struct {
		Tokens []Token `json:"tokens"`
	}
	if source != nil && json.Unmarshal(source, &file) != nil {
		return nil, errDamaged
	}
	slices.SortFunc(file.Tokens, func(a, b Token) int { return strings.Compare(a.Name, b.Name) })
	return file.Tokens, nil
}

// names matches the names that tokens can have. They are the ids that "apps" in the configuration takes.
var names = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Add makes a token and returns it. Only its hash is kept, so nobody can read it again.
func (s *Store) Add(name string) (token string, err error) {
	if !names.MatchString(name) {
		return "", words.NewError(errName, "Name", name)
	}
	secret := make([]byte, size)
	_, _ = rand.Read(secret) // it never fails
	token = beginning + base64.RawURLEncoding.EncodeToString(secret)
	return token, s.change(func(tokens []Token) ([]Token, error) {
		switch {
		case slices.ContainsFunc(tokens, func(t Token) bool { return t.Name == name }):
			return nil, words.NewError(errTaken, "Name", name)
		case len(tokens) >= most:
			return nil, words.NewError(errMany, "Number", most)
		}
		return append(tokens, Token{Name: name, Hash: hashOf(token), Created: time.Now().UTC().Truncate(time.Second)}), nil
	})
}

// Remove removes a token.
func (s *Store) Remove(name string) error {
	return s.change(func(tokens []Token) ([]Token, error) {
		left := slices.DeleteFunc(slices.Clone(tokens), func(t Token) bool { return t.Name == name })
		if len(left) == len(tokens) {
			return nil, words.NewError(errUnknown, "Name", name)
		}
		return left, nil
	})
}

// Watch calls changed whenever the file has changed, until ctx ends.
func (s *Store) Watch(ctx context.Context, changed func()) error {
	return filewatch.Follow(ctx, changed, s.path)
}

// change changes the file, while no other program does.
func (s *Store) change(how func([]Token) ([]Token, error)) error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	lock := flock.New(s.path+".lock", flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if locked, err := lock.TryLockContext(ctx, patience/100); !locked {
		return words.NewError(errBusy, "Why", err)
	}
	defer func() { _ = lock.Unlock() }() // the end of the program unlocks it, too
	before, err := s.source()
	if err != nil {
		return err
	}
	tokens, err := parse(before)
	if err == nil {
		tokens, err = how(tokens)
	}
	if err != nil {
		return err
	}
	after, err := json.MarshalIndent(struct {
		Tokens []Token `json:"tokens"`
	}{tokens}, "", "  ")
	if err != nil {
		return err
	}
	if err := atomicfile.Replace(s.path, append(after, '\n'), before); err != nil {
		return err
	}
	return os.Chmod(s.path, 0o600)
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
