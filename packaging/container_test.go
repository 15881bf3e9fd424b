package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// container is what matters here of a container, in both files.
type container struct {
	Command, Args  []string
	Volumes        []string
	VolumeMounts   []mount `yaml:"volumeMounts"`
	LivenessProbe  probe   `yaml:"livenessProbe"`
	ReadinessProbe probe   `yaml:"readinessProbe"`
}

type mount struct {
	Name      string `yaml:"name"`
	MountPath string `yaml:"mountPath"`
}

type probe struct {
	HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
}

// flags checks the command line of a replica, and returns its flags.
func flags(t *testing.T, line []string) map[string]string {
	t.Helper()
	if len(line) == 0 || line[0] != "serve" {
		t.Fatalf("it starts %q", line)
	}
	source := source(t, "cmd", "workbench-desktop")
	given := map[string]string{}
	for _, flag := range line[1:] {
		name, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
		if !strings.Contains(source, `"`+name+`", `) {
			t.Errorf("there is no flag %s", flag)
		}
		given[name] = value
	}
	return given
}

// TestCompose: the replicas are those that HAProxy knows, at the port that it uses, and their files are in a folder
// that is mounted.
func TestCompose(t *testing.T) {
	var file struct {
		Replica  container            `yaml:"x-replica"`
		Services map[string]container `yaml:"services"`
	}
	text := read(t, "packaging", "container", "compose.yaml")
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	haproxy := read(t, "packaging", "container", "haproxy.cfg")
	servers := regexp.MustCompile(`(?m)^\tserver (\w+) (\w+):7400$`).FindAllStringSubmatch(haproxy, -1)
	if len(servers) != 3 || len(file.Services) != 4 {
		t.Fatalf("HAProxy knows %q of %d services", servers, len(file.Services))
	}
	for _, server := range servers {
		given := flags(t, file.Services[server[2]].Command)
		if given["listen"] != "0.0.0.0:7400" {
			t.Errorf("%s listens at %s", server[1], given["listen"])
		}
		for _, name := range []string{"config", "tokens"} {
			if filepath.ToSlash(filepath.Dir(given[name])) != "/etc/workbench" ||
				!slices.Contains(file.Services[server[2]].Volumes, "./files:/etc/workbench:ro") {
				t.Errorf("%s reads %s", server[1], given[name])
			}
		}
	}
}

// TestKubernetes: the parts belong together, and the configuration in it is valid.
func TestKubernetes(t *testing.T) {
	type object struct {
		Kind     string
		Metadata struct{ Name string }
		Data     map[string]string
		Spec     struct {
			ScaleTargetRef struct{ Kind, Name string } `yaml:"scaleTargetRef"`
			Template       struct {
				Spec struct {
					Containers []container
					Volumes    []struct{ Name string }
				}
			}
		}
	}
	byKind := map[string]object{}
	for document := range strings.SplitSeq(read(t, "packaging", "container", "kubernetes.yaml"), "\n---\n") {
		var one object
		if err := yaml.Unmarshal([]byte(document), &one); err != nil {
			t.Fatal(err)
		}
		byKind[one.Kind] = one
	}
	deployment := byKind["Deployment"]
	if target := byKind["HorizontalPodAutoscaler"].Spec.ScaleTargetRef; len(byKind) != 4 ||
		target.Kind != "Deployment" || target.Name != deployment.Metadata.Name {
		t.Errorf("%d objects, and %v is scaled", len(byKind), target)
	}
	engine := deployment.Spec.Template.Spec.Containers[0]
	given := flags(t, engine.Args)
	for _, mount := range engine.VolumeMounts {
		if !slices.Contains(deployment.Spec.Template.Spec.Volumes, struct{ Name string }{mount.Name}) {
			t.Errorf("the volume %s is missing", mount.Name)
		}
	}
	for _, name := range []string{"config", "tokens"} {
		if !slices.Contains(engine.VolumeMounts, mount{name, filepath.ToSlash(filepath.Dir(given[name]))}) {
			t.Errorf("%s is not mounted", given[name])
		}
	}
	if engine.LivenessProbe.HTTPGet.Path != "/healthz" || engine.ReadinessProbe.HTTPGet.Path != "/readyz" {
		t.Errorf("the probes are %v and %v", engine.LivenessProbe, engine.ReadinessProbe)
	}
	text := byKind["ConfigMap"].Data[filepath.Base(given["config"])]
	if parsed := config.Parse(config.FileName, []byte(text)); len(parsed.Diagnostics) > 0 {
		t.Errorf("the configuration: %v", parsed.Diagnostics)
	}
}

// TestContainerFilesHaveNothingUnknown reads the files by the schema of Compose and by the types of Kubernetes, and
// shows that a member that these do not know is noticed.
func TestContainerFilesHaveNothingUnknown(t *testing.T) {
	compose, kubernetes := read(t, "packaging", "container", "compose.yaml"),
		read(t, "packaging", "container", "kubernetes.yaml")
	for _, c := range []struct{ name, compose, kubernetes, says string }{
		{"as they are", compose, kubernetes, ""},
		{"compose", strings.Replace(compose, "restart:", "restarts:", 1), kubernetes, "restarts"},
		{"kubernetes", compose, strings.Replace(kubernetes, "livenessProbe:", "aliveProbe:", 1), "aliveProbe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			files := []string{filepath.Join(folder, "compose.yaml"), filepath.Join(folder, "kubernetes.yaml")}
			for i, text := range []string{c.compose, c.kubernetes} {
				if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			said, err := exec.CommandContext(t.Context(), "go", "-C", "tools", "run", "./containers", files[0],
				files[1]).CombinedOutput()
			if (err != nil) != (c.says != "") || !strings.Contains(string(said), c.says) {
				t.Errorf("%v: %s", err, said)
			}
		})
	}
}
