package mcpserver

import (
	"context"
	"encoding/json"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// A toolbox can be limited to sessions that work in some folders ("folders"). Where a session works, the client says
// with its roots. A client that has none, or has not told them yet, works in the folder in which it has started us.
// Clients of 2026-07-28 cannot be asked outside of a request, so theirs is always that folder.

// rootsPatience is how long requests wait for the client's roots.
const rootsPatience = 2 * time.Second

// roots has the folders in which the session works.
type roots struct {
	folder string // in which the client has started us; "" if that says nothing

	mu      sync.Mutex
	told    []string      // the folders of the client's roots
	known   bool          // the client has told its roots
	pending chan struct{} // closed when the client has answered; nil if it is not being asked
	again   bool          // its roots have changed while it was asked
}

// folders returns the folders in which the session works.
func (r *roots) folders() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known {
		return r.told
	}
	if r.folder == "" {
		return nil
	}
	return []string{r.folder}
}

// begin records that the client is being asked. The caller closes pending when the client has answered for the last
// time. If it is being asked already, pending is nil, and whoever asks it will ask once more.
func (r *roots) begin() (pending chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pending != nil {
		r.again = true
		return nil
	}
	r.pending = make(chan struct{})
	return r.pending
}

// tell records the folders of the client's roots.
func (r *roots) tell(folders []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told, r.known = folders, true
}

// answered records that the client has answered. It reports whether to ask again.
func (r *roots) answered() (again bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	again, r.again = r.again, false
	if !again {
		r.pending = nil
	}
	return again
}

// isKnown reports whether the client has told its roots.
func (r *roots) isKnown() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known
}

// isAsking reports whether the client is being asked.
func (r *roots) isAsking() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pending != nil
}

// await waits until the client has answered, at most rootsPatience. It must not be called on the read loop.
func (r *roots) await(ctx context.Context) {
	r.mu.Lock()
	pending := r.pending
	r.mu.Unlock()
	if pending == nil {
		return
	}
	timer := time.NewTimer(rootsPatience)
	defer timer.Stop()
	select {
	case <-pending:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// maxRoots limits the roots that count.
const maxRoots = 1_000

// foldersOf returns the folders in the result of roots/list. Roots that are not on this computer are left out.
func foldersOf(result json.RawMessage) []string {
	var folders []string
	list, _ := jsonrpc.Elements(jsonrpc.Lookup(result, "roots"))
	for _, root := range list[:min(len(list), maxRoots)] {
		text, _ := jsonrpc.String(jsonrpc.Lookup(root, "uri"))
		if folder := folderOf(runtime.GOOS, text); folder != "" {
			folders = append(folders, folder)
		}
	}
	return folders
}

// folderOf returns the path of a file URI, or "". VS Code writes file:///c%3A/Users for a disk of Windows.
func folderOf(goos, uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return ""
	}
	folder := u.Path
	if goos == "windows" {
		if folder = strings.ReplaceAll(folder, "/", `\`); u.Host != "" && u.Host != "localhost" {
			return `\\` + u.Host + folder
		}
		if trimmed := folder[1:]; len(trimmed) > 1 && trimmed[1] == ':' {
			return trimmed
		}
	}
	return folder
}
