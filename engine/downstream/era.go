package downstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A server of the modern era (2026-07-28 and later) has no handshake and no session. Every request names its
// version of the protocol, the client, and the client's capabilities. [Session] hides the difference between
// the eras.

// modernProtocol is the version of the modern era that we speak.
const modernProtocol = mcp.ProtocolVersion20260728

// probeTime is how long to wait for an answer to server/discover. A server that has not answered by then is
// treated as one of the older era.
const probeTime = 5 * time.Second

// notCarried are extensions that we cannot pass on, so no server is told of them.
var notCarried = []string{"io.modelcontextprotocol/tasks"}

// era has what a session of the modern era adds to each request. It is never changed.
type era struct {
	meta  []byte // members of _meta
	level string // the lowest wanted level of log messages; "" for none
}

// newEra returns the era of a client. level is the lowest wanted level of log messages, "" for none.
func newEra(o Options, level string) *era {
	meta := appendMember([]byte{'{'}, mcp.MetaKeyProtocolVersion, json.RawMessage(`"`+modernProtocol+`"`))
	meta = appendMember(meta, mcp.MetaKeyClientInfo, o.about())
	meta = appendMember(meta, mcp.MetaKeyClientCapabilities, modernCapabilities(o.Capabilities))
	if level != "" {
		meta = appendMember(meta, mcp.MetaKeyLogLevel, jsonrpc.AppendString(nil, level))
	}
	return &era{meta: meta[1:], level: level}
}

// about returns clientInfo.
func (o Options) about() json.RawMessage {
	about := jsonrpc.AppendString([]byte(`{"name":`), o.ClientName)
	about = jsonrpc.AppendString(append(about, `,"version":`...), o.ClientVersion)
	return append(about, '}')
}

// modernCapabilities returns the client's capabilities without those that exist only in the older era or that
// we cannot pass on.
func modernCapabilities(capabilities json.RawMessage) json.RawMessage {
	members := jsonrpc.Split(capabilities)
	members = slices.DeleteFunc(members, func(m jsonrpc.Member) bool { return m.Name == "tasks" })
	for i, member := range members {
		if member.Name == "extensions" {
			kept := slices.DeleteFunc(jsonrpc.Split(member.Value), func(m jsonrpc.Member) bool { return slices.Contains(notCarried, m.Name) })
			members[i].Value = jsonrpc.AppendObject(nil, kept)
		}
	}
	return jsonrpc.AppendObject(nil, members)
}

// own returns the members of _meta that each request must have; nil for a server of the older era. If
// capabilities is nil, those of the session are used.
func (s *Session) own(capabilities json.RawMessage) []byte {
	e := s.era.Load()
	if e == nil {
		return nil
	}
	if capabilities != nil && !bytes.Equal(capabilities, s.o.Capabilities) {
		o := s.o
		o.Capabilities = capabilities
		e = newEra(o, e.level)
	}
	return e.meta
}

// modern reports whether the server is used in the modern era.
func (s *Session) modern() bool { return s.era.Load() != nil }

// ours reports whether a member of _meta belongs to one connection, so that the session sets it itself.
func ours(m jsonrpc.Member) bool {
	switch m.Name {
	case ProgressToken, mcp.MetaKeyProtocolVersion, mcp.MetaKeyClientInfo, mcp.MetaKeyClientCapabilities, mcp.MetaKeyLogLevel, mcp.MetaKeySubscriptionID:
		return true
	}
	return false
}

// isModernError reports whether an error may be a modern server's answer to initialize.
func isModernError(e *RPCError) bool {
	switch e.Code {
	case jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidRequest, jsonrpc.CodeInvalidParams, jsonrpc.CodeHeaderMismatch, jsonrpc.CodeMissingCapability, jsonrpc.CodeUnsupportedVersion:
		return true
	}
	return false
}

