package secret

import (
	"fmt"
	"slices"
	"strings"
)

// Command returns a command line for lists and logs, without the secrets that [InCommand] and [InCode] find.
// References are not expanded.
func Command(command string, args []string) string {
	arguments, _ := InCommand(command, args)
	line := []string{without(command, InValue(command))}
	for i, argument := range WithoutKeys(command, args) {
		if !arguments[i].Code { // WithoutKeys has masked code
			argument = without(argument, arguments[i].Secrets)
		}
		if argument == "" || strings.ContainsAny(argument, " \t\"'") {
			argument = fmt.Sprintf("%q", argument)
		}
		line = append(line, argument)
	}
	return strings.Join(line, " ")
}

// WithoutKeys returns the arguments of a command with the secrets in code masked.
func WithoutKeys(command string, args []string) []string {
	masked := slices.Clone(args)
	arguments, _ := InCommand(command, args)
	for i, a := range arguments {
		if a.Code {
			masked[i] = without(args[i], merge(slices.Concat(a.Secrets, InCode(args[i]))))
		}
	}
	return masked
}

// minKey is the length from which a part of an address may be a key, if it has digits.
const minKey = 20

// Address returns a web address for people, without secrets: without user names and passwords, without
// parameters that are or look secret, and without long parts that have digits, which many services use as
// keys. References are not expanded.
func Address(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return Mask(address)
	}
	rest, fragment, hasFragment := strings.Cut(rest, "#")
	rest, parameters, hasQuery := strings.Cut(rest, "?")
	host, path, hasPath := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 && !Reference(host[:at]) {
		host = Masked + host[at:]
	}
	var b strings.Builder
	b.WriteString(scheme + "://" + host)
	if hasPath {
		segments := strings.Split(path, "/")
		for i, segment := range segments {
			if Random(segment) || Value(segment) {
				segments[i] = Masked
			}
		}
		b.WriteString("/" + strings.Join(segments, "/"))
	}
	if hasQuery {
		pairs := strings.Split(parameters, "&")
		for i, pair := range pairs {
			name, value, ok := strings.Cut(pair, "=")
			switch {
			case ok && (Pair(name, value) || Random(value)):
				pairs[i] = name + "=" + Masked
			case !ok && Random(pair):
				pairs[i] = Masked
			}
		}
		b.WriteString("?" + strings.Join(pairs, "&"))
	}
	if hasFragment && fragment != "" {
		b.WriteString("#" + Masked)
	}
	return b.String()
}

// Random reports whether a part of an address may be a key. A reference is not one.
func Random(part string) bool {
	return len(part) >= minKey && strings.ContainsAny(part, "0123456789") && !strings.Contains(part, "${")
}
