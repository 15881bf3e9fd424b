package doctor

import (
	"context"
	"os"
	"os/user"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Options say what is looked at. The zero value looks at programs and at the computer, and at no files.
type Options struct {
	// Location is that of the configuration file. With an empty path the file is left out.
	Location config.Location

	// History is the folder of the histories, Endpoint the socket or pipe over which engines and the app talk. Empty ones are
	// left out.
	History, Endpoint string

	// Environment is ours, nil meaning [os.Environ]. What apps hand over is made from it.
	Environment []string

	// AppPath is the PATH that AI apps hand over when they were started from a menu; empty means that of the system.
	AppPath string

	// Keychain asks the keychain for an entry that it need not have; nil means the system's.
	Keychain func(name string) error

	// Policies tells which rules of an organisation keep AI apps from starting us, a sentence each. nil leaves that out.
	Policies func() []words.Text
}

// Doctor looks at this computer. Close it.
type Doctor struct {
	options Options
	home    string
	user    string
	bare    []string         // what apps hand over
	usual   []program        // what servers are started with
	environ *environ.Environ // completes it
}

// New makes a Doctor. It looks at nothing yet.
func New(options Options) *Doctor {
	if options.Environment == nil {
		options.Environment = os.Environ()
	}
	if options.Keychain == nil {
		options.Keychain = func(name string) error {
			_, err := keychain.Get(name)
			return err
		}
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

// Close ends what is still under way.
func (d *Doctor) Close() error { return d.environ.Close() }

// bare is what an AI app that was started from a menu hands over to us: as Claude Desktop does it. On Windows that is everything.
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

// examination is one check with what carries it out. look fills in the check; its context ends with the time for it.
type examination struct {
	check Check
	look  func(ctx context.Context, e *evidence, check *Check)
}

// examinations are all of them in the order in which they are shown.
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
		add(Files, "link", words.New("doctor.check_link"), d.link)
	}
	add(System, "keychain", words.New("doctor.check_keychain"), d.keychain)
	add(System, "disk", words.New("doctor.check_disk"), d.disk)
	if d.options.Policies != nil {
		add(System, "policy", words.New("doctor.check_policy"), d.policy)
	}
	return all
}

// Checks returns what will be looked at, in the order in which it is shown, all of it pending.
func (d *Doctor) Checks() []Check {
	var checks []Check
	for _, e := range d.examinations() {
		checks = append(checks, e.check)
	}
	return checks
}

// Limits of a run.
const (
	atOnce    = 4
	timeLimit = 10 * time.Second // for one check
)

// Run looks at everything, some of it at the same time, and gives all checks in the order of [Doctor.Checks]. found, which may be
// nil, gets each as soon as it is done, one at a time. When ctx ends, what is not done stays pending.
func (d *Doctor) Run(ctx context.Context, found func(Check)) []Check {
	e := &evidence{doctor: d}
	all := d.examinations()
	checks := make([]Check, len(all))
	var running sync.WaitGroup
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
			examination.look(limited, e, &check)
			if ctx.Err() != nil {
				return // what was found is not what is there
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

// Worst is the state that a run as a whole has: the worst of its checks.
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

// ErrNoFix is the reason when there is nothing of that name that could be done.
const ErrNoFix = words.Code("doctor.no_fix")

// evidence is what several checks of one run need, found once.
type evidence struct {
	doctor *Doctor

	once     sync.Once
	document *config.Document
	err      error // why there is none
	secrets  []string
	keyrings []string
	commands []used
}

// used is a program that a server is started with.
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

// configured reports whether there is a configuration to go by.
func (e *evidence) configured() bool {
	e.read()
	return e.err == nil && e.document.Config != nil
}
