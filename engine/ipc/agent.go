package ipc

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Source is the engine as the agent sees it; toolbox.Manager implements it. It is safe for concurrent use.
type Source interface {
	// Status returns the newest snapshot.
	Status() status.Snapshot
	// Subscribe returns a channel that receives a value after the status has changed; several changes may
	// come as one.
	Subscribe() (changed <-chan struct{}, cancel func())
	// Watch calls the functions for every log line and every call until cancel is called. They must return at
	// once. Either may be nil.
	Watch(line func(toolbox, server string, line status.LogLine), call func(status.Call)) (cancel func())

	// Restart restarts a server in any state, and returns when it is connected or has failed.
	Restart(ctx context.Context, toolbox, server string) error
	// Stop stops a server and keeps it stopped until it is restarted or its toolbox is opened again.
	Stop(ctx context.Context, toolbox, server string) error
	// OpenToolbox connects the servers of a toolbox.
	OpenToolbox(ctx context.Context, toolbox string) error
	// CloseToolbox ends the servers of a toolbox.
	CloseToolbox(ctx context.Context, toolbox string) error
	// Tools returns all tools of a server, including those that clients may not see; none before it was
	// connected.
	Tools(toolbox, server string) []status.Tool
	// Log returns the last lines of a server's log, oldest first.
	Log(toolbox, server string) []status.LogLine
	// SetPaused stops everything and refuses calls, or ends this state.
	SetPaused(paused bool)
}

const (
	// dialInterval is the time between two tries to reach the app. If there is no socket, a try costs one
	// system call.
	dialInterval = 700 * time.Millisecond
	dialTime     = 2 * time.Second
)

// AgentOptions are the options of an [Agent].
type AgentOptions struct {
	// Endpoint is where the app listens; "" means [DefaultEndpoint].
	Endpoint string
	// Dial connects to the app in another way. The app's own engine uses it; the other end goes to
	// [Hub.Attach]. Nil means that the app is at Endpoint.
	Dial func(ctx context.Context) (net.Conn, error)
	// About is what is known at the start; see [Agent.SetClient] for the rest.
	About  About
	Source Source
	// Reread reads the configuration again. It is called on its own goroutine. Nil means that this is not
	// possible.
	Reread func()
	Logger *slog.Logger
}

// Agent is the engine's end of the connection to the app. Only one [Agent.Run] may run at a time.
type Agent struct {
	options AgentOptions
	log     *slog.Logger
	renamed chan struct{} // about has changed

	pausing pausing
	asking  asking

	mu    sync.Mutex
	about About
}

// NewAgent returns an agent that does nothing until [Agent.Run].
func NewAgent(options AgentOptions) *Agent {
	a := &Agent{options: options, log: options.Logger, renamed: make(chan struct{}, 1),
		pausing: pausing{source: options.Source}, about: options.About}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	return a
}

// SetClient sets who the client is, after it has initialized. It does not block.
func (a *Agent) SetClient(name, version string) {
	a.mu.Lock()
	a.about.ClientName, a.about.ClientVersion = name, version
	if a.about.Initialized.IsZero() {
		a.about.Initialized = time.Now()
	}
	a.mu.Unlock()
	pause.Wake(a.renamed)
}

// Run connects to the app whenever it is there, until ctx ends. It returns the error of ctx.
func (a *Agent) Run(ctx context.Context) error {
	again := time.NewTimer(0)
	defer again.Stop()
	defer a.pausing.found() // it stops the timer that would let the engine continue
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-again.C:
		}
		if conn, err := a.dial(ctx); err == nil {
			err = a.talk(ctx, conn)
			a.log.Debug("The connection to the desktop app ended", "reason", err)
		}
		again.Reset(dialInterval)
	}
}

func (a *Agent) dial(ctx context.Context) (net.Conn, error) {
	if a.options.Dial != nil {
		return a.options.Dial(ctx)
	}
	endpoint := a.options.Endpoint
	if endpoint == "" {
		var err error
		if endpoint, err = DefaultEndpoint(); err != nil { // it may have changed, for example after logging in
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	return dial(ctx, endpoint)
}

func (a *Agent) hello() *message {
	a.mu.Lock()
	defer a.mu.Unlock()
	about := a.about
	return &message{Type: typeHello, Version: Version, About: &about}
}

// talk handles one connection to the app, and closes it.
func (a *Agent) talk(ctx context.Context, conn net.Conn) error {
	ctx, cancel := context.WithCancelCause(ctx)
	c := &conversation{agent: a, conn: conn, out: newOutbox(), greeted: make(chan int, 1)}
	c.writer.conn = conn
	stop := background.AfterEnd(ctx, func() { _ = conn.Close() }) // ends blocked reads and writes
	c.work.Go(func() { cancel(background.Catch(func() error { return c.read(ctx) })) })
	err := c.tell(ctx)
	cancel(err)
	if stop() {
		_ = conn.Close()
	}
	c.work.Wait()
	a.asking.lost(c.out)
	if c.understood {
		a.pausing.lost()
	}
	return context.Cause(ctx)
}

// conversation is one connection to the app.
type conversation struct {
	agent   *Agent
	conn    net.Conn
	writer  lineWriter
	out     *outbox
	greeted chan int // the app's version of the protocol
	work    background.Group
	running atomic.Int32 // commands

	understood bool // the app has our version; used only by the goroutine that reads
}

const errSilent = words.Code("ipc.silent")

// tell writes everything that the app is told, until ctx ends or a write fails.
func (c *conversation) tell(ctx context.Context) error {
	if err := c.writer.write(c.agent.hello()); err != nil {
		return err
	}
	greeting := time.NewTimer(greetTime)
	defer greeting.Stop()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	select {
	case version := <-c.greeted:
		if version != Version {
			c.agent.log.Debug("The desktop app speaks another version", "version", version)
			return c.keepUp(ctx, beat)
		}
	case <-greeting.C:
		return errSilent
	case <-ctx.Done():
		return ctx.Err()
	}
	c.agent.log.Debug("Connected to the desktop app")

	source := c.agent.options.Source
	changed, unsubscribe := source.Subscribe()
	defer unsubscribe()
	defer source.Watch(c.out.addLine, c.out.addCall)()

	wait, err := c.snapshot(source)
	settled := time.NewTimer(wait) // there is no further snapshot before
	defer settled.Stop()
	stale := false // a snapshot is due
	refresh := func() {
		stale = false
		wait, err = c.snapshot(source)
		settled.Reset(wait)
	}
	for err == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
			stale = true
		case <-settled.C:
			wait = 0
		case <-c.out.wake:
			if c.out.answers() { // the app gets the new snapshot before the reply to its command
				select {
				case <-changed:
					stale = true
				default:
				}
				if stale {
					refresh()
				}
			}
			if err == nil {
				err = c.flush()
			}
		case <-c.agent.renamed:
			err = c.writer.write(c.agent.hello())
		case <-beat.C:
			err = c.writer.write(&message{Type: typePing})
		}
		if stale && wait == 0 && err == nil {
			refresh()
		}
	}
	return err
}

