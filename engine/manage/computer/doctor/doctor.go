package doctor

import (
	"context"
	"os"
	"os/user"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options say what is examined. The zero value examines programs and the computer, but no files.
type Options struct {
	// Location is the configuration file. It is left out if its path is empty.
	Location config.Location

	// History is the folder of the histories. Endpoint is the socket or pipe between the engines and the app.
	// Each is left out if empty.
	History, Endpoint string

	// Environment is the environment of this process; nil means [os.Environ]. The environment that apps pass
	// on is derived from it.
	Environment []string

	// AppPath is the PATH that AI apps pass on when they were started from a menu; empty means the system's.
	AppPath string

	// Keychain returns why the keychain cannot be used, without asking the person for a password; nil means
	// [keychain.Probe].
	Keychain func() error

	// Policies returns a sentence for each rule of an organisation that keeps AI apps from starting
	// Workbench. nil leaves this check out.
	Policies func() []words.Text
}

// Doctor examines this computer. The caller must close it.
type Doctor struct {
	options Options
	home    string
	user    string
	bare    []string         // the environment that apps pass on
	usual   []program        // the programs that start servers
	environ *environ.Environ // completes bare
}

// New returns a Doctor. It does not examine anything yet.
func New(options Options) *Doctor {
	if options.Environment == nil {
		options.Environment = os.Environ()
	}
	if options.Keychain == nil {
		options.Keychain = keychain.Probe
	}
	d := &Doctor{options: options, bare: bare(options.Environment, options.AppPath), usual: programs()}
	getenv := func(name string) string { return process.Getenv(options.Environment, name) }
	d.home, d.user = paths.Here(getenv).Home, getenv("USER")
	if runtime.GOOS == "windows" {
		d.user = getenv("USERNAME")
	}
	if current, err := user.Current(); err == nil && d.user == "" {
		d.user = current.Username
	}
	d.environ = environ.New(d.bare)
	return d
}

// Close stops work that is still running.
func (d *Doctor) Close() error { return d.environ.Close() }

// bare returns the environment that an AI app passes on when it was started from a menu, as Claude Desktop
// does. On Windows that is the whole environment.
func bare(ours []string, path string) []string {
	if runtime.GOOS == "windows" {
		return ours
	}
	if path == "" {
		path = "/usr/bin:/bin:/usr/sbin:/sbin"
	}
	env := []string{"PATH=" + path, "TERM=xterm-256color"}
	for _, name := range []string{"HOME", "LOGNAME", "SHELL", "USER"} {
		if value := process.Getenv(ours, name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// examination is one check with the function that carries it out. look fills in the check. Its context ends
// when the time for the check is over.
type examination struct {
	check Check
	look  func(ctx context.Context, e *evidence, check *Check)
}

// examinations returns all examinations in the order in which they are shown.
func (d *Doctor) examinations() []examination {
	var all []examination
	add := func(group Group, id string, title words.Text, look func(context.Context, *evidence, *Check)) {
		all = append(all, examination{Check{ID: id, Group: group, Title: title}, look})
	}
	for _, p := range d.usual {
		add(Programs, p.id, words.Foreign(p.title), d.program(p))
	}
	add(Programs, "path", words.New("doctor.check_path"), d.path)
	if d.options.Location.Path != "" {
		add(Files, "config", words.New("doctor.check_config"), d.configuration)
		if runtime.GOOS != "windows" {
			add(Files, "secrets", words.New("doctor.check_secrets"), d.permissions)
		}
	}
	if d.options.History != "" {
		add(Files, "history", words.New("doctor.check_history"), d.history)
	}
	if d.options.Endpoint != "" && runtime.GOOS != "windows" {
		add(Files, "link", words.New("doctor.check_link"), d.endpoint)
	}
	add(System, "keychain", words.New("doctor.check_keychain"), d.keychain)
	add(System, "disk", words.New("doctor.check_disk"), d.disk)
	if d.options.Policies != nil {
		add(System, "policy", words.New("doctor.check_policy"), d.policy)
	}
	return all
}

// Checks returns all checks, pending, in the order in which they are shown.
func (d *Doctor) Checks() []Check {
	var checks []Check
	for _, e := range d.examinations() {
		checks = append(checks, e.check)
	}
	return checks
}

// Limits of a run: how many checks run at the same time, and the time for one check.
const (
	atOnce    = 4
	timeLimit = 10 * time.Second
)

// Run carries out all checks, some of them at the same time, and returns them in the order of
// [Doctor.Checks]. It calls found, unless it is nil, for each check as soon as it is done, one call at a
// time. If ctx ends, unfinished checks stay pending.
func (d *Doctor) Run(ctx context.Context, found func(Check)) []Check {
	e := &evidence{doctor: d}
	all := d.examinations()
	checks := make([]Check, len(all))
	var running background.Group
	var told sync.Mutex
	free := make(chan struct{}, atOnce)
	for i, examination := range all {
		checks[i] = examination.check
		running.Go(func() {
			select {
			case free <- struct{}{}:
				defer func() { <-free }()
			case <-ctx.Done():
				return
			}
			check := examination.check
			limited, cancel := context.WithTimeout(ctx, timeLimit)
			defer cancel()
			err := background.Catch(func() error { examination.look(limited, e, &check); return nil })
			if err != nil {
				check.found(Wrong, words.Of(err))
			}
			if ctx.Err() != nil {
				return // the result of a check that was interrupted is not valid
			}
			told.Lock()
			defer told.Unlock()
			checks[i] = check
			if found != nil {
				found(check)
			}
		})
	}
	running.Wait()
	return checks
}

// Worst returns the worst state among checks.
func Worst(checks []Check) State {
	worst := OK
	for _, check := range checks {
		switch {
		case check.State == Wrong:
			return Wrong
		case check.State == Notice:
			worst = Notice
		}
	}
	return worst
}

// ErrNoFix means that there is no fix with this id.
const ErrNoFix = words.Code("doctor.no_fix")

// evidence is what several checks of one run need. It is collected once.
type evidence struct {
	doctor *Doctor

	once     sync.Once
	document *config.Document
	err      error // why there is no configuration
	secrets  []string
	keyrings []string
	commands []used
}

// used is a command that starts a server.
type used struct{ command, server string }

// read reads the configuration, once.
func (e *evidence) read() {
	e.once.Do(func() {
		if e.doctor.options.Location.Path == "" {
			e.document = config.Parse("", []byte("{}"))
			return
		}
		if e.document, e.err = config.Read(e.doctor.options.Location); e.err != nil || e.document.Config == nil {
			return
		}
		for _, toolbox := range e.document.Config.Toolboxes {
			for _, server := range toolbox.Servers {
				e.note(toolbox.Name+" › "+server.Name, server)
			}
		}
		slices.Sort(e.keyrings)
		e.keyrings = slices.Compact(e.keyrings)
	})
}

// configured reports whether there is a usable configuration.
func (e *evidence) configured() bool {
	e.read()
	return e.err == nil && e.document.Config != nil
}
