package signin

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// wish is what the next sign-in to a server has to heed. Engines, which never sign in, keep it for the window, which does. There is
// nothing secret in it.
type wish struct {
	// Scopes and Document are from the last challenge of the server.
	Scopes   []string `json:"scopes,omitempty"`
	Document string   `json:"document,omitempty"`
	// More: the server wants more scopes than the sign-in has, also when it names none.
	More bool `json:"more,omitempty"`
	// Register: a sign-in with our document led to nothing, perhaps since the service does not take it.
	Register bool `json:"register,omitempty"`
}

// maxWish is the size of a wish that is read, in bytes.
const maxWish = 64 << 10

// Refused takes note of why the server at an address refused a request, for the next sign-in: the HTTP status, 401 or 403, and the
// WWW-Authenticate headers. Lacking means that the sign-in has too few rights, asked that it has been asked for these rights before, so
// that a new one would not bring more. Rights are the scopes that the server wants and that have not been asked for, or all that it wants
// when all have been; it may be empty, since not all servers say what they want.
func (s *Store) Refused(address string, status int, headers []string) (rights string, lacking, asked bool) {
	resource, err := resourceOf(address)
	if err != nil {
		return "", false, false
	}
	says := readChallenge(headers)
	if says.scopes == nil && says.document == "" && !says.insufficient {
		return "", false, false
	}
	e, err := s.read(resource)
	if err != nil || e == nil {
		e = nil // then the sign-in is to be made anew, with what is wanted now
		says.insufficient = false
	}
	more := says.scopes
	if e != nil {
		more = slices.DeleteFunc(slices.Clone(more), func(scope string) bool { return slices.Contains(e.Asked, scope) })
		lacking = says.insufficient || len(more) > 0 && len(e.Asked) > 0
		asked = says.insufficient && len(more) == 0 && (len(says.scopes) > 0 || e.All)
		if asked && status == http.StatusForbidden {
			return joined(says.scopes), true, true
		}
	}
	known := s.wish(resource)
	s.keepWish(resource, wish{Scopes: says.scopes, Document: says.document, More: says.insufficient, Register: known.Register})
	return joined(more), lacking, false
}

// joined writes scopes as OAuth does.
func joined(scopes []string) string { return strings.Join(scopes, " ") }

// wish returns what the next sign-in has to ask for. A file that cannot be read counts as no wish.
func (s *Store) wish(resource string) (w wish) {
	path := s.wishPath(resource)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxWish {
		return wish{}
	}
	source, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(source, &w) != nil {
		return wish{}
	}
	w.Scopes = cleanScopes(w.Scopes)
	return w
}

// keepWish keeps what the next sign-in has to heed, as well as it can: without it, the sign-in asks the server itself.
func (s *Store) keepWish(resource string, w wish) {
	source, err := json.Marshal(w)
	if err != nil {
		return
	}
	path := s.wishPath(resource)
	old, err := os.ReadFile(path)
	if err == nil && string(old) == string(source) {
		return
	}
	if os.MkdirAll(s.options.Dir, 0o700) == nil {
		_ = atomicfile.Replace(path, source, old)
	}
}

func (s *Store) forgetWish(resource string) { _ = os.Remove(s.wishPath(resource)) }

func (s *Store) wishPath(resource string) string {
	return strings.TrimSuffix(s.path(resource), ".json") + ".wish"
}