// keepUp stays connected to an app of another version, so that the app can show this engine.
func (c *conversation) keepUp(ctx context.Context, beat *time.Ticker) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-beat.C:
			if err := c.writer.write(&message{Type: typePing}); err != nil {
				return err
			}
		}
	}
}

// snapshot writes the newest snapshot. It returns how long to wait before the next one, which grows with the size of
// the snapshot.
func (c *conversation) snapshot(source Source) (time.Duration, error) {
	const perSecond = 2 << 20 // bytes
	line := snapshotLine(source.Status())
	wait := time.Duration(len(line)) * time.Second / perSecond
	return min(max(wait, 50*time.Millisecond), 300*time.Millisecond), c.writer.writeLine(line)
}

// flush writes everything that is waiting.
func (c *conversation) flush() error {
	for {
		lines, more := c.out.take()
		if len(lines) == 0 {
			return nil
		}
		if err := c.writer.writeLine(lines); err != nil {
			return err
		}
		if !more {
			return nil
		}
	}
}

// read handles the app's messages until the connection ends.
func (c *conversation) read(ctx context.Context) error {
	reader := newLineReader(c.conn, maxFromApp)
	for {
		if err := c.conn.SetReadDeadline(time.Now().Add(silence)); err != nil {
			return err
		}
		m, err := reader.next()
		if err != nil {
			return err
		}
		if m.Type == typeHello {
			if m.Version == Version && !c.understood {
				c.understood = true
				c.agent.pausing.found()
				c.agent.asking.found(c.out, m.Asks)
			}
			select {
			case c.greeted <- m.Version:
			default:
			}
		} else if c.understood {
			c.handleCommand(ctx, m)
		}
	}
}

// maxCommands is how many commands may run at the same time.
const maxCommands = 64

// handleCommand carries out a message of the app.
func (c *conversation) handleCommand(ctx context.Context, m *message) {
	source := c.agent.options.Source
	switch m.Type {
	case typePause:
		c.agent.pausing.set(m.Paused)
	case typeAnswer:
		c.agent.asking.answered(m.ID, m.Answer)
	case typeReread:
		if reread := c.agent.options.Reread; reread != nil {
			c.work.Go(reread)
		}
	case typeRestart:
		c.command(ctx, m, func(*message) error { return source.Restart(ctx, m.Toolbox, m.Server) })
	case typeStop:
		c.command(ctx, m, func(*message) error { return source.Stop(ctx, m.Toolbox, m.Server) })
	case typeOpen:
		c.command(ctx, m, func(*message) error { return source.OpenToolbox(ctx, m.Toolbox) })
	case typeClose:
		c.command(ctx, m, func(*message) error { return source.CloseToolbox(ctx, m.Toolbox) })
	case typeTools:
		c.command(ctx, m, func(reply *message) error {
			reply.Tools = source.Tools(m.Toolbox, m.Server)
			return nil
		})
	case typeGetLog:
		c.command(ctx, m, func(reply *message) error {
			reply.Lines = source.Log(m.Toolbox, m.Server)
			return nil
		})
	}
}

// command runs a command on its own goroutine and sends the reply. If ctx has ended there is no reply: the
// connection has ended too, and has interrupted the command.
func (c *conversation) command(ctx context.Context, m *message, run func(reply *message) error) {
	reply := &message{Type: typeReply, ID: m.ID}
	if c.running.Load() >= maxCommands { // only this goroutine starts commands
		reply.Error = words.New("ipc.busy")
		c.out.addReply(reply)
		return
	}
	c.running.Add(1)
	c.work.Go(func() {
		if err := background.Catch(func() error { return run(reply) }); err != nil {
			reply.Error = words.Of(err)
		}
		c.running.Add(-1)
		if ctx.Err() == nil {
			c.out.addReply(reply)
		}
	})
}
