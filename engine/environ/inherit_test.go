package environ

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestInherit(t *testing.T) {
	env := []string{"HOME=/h", "PATH=/bin", "LC_PAPER=de_DE", "XDG_RUNTIME_DIR=/run", "https_proxy=p", "HTTPS_PROXY=p",
		"NODE_EXTRA_CA_CERTS=c", "NVM_DIR=n",
		"GITHUB_TOKEN=secret", "LD_PRELOAD=x.so", "SHLVL=1", "GITHUB_TOKEN=again", "=C:=C:\\", "nonsense", "BAD\x1bNAME=",
		"EMPTY="}
	if runtime.GOOS == "windows" {
		env = slices.DeleteFunc(env, func(entry string) bool { return strings.HasPrefix(entry, "XDG_RUNTIME") })
	}
	before := slices.Clone(env)
	inherited, withheld := Inherit(env)
	if want := env[:slices.Index(env, "GITHUB_TOKEN=secret")]; !slices.Equal(inherited, want) {
		t.Errorf("inherited are %q, want %q", inherited, want)
	}
	if want := []string{"EMPTY", "GITHUB_TOKEN", "LD_PRELOAD"}; !slices.Equal(withheld, want) {
		t.Errorf("withheld are %q, want %q", withheld, want)
	}
	if _ = append(inherited, "X=1"); !slices.Equal(env, before) {
		t.Error("the given environment was changed")
	}
}

func TestInherits(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for name, want := range map[string]bool{
			"PATH": true, "HOME": true, "TERM": true, "LANG": true, "LC_ALL": true, "TZ": true, "TMP": true, "NO_PROXY": true,
			"no_proxy":      true,
			"SSL_CERT_FILE": true, "REQUESTS_CA_BUNDLE": true, "CURL_CA_BUNDLE": true, "AWS_CA_BUNDLE": true, "PIP_CERT": true,
			"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": true, "DOCKER_HOST": true, "VOLTA_HOME": true, "PYENV_ROOT": true,
			"": false, "NODE_OPTIONS": false, "PYTHONPATH": false, "LD_LIBRARY_PATH": false, "DYLD_INSERT_LIBRARIES": false,
			"BASH_ENV": false, "SSH_AUTH_SOCK": false,
			"AWS_PROFILE": false, "AWS_SECRET_ACCESS_KEY": false, "GITHUB_TOKEN": false, "OPENAI_API_KEY": false,
			"UV_PUBLISH_TOKEN": false, "NPM_TOKEN": false,
			"KUBECONFIG": false, "VIRTUAL_ENV": false, "DATABASE_URL": false,
		} {
			if got := Inherits(goos, name); got != want {
				t.Errorf("%s: %s is inherited: %v", goos, name, got)
			}
		}
	}
	for _, name := range []string{"Path", "ComSpec", "windir", "SystemRoot", "ProgramFiles(x86)", "LocalAppData",
		"Https_Proxy"} {
		if !Inherits("windows", name) {
			t.Errorf("windows: %s is not inherited", name)
		}
		if Inherits("linux", name) {
			t.Errorf("linux: %s is inherited", name)
		}
	}
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP", "USER",
		"LOGNAME", "SHELL", "TMPDIR"} {
		if !Inherits("linux", name) || !Inherits("darwin", name) {
			t.Errorf("%s is not inherited", name)
		}
	}
}

func FuzzInherit(f *testing.F) {
	f.Add("PATH=/bin\nTOKEN=x\n=C:=C:\\\n\xff=1\nA")
	f.Fuzz(func(t *testing.T, text string) {
		env := strings.Split(text, "\n")
		inherited, withheld := Inherit(env)
		for _, entry := range inherited {
			if name, _, _ := strings.Cut(entry, "="); !slices.Contains(env, entry) || slices.Contains(withheld, name) {
				t.Errorf("%q is inherited", entry)
			}
		}
		if !slices.IsSorted(withheld) {
			t.Errorf("%q is not sorted", withheld)
		}
		for _, name := range withheld {
			if strings.Contains(name, "=") {
				t.Errorf("%q has a value", name)
			}
		}
	})
}
