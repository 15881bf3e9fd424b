package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
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
	job windows.Handle
}

// start starts the command in a new job, without a console window. The process is started suspended, since
// otherwise it could start children outside the job. Without a console, a separate session is not needed.
func (g *group) start(cmd *exec.Cmd, _ bool) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return words.NewError("process.job_not_created", "Why", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		windows.CloseHandle(job)
		return words.NewError("process.job_not_set_up", "Why", err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
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
	g.job = job
	err = assign(job, cmd.Process.Pid)
	if err == nil {
		err = resume(cmd.Process.Pid)
	}
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		windows.CloseHandle(job)
	}
	return err
}

// assign puts a process into the job.
func assign(job windows.Handle, pid int) error {
	handle, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return words.NewError("process.not_opened", "Pid", pid, "Why", err)
	}
	defer windows.CloseHandle(handle)
	if err := windows.AssignProcessToJobObject(job, handle); err != nil {
		return words.NewError("process.not_in_job", "Pid", pid, "Why", err)
	}
	return nil
}

// resume continues a process that was started suspended. It has one thread, whose handle os/exec does not
// keep.
func resume(pid int) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return words.NewError("process.no_threads", "Why", err)
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != uint32(pid) {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return words.NewError("process.thread_not_opened", "Pid", pid, "Why", err)
		}
		defer windows.CloseHandle(thread)
		if _, err := windows.ResumeThread(thread); err != nil {
			return words.NewError("process.not_resumed", "Pid", pid, "Why", err)
		}
		return nil
	}
	return words.NewError("process.no_thread", "Pid", pid)
}

// await waits until the leader has ended.
func (g *group) await(cmd *exec.Cmd) (reap func() error) {
	err := cmd.Wait()
	return func() error { return err }
}

// terminate does nothing: Windows cannot ask processes without windows or a shared console to exit. The end
// of stdin was that request.
func (g *group) terminate() error { return nil }

// kill ends all processes in the job.
func (g *group) kill() error {
	return windows.TerminateJobObject(g.job, killedStatus)
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	times                                                     [4]int64
	pageFaults, totalProcesses, activeProcesses, terminations uint32
}

// alive reports whether a process is left in the job.
func (g *group) alive() bool {
	const basicAccounting = 1 // JobObjectBasicAccountingInformation
	var info accounting
	if err := windows.QueryInformationJobObject(g.job, basicAccounting,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil); err != nil {
		return false
	}
	return info.activeProcesses > 0
}

// close closes the job, which ends the processes that are still in it.
func (g *group) close() { windows.CloseHandle(g.job) }

// exitError returns how a process ended.
func exitError(state *os.ProcessState, err error) error {
	if state == nil {
		return errors.Join(errNoState, err)
	}
	if code := uint32(state.ExitCode()); code > 0xffff {
		return words.NewError("process.exited", "Status", fmt.Sprintf("0x%08X", code)) // an error of Windows, such as 0xC0000005
	}
	return words.NewError("process.exited", "Status", state.ExitCode())
}
