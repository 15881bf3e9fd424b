//go:build unix

package downstream

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// fakeDocker is a docker that writes the id of its container to the file for it, runs until it is killed, and notes
// what is asked.
const fakeDocker = `#!/bin/sh
echo "$@" >>"$NOTES"
if [ "$1" = run ]; then
	printf abc123 >"$3"
	echo started
	trap '' TERM
	while :; do sleep 0.05; done
fi
`

// TestContainersEnd: a container is removed when its server has ended, whatever ended it.
func TestContainersEnd(t *testing.T) {
	for name, end := range map[string]func(p Peer){
		"stopped": func(p Peer) { p.Stop(context.Background()) },
		"at once": func(p Peer) {
			ended, cancel := context.WithCancel(context.Background())
			cancel()
			p.Stop(ended)
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			docker, notes := filepath.Join(folder, "docker"), filepath.Join(folder, "notes")
			if err := os.WriteFile(docker, []byte(fakeDocker), 0o700); err != nil {
				t.Fatal(err)
			}
			spec := process.Spec{Command: "docker", Args: []string{"run", "-i", "--rm", "mcp/time"},
				Env:        []string{"PATH=" + folder + ":/usr/bin:/bin", "NOTES=" + notes},
				StdinGrace: 50 * time.Millisecond, TermGrace: 50 * time.Millisecond}
			p, err := startPeer(process.Start, spec)
			if err != nil {
				t.Fatal(err)
			}
			line := make([]byte, 8)
			p.Stdout().Read(line)
			end(p)
			<-p.Done()
			said, _ := os.ReadFile(notes)
			lines := strings.Split(strings.TrimSpace(string(said)), "\n")
			if len(lines) != 2 || !strings.HasPrefix(lines[0], "run --cidfile ") ||
				!strings.HasSuffix(lines[0], " -i --rm mcp/time") || lines[1] != "rm --force abc123" {
				t.Fatalf("docker is asked %q", lines)
			}
			if _, err := os.Stat(strings.Fields(lines[0])[2]); err == nil {
				t.Error("the file with the id is left")
			}
		})
	}
}

func TestRunsContainer(t *testing.T) {
	for line, want := range map[string]bool{
		"docker run -i image": true, `C:\Docker\docker.exe run -i image`: true, "podman container run image": true,
		"nerdctl run x": true, "docker run -d image": false, "docker run -dit image": false, "docker run -i image -d": true,
		"docker run -v d:/d -i image --detach": true,
		"docker run --cidfile x image":         false, "docker run --cidfile=x image": false, "docker exec -i x": false,
		"docker compose run x": false, "npx run x": false, "docker": false,
	} {
		words := strings.Fields(line)
		if got := runsContainer(words[0], words[1:]); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
