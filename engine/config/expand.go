package config

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Lookup provides the values of references. In the zero value, nothing is set.
type Lookup struct {
	// Env returns an environment variable, and whether it is set.
	Env func(name string) (string, bool)

	// Keyring returns a secret from the system's keychain.
	Keyring func(name string) (string, error)
}

// SystemLookup returns a Lookup of this process's environment and the user's keychain.
func SystemLookup() Lookup {
	return Lookup{
		Env:     os.LookupEnv,
		Keyring: keychain.Get,
	}
}

func (l Lookup) env(name string) (string, bool) {
	if l.Env == nil {
		return "", false
	}
	return l.Env(name)
}

func (l Lookup) secret(name string) (string, error) {
	if l.Keyring == nil {
		return "", words.NewError("expand.no_keychain")
	}
	return l.Keyring(name)
}

// resolve returns the value of a reference. The error never contains a value.
func (l Lookup) resolve(r *reference) (string, error) {
	if r.keyring {
		secret, err := l.secret(r.name)
		switch {
		case keychain.IsNotFound(err):
			return "", words.NewError("expand.no_secret", "Name", quoted(r.name), "Service", quoted(keychain.Service)).Because(err)
		case err != nil:
			return "", words.NewError("expand.keychain_unread", "Name", quoted(r.name), "Why", keychain.Explain(err))
		}
		return secret, nil
	}
	value, ok := l.env(r.name)
	switch {
	case r.hasFallback && value == "":
		return r.fallback, nil
	case !ok:
		return "", words.NewError("expand.unset", "Name", r.name).Because(ErrUnset)
	}
	return value, nil
}

// ErrUnset means that a variable is not set and has no default.
var ErrUnset = errors.New("environment variable not set")

// ExpandProblem says why one field of a server could not be expanded.
type ExpandProblem struct {
	Field string // such as env.TOKEN or args[2]
	Err   error  // never contains a value
}

// ExpandError lists all problems that keep a server's entry from being expanded.
type ExpandError struct {
	Problems []ExpandProblem
}

// Error returns all problems on one line, and what to do about unset variables. It contains no values. The
// field comes last: text after "TOKEN: " would be taken for a secret and masked where the error is shown.
func (e *ExpandError) Error() string { return e.Text().String() }

// Text returns the same as data.
func (e *ExpandError) Text() words.Text {
	problems := make([]words.Text, len(e.Problems))
	for i, p := range e.Problems {
		problems[i] = words.New("expand.in_field", "Problem", p.Err, "Field", p.Field)
	}
	return words.New("expand.failed", "Problems", problems, "Unset", errors.Is(e, ErrUnset))
}

// Unwrap returns the reasons, for errors.Is.
func (e *ExpandError) Unwrap() []error {
	errs := make([]error, len(e.Problems))
	for i, p := range e.Problems {
		errs[i] = p.Err
	}
	return errs
}

// Expand returns a copy of the server with the references of all string values replaced: in command, args,
// env, cwd, url, headers and oauth. Names, transport and tool filters are not values. The receiver is not
// changed. [Server.FromKeychain] of the result says which values came from the keychain.
//
// The error is an [ExpandError] with every field that could not be expanded. It never contains a value. Keep
// the result out of logs.
func (s *Server) Expand(lookup Lookup) (*Server, error) {
	e := expander{lookup: lookup}
	out := s.clone()
	fields := ServerFields()
	for i := range fields {
		e.field(out, &fields[i], fields[i].Name)
	}
	if len(e.problems) == 0 {
		e.checkResult(s, out)
	}
	out.fromKeychain = e.secrets
	if len(e.problems) > 0 {
		return nil, &ExpandError{e.problems}
	}
	return out, nil
}

// Secrets returns the names of the secrets in the keychain that the values of the server refer to, in the order in which they are expanded. A name may
// occur several times.
func (s *Server) Secrets() []string {
	var names []string
	// Expanding a server asks for every reference in it. The answers do not matter here; only the names are needed.
	_, _ = s.Expand(Lookup{
		Env:     func(string) (string, bool) { return "x", true },
		Keyring: func(name string) (string, error) { names = append(names, name); return "x", nil },
	})
	return names
}

type expander struct {
	lookup   Lookup
	problems []ExpandProblem
	secrets  []string // that came from the keychain
}

// clone returns a copy whose values can be changed.
func (s *Server) clone() *Server {
	out := *s
	out.Args, out.ToolFilters = slices.Clone(s.Args), slices.Clone(s.ToolFilters)
	out.Env, out.Headers = slices.Clone(s.Env), slices.Clone(s.Headers)
	if s.OAuth != nil {
		oauth := *s.OAuth
		out.OAuth = &oauth
	}
	return &out
}

// field expands the values of a field in place. name is the name of the field in the server's entry.
func (e *expander) field(s *Server, f *Field, name string) {
	if f.Kind == KindGroup {
		for i := range f.Members {
			if s.OAuth != nil {
				e.field(s, &f.Members[i], name+"."+f.Members[i].Name)
			}
		}
	}
	if !f.Kind.expands() {
		return
	}
	switch values := f.of(s).(type) {
	case *string:
		*values = e.expand(name, *values)
	case *[]string:
		for i, value := range *values {
			(*values)[i] = e.expand(fmt.Sprintf("%s[%d]", name, i), value)
		}
	case *[]Variable:
		for i, v := range *values {
			at := (*place)(nil).member(name).member(v.Name)
			(*values)[i].Value = e.expand(at.String(), v.Value)
		}
	}
}

func (e *expander) expand(field, text string) string {
	if !strings.Contains(text, "${") {
		return text
	}
	var b strings.Builder
	failed := map[string]bool{} // a variable used twice in a field is one problem
	pieces(text, func(p piece) bool {
		switch {
		case p.flaw != nil:
			e.fail(field, words.NewError("config.flawed_reference", "Problem", p.flaw.message, "Hint", p.flaw.hint))
		case p.reference != nil:
			value, err := e.lookup.resolve(p.reference)
			if err != nil && !failed[err.Error()] {
				failed[err.Error()] = true
				e.fail(field, err)
			}
			if p.reference.keyring && value != "" && !slices.Contains(e.secrets, value) {
				e.secrets = append(e.secrets, value)
			}
			b.WriteString(value)
		default:
			b.WriteString(p.literal)
		}
		return len(e.problems) < maxDiagnostics
	})
	return b.String()
}

func (e *expander) fail(field string, err error) {
	e.problems = append(e.problems, ExpandProblem{field, err})
}

// checkResult finds problems that appear only after references were replaced.
func (e *expander) checkResult(from, to *Server) {
	if to.Transport == TransportStdio || to.Transport == "" {
		if strings.TrimSpace(to.Command) == "" && from.Command != "" {
			e.fail("command", words.NewError("expand.command_empty", "Command", quoted(from.Command)))
		}
		return
	}
	if _, ok := checkURL(to.URL); to.URL != from.URL && !ok {
		e.fail("url", words.NewError("expand.no_web_address", "Address", quoted(from.URL)))
	}
}