// greet begins the session in one of the eras, within the time limit of the handshake. Most servers are of
// the older era, and servers of both eras answer initialize too. greet returns what the server says about
// itself.
func (s *Session) greet(ctx context.Context) (json.RawMessage, error) {
	s.greeting.Store(true)
	defer s.greeting.Store(false)
	limit := s.o.handshakeTimeout()
	limited, cancel := withLimit(ctx, limit)
	defer cancel()
	if s.o.PreferModern {
		s.probing.Store(true)
		soon, stop := context.WithTimeout(limited, probeTime)
		discovered, err := s.discover(soon)
		stop()
		if err == nil || errors.Is(err, ErrSignIn) || errors.Is(err, ErrUnreachable) {
			s.probing.Store(false)
			return discovered, err
		}
	}
	version := s.o.version
	if version == "" {
		version = protocolVersion
	}
	result, err := s.initialize(limited, version)
	s.probing.Store(s.probing.Load() && errors.Is(err, ErrStopped))
	if older := olderVersion(err, version); older != "" {
		result, err = s.initialize(limited, older)
	}
	var refused *RPCError
	var stranger strangerError
	if err == nil && mcp.IsModernProtocol(s.Info().ProtocolVersion) || errors.As(err, &refused) && isModernError(refused) || errors.As(err, &stranger) {
		soon, stop := context.WithTimeout(limited, DefaultHandshakeTimeout) // it is running already
		discovered, failure := s.discover(soon)
		stop()
		if failure == nil {
			return discovered, nil
		}
		s.log.Debug("The server does not answer server/discover", "error", failure)
		switch { // the server is certainly of the modern era, or requires a sign-in: this failure is the one to report
		case refused != nil && errors.As(failure, &versionError{}):
			return nil, failure
		case errors.Is(failure, ErrSignIn) || refused != nil && refused.Code <= jsonrpc.CodeHeaderMismatch && refused.Code >= jsonrpc.CodeUnsupportedVersion:
			return nil, s.explain(ctx, failure, "server/discover", limit)
		}
	}
	if err != nil {
		return nil, s.explain(ctx, err, "initialize", limit)
	}
	s.greeting.Store(false)
	if err := s.out.send(limited, 0, []byte("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"), nil); err != nil {
		return nil, s.explain(ctx, err, "initialize", limit)
	}
	return result, nil
}

// versionError means that a server of the modern era speaks none of our versions.
type versionError struct{ spoken []string }

func (e versionError) Error() string {
	if len(e.spoken) == 0 {
		return "the server does not say which versions of the protocol it speaks"
	}
	return fmt.Sprintf("the server speaks the protocol versions %s, and Workbench none of them", clean(strings.Join(e.spoken, ", "), 200))
}

// discover asks a server of the modern era who it is, and returns its whole answer. After an error, the
// session is in the older era.
func (s *Session) discover(ctx context.Context) (_ json.RawMessage, err error) {
	s.era.Store(newEra(s.o, ""))
	defer func() {
		if err != nil {
			s.era.Store(nil)
		}
	}()
	result, err := s.request(ctx, "server/discover", nil)
	var refused *RPCError
	if errors.As(err, &refused) && refused.Code == jsonrpc.CodeUnsupportedVersion {
		spoken := texts(jsonrpc.Lookup(refused.Data, "supported"), maxVersions)
		if !slices.Contains(spoken, modernProtocol) {
			return nil, versionError{spoken}
		}
		result, err = s.request(ctx, "server/discover", nil) // it was refused, and is named among the versions that the server speaks
	}
	if err != nil {
		return nil, err
	}
	if spoken := texts(jsonrpc.Lookup(result, "supportedVersions"), maxVersions); !slices.Contains(spoken, modernProtocol) {
		return nil, versionError{spoken}
	}
	server := jsonrpc.Lookup(jsonrpc.Lookup(result, "_meta"), mcp.MetaKeyServerInfo)
	if server == nil {
		server = jsonrpc.Lookup(result, "serverInfo")
	}
	s.introduce(modernProtocol, server, result)
	s.mu.Lock()
	s.info.Modern = true
	s.mu.Unlock()
	return result, nil
}

// maxVersions is how many versions of the protocol a server may name.
const maxVersions = 100

// texts returns the strings of an array, at most limit of them.
func texts(array json.RawMessage, limit int) []string {
	elements, _ := jsonrpc.Elements(array)
	var texts []string
	for _, element := range elements[:min(len(elements), limit)] {
		if text, ok := jsonrpc.String(element); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// olderVersion returns the newest version of the older era that a server names when it refuses a version; ""
// if it names none.
func olderVersion(err error, refusedVersion string) string {
	var refused *RPCError
	var turnedDown *versionRefused
	var spoken []string
	switch {
	case errors.As(err, &turnedDown):
		spoken = turnedDown.spoken
	case errors.As(err, &refused):
		spoken = texts(jsonrpc.Lookup(refused.Data, "supported"), maxVersions)
		if spoken == nil && aboutVersion.MatchString(refused.Message) {
			spoken = dated.FindAllString(refused.Message, maxVersions)
		}
	}
	newest := ""
	for _, version := range spoken {
		switch {
		case version == modernProtocol && turnedDown == nil:
			return ""
		case mcp.IsValidProtocolVersion(version) && !mcp.IsModernProtocol(version) && version != refusedVersion && version > newest:
			newest = version
		}
	}
	return newest
}

// complete checks that a result of a server of the modern era is complete.
func (s *Session) complete(method string, result json.RawMessage) error {
	switch kind := resultType(result); {
	case !s.modern() || kind == "" || kind == "complete":
		return nil
	case kind == inputRequired:
		return words.NewError("downstream.early_input", "Method", method)
	default:
		return words.NewError("downstream.result_type", "Type", clean(kind, 100))
	}
}

// resultType returns the type of a result; "" if it has none.
func resultType(result json.RawMessage) string {
	kind := jsonrpc.Lookup(result, "resultType")
	text, ok := jsonrpc.String(kind)
	if !ok {
		return string(kind)
	}
	return text
}
