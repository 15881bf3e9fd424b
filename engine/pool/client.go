package pool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ClientOptions are the options of a [Client].
type ClientOptions struct {
	Build    string
	Endpoint string // where the host listens; "" means that of [Endpoint]
}

// Client reaches the host of this user and build, and starts it if there is none.
type Client struct{ options ClientOptions }

// NewClient returns a client. It does nothing before it is asked.
func NewClient(o ClientOptions) *Client { return &Client{o} }

// Endpoint returns the place where the host of a build listens.
func Endpoint(build string) (string, error) { return ipc.EndpointOf(Command + "-" + build) }

// Attach attaches to the shared server that would be started with the given options. An error says why the
// server is not shared.
func (c *Client) Attach(ctx context.Context, sharing downstream.Sharing) (downstream.Peer, error) {
	w, err := wantedOf(sharing)
	if err != nil {
		return nil, err
	}
	w.Build = c.options.Build
	line, err := json.Marshal(w)
	if err != nil {
		return nil, err
	}
	endpoint := c.options.Endpoint
	if endpoint == "" {
		if endpoint, err = Endpoint(c.options.Build); err != nil {
			return nil, err
		}
	}
	return c.reach(ctx, endpoint, append(line, '\n'), sharing)
}

// Used returns who uses which shared server now, whatever the build of their engines and host: the window, the engine
// of a package and one of before an update are different builds. Of a client with an endpoint, only the host there is
// asked.
func (c *Client) Used(ctx context.Context) ([]Use, error) {
	endpoints := []string{c.options.Endpoint}
	if c.options.Endpoint == "" {
		own, err := Endpoint(c.options.Build)
		if err != nil {
			return nil, err
		}
		endpoints = ofAllBuilds(own, c.options.Build)
	}
	var all []Use
	var err error
	for _, endpoint := range endpoints {
		used, failed := usedAt(ctx, endpoint)
		all, err = append(all, used...), cmp.Or(err, failed)
	}
	return all, err
}

// ofAllBuilds returns where the hosts of all builds listen, or have listened. own is where that of a build does. If
// the system does not list the others, it is alone.
func ofAllBuilds(own, build string) []string {
	end := strings.LastIndexAny(own, `/\`) + 1
	names, err := namesIn(own[:end])
	if err != nil {
		return []string{own}
	}
	before, after, _ := strings.Cut(own[end:], build)
	var found []string
	for _, name := range names {
		if strings.HasPrefix(name, before) && strings.HasSuffix(name, after) {
			found = append(found, own[:end]+name)
		}
	}
	return found
}

// usedAt asks the host at an endpoint. If none runs there, nobody uses anything.
func usedAt(ctx context.Context, endpoint string) ([]Use, error) {
	ctx, cancel := context.WithTimeout(ctx, greetTime)
	defer cancel()
	conn, err := ipc.Reach(ctx, endpoint)
	if errors.Is(err, ipc.ErrNotRunning) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	line, err := json.Marshal(wanted{Asks: true})
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Now().Add(greetTime)); err != nil {
		return nil, err
	}
	if _, err := conn.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	var used []Use
	return used, json.NewDecoder(io.LimitReader(conn, maxLine)).Decode(&used)
}

// The pauses between attempts to reach a host that is being started, or that is about to end.
const (
	firstPause = 5 * time.Millisecond
	lastPause  = 200 * time.Millisecond
	reachTime  = 10 * time.Second // all attempts together
)

// reach connects to the host and tells it what is wanted. It starts a host if there is none.
func (c *Client) reach(ctx context.Context, endpoint string, wanted []byte,
	sharing downstream.Sharing) (downstream.Peer, error) {
	limited, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	started := false
	for wait := firstPause; ; wait = min(2*wait, lastPause) {
		conn, err := ipc.Reach(limited, endpoint)
		if err == nil {
			attached, err := greetHost(conn, wanted, sharing)
			if !errors.Is(err, errHostGone) {
				return attached, err
			}
			started = false
		} else if !errors.Is(err, ipc.ErrNotRunning) {
			return nil, err
		} else if !started {
			if started, err = startHost(endpoint); err != nil {
				return nil, words.NewError("pool.not_started", "Why", err)
			}
		}
		if !pause.For(limited, wait) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, words.NewError("pool.not_reached", "Time", reachTime)
		}
	}
}

// errHostGone means that the host has closed the connection at once, since it was about to end.
const errHostGone = words.Code("pool.host_gone")

// greetHost tells the host what is wanted.
func greetHost(conn net.Conn, wanted []byte, sharing downstream.Sharing) (downstream.Peer, error) {
	fail := func(err error) (downstream.Peer, error) {
		_ = conn.Close()
		return nil, err
	}
	if err := conn.SetDeadline(time.Now().Add(greetTime)); err != nil {
		return fail(err)
	}
	if _, err := conn.Write(wanted); err != nil {
		if timedOut(err) {
			return fail(words.NewError("pool.host_silent", "Time", greetTime))
		}
		return fail(errHostGone)
	}
	p := newPeer(conn, sharing)
	line, err := p.in.ReadString('\n')
	switch {
	case timedOut(err):
		return fail(words.NewError("pool.host_silent", "Time", greetTime))
	case err != nil:
		return fail(errHostGone)
	}
	line = strings.TrimSuffix(line, "\n")
	if why, ends := strings.CutPrefix(line, lineEnd); ends {
		return fail(endOf(why))
	}
	if line != lineHere {
		return fail(words.NewError("pool.other_build"))
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return fail(err)
	}
	return p, nil
}
