package config

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Why a reference has no value.
var (
	// ErrUnset means that a variable is not set and has no default.
	ErrUnset = errors.New("environment variable not set")
	// ErrCircular means that the value of a variable refers to itself, perhaps through others.
	ErrCircular = errors.New("the value refers to itself")
)

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

// Text returns the text of Error.
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
// changed. A reference to a variable of the server's own env is the value that it has there; any other is
// looked up. [Server.FromKeychain] of the result says which values came from the keychain.
//
// The error is an [ExpandError] with every field that could not be expanded. It never contains a value. Keep
// the result out of logs.
func (s *Server) Expand(lookup Lookup) (*Server, error) {
	return (&expander{lookup: lookup, server: s}).all(s)
}

// ExpandRemote is like [Server.Expand] for what is needed to reach a server on the network and to sign in to
// it: its address and oauth. Variables of its env that these do not use are not looked up.
func (s *Server) ExpandRemote(lookup Lookup) (*Server, error) {
	e := expander{lookup: lookup, server: s, atUse: true}
	return e.all(&Server{Name: s.Name, Transport: s.Transport, URL: s.URL, OAuth: s.OAuth})
}

// all returns a copy of s with the references of all fields replaced.
func (e *expander) all(s *Server) (*Server, error) {
	out := s.clone()
	fields := ServerFields()
	for i := range fields {
		e.field(out, &fields[i], fields[i].Name)
	}
	if len(e.problems) == 0 && e.elsewhere != nil {
		e.problems = append(e.problems, *e.elsewhere)
	}
	if len(e.problems) == 0 && !e.keep {
		e.checkResult(s, out)
	}
	out.fromKeychain = e.secrets
	if len(e.problems) > 0 && !e.keep {
		return nil, &ExpandError{e.problems}
	}
	return out, nil
}

// WithDefaults returns a copy in which references are replaced without reading the environment: references to
// variables of the server's own env by their values, and others by their defaults. Other references are kept, and so
// is invalid syntax.
func (s *Server) WithDefaults() *Server {
	out, _ := (&expander{server: s, keep: true}).all(s)
	return out
}

// Variable returns the variable of the server's env with a name, if there is one.
func (s *Server) Variable(name string) (Variable, bool) {
	for _, v := range s.Env {
		if SameVariable(v.Name, name) {
			return v, true
		}
	}
	return Variable{}, false
}

// SameVariable reports whether two names mean the same environment variable on this system.
func SameVariable(a, b string) bool { return foldVariable(a) == foldVariable(b) }

func foldVariable(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// Secrets returns the names of the secrets in the keychain that the values of the server refer to, in the order in
// which they are expanded. A name may occur several times.
func (s *Server) Secrets() []string {
	var names []string
	// Expanding a server asks for every reference in it. The answers do not matter here; only the names are needed.
	_, _ = s.Expand(Lookup{
		Env:     func(string) (string, bool) { return "", true }, // so that defaults are read too
		Keyring: func(name string) (string, error) { names = append(names, name); return "x", nil },
	})
	return names
}

// expander replaces the references of one server.
type expander struct {
	lookup   Lookup
	server   *Server // whose env has values for references
	problems []ExpandProblem

	atUse bool // see ExpandRemote: problems of variables of env are reported for the fields that use them
	keep  bool // see WithDefaults

	names     map[string]int      // indexes in the server's env, by folded name
	own       map[string]ownValue // values of the server's env, as far as they were expanded
	busy      []string            // the variables of env whose values are being expanded
	written   int                 // number of bytes written
	secrets   []string            // values from the keychain
	elsewhere *ExpandProblem      // the last problem of a field that a variable of env has caused
}

// ownValue is a variable of the server's own env after its expansion.
type ownValue struct {
	value string
	err   error
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
		*values = e.expand(name, "", *values)
	case *[]string:
		for i, value := range *values {
			(*values)[i] = e.expand(fmt.Sprintf("%s[%d]", name, i), "", value)
		}
	case *[]Variable:
		for i, v := range *values {
			at, variable := (*docPath)(nil).member(name).member(v.Name), ""
			if f.Name == "env" {
				variable = v.Name
			}
			(*values)[i].Value = e.expand(at.String(), variable, v.Value)
		}
	}
}

