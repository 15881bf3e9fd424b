package signin

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
)

// wish is what the next sign-in to a server must take into account. Engines, which never sign in, store it
// for the window, which does. It contains no secrets.
type wish struct {
	// Scopes and Document are from the server's last challenge.
	Scopes   []string `json:"scopes,omitempty"`
	Document string   `json:"document,omitempty"`
	// More is set if the server wants more scopes than the sign-in has, even if it names none.
	More bool `json:"more,omitempty"`
	// Register is set if a sign-in with our document failed, perhaps because the service refuses the
	// document.
	Register bool `json:"register,omitempty"`
}

// maxWish is the largest wish that is read, in bytes.
const maxWish = 64 << 10

// Refused records why the server at an address refused a request, for the next sign-in: the HTTP status, 401
// or 403, and the WWW-Authenticate headers. lacking means that the sign-in has too few rights. asked means
// that these rights were already requested, so that a new sign-in would not get more. rights are the scopes
// that the server wants and that were not requested, or all that it wants if all were; it may be empty, since
// not all servers name them.
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
		e = nil // a new sign-in must request what is wanted now
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
	s.keepWish(resource, wish{Scopes: says.scopes, Document: says.document, More: says.insufficient,
		Register: known.Register})
	return joined(more), lacking, false
}

// joined returns scopes in the form of OAuth.
func joined(scopes []string) string { return strings.Join(scopes, " ") }

// wish returns what the next sign-in must take into account. A file that cannot be read counts as no wish.
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

// keepWish stores a wish if it can. Without it, the sign-in asks the server itself.
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
