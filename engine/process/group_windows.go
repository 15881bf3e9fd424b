package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// errNotAProgram is the system's error for a file that it cannot run.
const (
	errNotAProgram = windows.ERROR_BAD_EXE_FORMAT
	notAProgram    = words.Code("process.no_program")
)

// killedStatus is the exit status of processes that we kill.
const killedStatus = 1

// group is a Job Object. It contains everything that the leader starts.
type group struct {
	job    windows.Handle // 0 if the leader could not join one, as in a job that allows no other
	leader uint32
	exited atomic.Bool // the leader's id may belong to another process
	lone   error       // why there is no job

	// What a test can put in the place of the system's own.
	assign      func(job, process windows.Handle) error // puts a process into a job
	withWindows func() map[uint32]bool                  // see the function [withWindows]
}

func newGroup() *group {
	return &group{assign: windows.AssignProcessToJobObject, withWindows: withWindows}
}

// start starts the command in a new job, without a console window; a server's own window is shown. The process
// is started suspended, since otherwise it could start children outside the job. Without a console, a separate
// session is not needed.
func (g *group) start(cmd *exec.Cmd, _ bool) error {
	job, err := newJob()
	if err != nil {
		return err
	}
	cmd.Env = withDefaults(cmd.Env)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_SUSPENDED,
	}
	if isBatch(cmd.Path) {
		if cmd.SysProcAttr.CmdLine, err = asBatch(cmd); err != nil {
			windows.CloseHandle(job)
			return err
		}
	}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return err
	}
	g.job, g.leader = job, uint32(cmd.Process.Pid)
	if err := g.begin(); err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		g.close()
		return err
	}
	return nil
}

// withDefaults adds variables that are not set: cmd.exe does not take a program from the folder in which a server
// runs for one in Path, and wsl.exe writes UTF-8.
func withDefaults(env []string) []string {
	for _, entry := range []string{"NoDefaultCurrentDirectoryInExePath=1", "WSL_UTF8=1"} {
		name, _, _ := strings.Cut(entry, "=")
		if Getenv(env, name) == "" {
			env = append(env, entry)
		}
	}
	return env
}

// newJob makes a job that ends with us. What a process starts outside of it on purpose may leave it.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, words.NewError("process.job_not_created", "Why", err)
	}
	if err := limit(job, windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE|windows.JOB_OBJECT_LIMIT_BREAKAWAY_OK); err != nil {
		windows.CloseHandle(job)
		return 0, words.NewError("process.job_not_set_up", "Why", err)
	}
	return job, nil
}

func limit(job windows.Handle, flags uint32) error {
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = flags
	_, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	return err
}

// begin puts the suspended leader into the job, and lets it run.
func (g *group) begin() error {
	handle, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE|windows.PROCESS_SUSPEND_RESUME,
		false, g.leader)
	if err != nil {
		return words.NewError("process.not_opened", "Pid", int(g.leader), "Why", err)
	}
	defer windows.CloseHandle(handle)
	if err := g.assign(g.job, handle); err != nil {
		windows.CloseHandle(g.job)
		g.job, g.lone = 0, words.NewError("process.not_in_job", "Pid", int(g.leader), "Why", err)
	}
	if status, _, _ := resumeProcess.Call(uintptr(handle)); status != 0 {
		return words.NewError("process.not_resumed", "Pid", int(g.leader), "Why", windows.NTStatus(status))
	}
	return nil
}

var resumeProcess = windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")

// trouble returns why not everything that the leader starts ends with us; nil if it does.
func (g *group) trouble() error { return g.lone }

// await waits until the leader has ended.
func (g *group) await(cmd *exec.Cmd) (reap func() error) {
	err := cmd.Wait()
	g.exited.Store(true)
	return func() error { return err }
}

// terminate does nothing: Windows cannot ask processes without windows or a shared console to exit. The end
// of stdin was that request.
func (g *group) terminate() error { return nil }

// kill ends the processes of the group, but for what the person sees and uses; see [sort].
func (g *group) kill() error {
	var first error
	for range killRounds {
		m := g.members()
		if len(m.ending) == 0 {
			return first
		}
		if !m.spared && g.job != 0 {
			return windows.TerminateJobObject(g.job, killedStatus)
		}
		for _, pid := range m.ending {
			if err := end(pid, g.job); err != nil && first == nil {
				first = err
			}
		}
	}
	return first
}

// killRounds is how often the processes are listed: one that is ended may just have started another.
const killRounds = 5

// members returns the processes of the group. Without a job they are those that the leader has started, while
// its id is its own.
func (g *group) members() members {
	parents := parentsOf()
	var all []uint32
	switch {
	case g.job != 0:
		all = inJob(g.job)
	case !g.exited.Load():
		all = below(g.leader, parents)
	}
	if len(all) == 0 {
		return members{}
	}
	return sort(all, g.leader, g.withWindows(), parents)
}

// alive reports whether a process that is to end is left.
func (g *group) alive() bool { return len(g.members().ending) > 0 }

// close closes the job. If we are ended by force, that ends the processes in it; here, those that were spared
// stay.
func (g *group) close() {
	if g.job == 0 {
		return
	}
	if g.members().spared {
		_ = limit(g.job, 0)
	}
	windows.CloseHandle(g.job)
}

// exitError returns how a process ended.
func exitError(state *os.ProcessState, err error) error {
	if state == nil {
		return errors.Join(errNoState, err)
	}
	if code := uint32(state.ExitCode()); code > 0xffff {
		// an error of Windows, such as 0xC0000005
		return words.NewError("process.exited", "Status", fmt.Sprintf("0x%08X", code))
	}
	return words.NewError("process.exited", "Status", state.ExitCode())
}