// expand replaces the references in the text of a field. variable is the variable of env that has the text, or
// "".
func (e *expander) expand(field, variable, text string) string {
	if !strings.Contains(text, "${") {
		return text
	}
	failed := map[string]bool{} // a variable used twice in a field is one problem
	if variable != "" {
		e.busy = append(e.busy, variable)
		defer func() { e.busy = e.busy[:len(e.busy)-1] }()
	}
	value, err := e.replace(text, func(err error) bool {
		var own *ownError
		if errors.As(err, &own) && !e.atUse && (variable == "" || !errors.Is(err, ErrCircular)) {
			e.elsewhere = &ExpandProblem{field, err} // reported for the variable
			return true
		}
		if !failed[err.Error()] {
			failed[err.Error()] = true
			e.fail(field, err)
		}
		return len(e.problems) < maxDiagnostics
	})
	switch {
	case err == nil:
		return value
	case e.keep:
		return text
	}
	return ""
}

// Limits on the values of one server's references: in bytes, and in variables that refer to each other. The size could
// double with each variable, since a value can refer to another one twice.
const (
	maxExpanded = 4 << 20
	maxChain    = 50
)

// replace replaces the references in a text. If one has no value, it calls failed, which reports whether to continue.
func (e *expander) replace(text string, failed func(error) bool) (string, error) {
	var b strings.Builder
	var last error
	pieces(text, func(p piece) bool {
		var err error
		value := p.literal
		switch {
		case p.flaw != nil && e.keep:
			value = text[p.flaw.start:p.flaw.end]
		case p.flaw != nil:
			err = words.NewError("config.flawed_reference", "Problem", p.flaw.message, "Hint", p.flaw.hint)
		case p.reference != nil:
			value, err = e.resolve(p.reference)
		}
		if e.written += len(value); err == nil && e.written > maxExpanded {
			err = words.NewError("expand.too_long")
		}
		if err != nil {
			last = err
			return failed(err)
		}
		b.WriteString(value)
		return true
	})
	return b.String(), last
}

// resolve returns the value of a reference. The error never contains a value.
func (e *expander) resolve(r *reference) (value string, err error) {
	switch {
	case r.keyring && e.keep:
		return r.text, nil
	case r.keyring:
		value, err = e.lookup.keychain(r.name)
		if value != "" && !slices.Contains(e.secrets, value) {
			e.secrets = append(e.secrets, value)
		}
		return value, err
	}
	v, set := e.ownVariable(r.name)
	if set {
		if value, err = e.ownValue(v); err != nil {
			return "", err
		}
	} else {
		value, set = e.lookup.env(r.name)
	}
	switch {
	case r.hasFallback && value == "":
		return e.replace(r.fallback, func(error) bool { return false })
	case !set && e.keep:
		return r.text, nil
	case !set:
		return "", words.NewError("expand.unset", "Name", r.name).Because(ErrUnset)
	}
	return value, nil
}

// ownVariable returns the variable of the server's own env with a name. In the value of a variable, its own name means
// the variable of the engine, as in "PATH": "/x:${PATH}".
func (e *expander) ownVariable(name string) (Variable, bool) {
	if e.server == nil || len(e.busy) > 0 && SameVariable(e.busy[len(e.busy)-1], name) {
		return Variable{}, false
	}
	if e.names == nil {
		e.names = namesOf(e.server.Env)
	}
	i, ok := e.names[foldVariable(name)]
	if !ok {
		return Variable{}, false
	}
	return e.server.Env[i], true
}

// namesOf returns the indexes of variables by their folded names.
func namesOf(list []Variable) map[string]int {
	names := make(map[string]int, len(list))
	for i, v := range list {
		names[foldVariable(v.Name)] = i
	}
	return names
}

// ownError is why a variable of the server's own env has no value.
type ownError struct{ error }

func (e *ownError) Unwrap() error { return e.error }

// ownValue returns the value of a variable of the server's own env.
func (e *expander) ownValue(v Variable) (string, error) {
	if known, ok := e.own[v.Name]; ok {
		return known.value, known.err
	}
	switch {
	case slices.Contains(e.busy, v.Name):
		names := append(slices.Clone(e.busy[slices.Index(e.busy, v.Name):]), v.Name)
		return "", words.NewError("expand.circular", "Names",
			strings.Join(names[:min(len(names), 8)], " → ")).Because(ErrCircular)
	case len(e.busy) > maxChain:
		return "", words.NewError("expand.too_long")
	}
	e.busy = append(e.busy, v.Name)
	value, err := e.replace(v.Value, func(error) bool { return false })
	e.busy = e.busy[:len(e.busy)-1]
	if err != nil {
		err = &ownError{err}
	}
	if e.own == nil {
		e.own = map[string]ownValue{}
	}
	if !errors.Is(err, ErrCircular) { // the error depends on the first variable
		e.own[v.Name] = ownValue{value, err}
	}
	return value, err
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
