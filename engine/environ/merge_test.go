package environ

import (
	"strings"
	"testing"
)

func TestMerge(t *testing.T) {
	user := []string{"PATHEXT=.COM;.EXE;.BAT;.CMD;.JS", "windir=C:\\Windows", "ProgramData=C:\\ProgramData",
		"HTTPS_PROXY=http://proxy:3128", "TEMP=C:\\Temp",
		`NVM_SYMLINK=C:\Program Files\nodejs`, `Path=%NVM_SYMLINK%;C:\Windows\System32;C:\Tools\;%UNKNOWN%\x;C:\50% off`,
		"=C:=C:\\", "EMPTY="}
	for _, test := range []struct {
		name  string
		given []string
		want  map[string]string
	}{
		{"bare", []string{"APPDATA=C:\\a", `PATH=C:\windows\system32`, "temp=D:\\t"}, map[string]string{
			"PATHEXT": ".COM;.EXE;.BAT;.CMD;.JS", "WINDIR": `C:\Windows`, "PROGRAMDATA": `C:\ProgramData`,
			"HTTPS_PROXY": "http://proxy:3128", "TEMP": `D:\t`, "APPDATA": `C:\a`,
			"PATH": `C:\windows\system32;C:\Program Files\nodejs;C:\Tools\;%UNKNOWN%\x;C:\50% off`}},
		{"nothing", nil, map[string]string{
			"PATH": `C:\Program Files\nodejs;C:\Windows\System32;C:\Tools\;%UNKNOWN%\x;C:\50% off`, "EMPTY": ""}},
		{"only control panels", []string{"PATHEXT=.CPL"}, map[string]string{"PATHEXT": ".COM;.EXE;.BAT;.CMD;.JS"}},
		{"a PATHEXT of the parent's own", []string{"PathExt=.exe; .PY"}, map[string]string{"PATHEXT": ".exe; .PY"}},
		{"set to nothing on purpose", []string{"HTTPS_PROXY="}, map[string]string{"HTTPS_PROXY": ""}},
		{"a variable in the parent's Path", []string{`Path=%nvm_symlink%;%NVM_SYMLINK%\x`},
			map[string]string{"PATH": `C:\Program Files\nodejs;C:\Program Files\nodejs\x;C:\Windows\System32;C:\Tools\;%UNKNOWN%\x;C:\50% off`}},
	} {
		got := merge(test.given, user)
		seen := map[string]bool{}
		for _, entry := range got {
			name, _, _ := strings.Cut(entry, "=")
			if seen[strings.ToUpper(name)] {
				t.Errorf("%s: %s is there twice: %q", test.name, name, got)
			}
			seen[strings.ToUpper(name)] = true
		}
		for name, want := range test.want {
			if value := valueOf(got, name); value != want || !seen[name] {
				t.Errorf("%s: %s is %q, want %q", test.name, name, value, want)
			}
		}
	}
	if got := merge(nil, nil); valueOf(got, "PATHEXT") == "" || len(got) != 1 {
		t.Errorf("of nothing becomes %q", got)
	}
	if long := expandPercent(strings.Repeat("%A%;", 10000),
		[]string{"A=" + strings.Repeat("x", 30000)}); len(long) > maxPath+30001 {
		t.Errorf("Path has %d bytes", len(long))
	}
}
