// Package pool lets the engines of one user share servers: several AI apps use one process.
//
// A [Host] runs the shared servers, in a process of its own. The first engine that needs one starts it, it is found by
// a socket whose name has the id of the build, and it ends a minute after the last engine has left. An engine reaches
// a shared server by a [Client], as one more kind of [downstream.Peer]: it exchanges the same lines as with a process
// of its own. So approvals, questions to the person and withheld tools are the matter of each engine, and not of the
// host.
//
// In the host, each shared server has one [downstream.Session]. What an engine asks becomes a call of that session, so
// ids, progress and cancellation of the engines cannot be confused. The engine's initialize is answered with what the
// server has said in the one handshake. Two engines share a process only if they would start the same one: the same
// entry with its values, in the same folder, with the same environment, and with the same capabilities of their apps.
//
// No request is ever sent twice. If the host ends or is silent, the engine is told that the outcome of its calls is
// not known.
package pool

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// Command is the argument that starts the program as a host.
const Command = "host"

const (
	// heartbeat is how often the host says that it is alive, and silence is after which time without a word an engine
	// gives it up. A server that is slow does not matter: the host says it by itself.
	heartbeat = 5 * time.Second
	silence   = 30 * time.Second

	// greetTime limits the first lines of a connection.
	greetTime = 5 * time.Second

	// idleTime is after which time without a request the process of a shared server ends, unless it has subscriptions
	// or a task in progress. The next request starts it again.
	idleTime = 5 * time.Minute
	// lingerTime is how long a host stays that nobody uses.
	lingerTime = time.Minute

	// closeTime is how long a server may take to exit before it is killed.
	closeTime = 10 * time.Second
)

const (
	// maxWanted is the size of the longest first line of an engine, in bytes. It is large, since the line has the
	// environment. maxLine is the size of any other line.
	maxWanted = 16 << 20
	maxLine   = 2 * downstream.DefaultMaxMessage
	// maxUnanswered is how many requests of one engine may be unanswered, and maxAtOnce how many of these a server has
	// at the same time, so that an engine that asks a lot does not make others wait.
	maxUnanswered = 1000
	maxAtOnce     = 64
	// maxHeld is how many bytes of requests of one engine may be unanswered, unless it is a single request.
	maxHeld = 32 << 20
	// maxQueued is how many bytes may wait for an engine to read them. Beyond it, notifications are dropped, and
	// answers wait until there is room.
	maxQueued = 16 << 20
	// maxAttached is how many engines may use one host at a time.
	maxAttached = 1000
	// maxTasks is how many tasks of one server are known.
	maxTasks = 10_000
	// maxWatched is how many resources one engine may subscribe to.
	maxWatched = 1000
)
