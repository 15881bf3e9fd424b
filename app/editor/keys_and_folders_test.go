package editor

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// A variable of the entry's own env has a value, for every field but its own.
func TestOwnVariableHasAValue(t *testing.T) {
	b := open(t, strings.Replace(plain, `"LEVEL": "info"`,
		`"LEVEL": "info", "AUTH": "Bearer x", "REGION": "${REGION}", "LIKE": "${LEVEL}"`, 1), wide)
	b.lacks("“LEVEL” has no value")
	b.reads("“REGION” has no value")
	b.enter(b.setup.form.arguments.rows[0].input, "Authorization:${AUTH}")
	b.lacks("“AUTH” has no value")
}

// Pasted lines such as A=b become rows. For headers, lines with a colon become rows.
func TestPasteVariables(t *testing.T) {
	b := open(t, plain, wide)
	b.tap("Add a key or value")
	f := &b.setup.form
	clipboard := test.NewClipboard()
	clipboard.SetContent("# comment\nexport PORT=80\nNAME=\"a b\"\nEMPTY=\n")
	f.env.rows[2].nameInput.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	b.leave()
	b.settle()
	server := entryOf(t, b, "dev", "files")
	var got []string
	for _, variable := range server.Env[2:] {
		got = append(got, variable.Name+"="+variable.Value)
	}
	if strings.Join(got, "|") != "PORT=80|NAME=a b|EMPTY=" {
		t.Errorf("the file has %q", got)
	}
}

// A new secret gets a name in the keychain that no other entry uses. When the box is cleared, the value is back in the
// file.
func TestKeychain(t *testing.T) {
	b := open(t, strings.Replace(plain, `"args": ["mcp-git"]`, `"args": ["${keyring:TOKEN}"]`, 1), wide)
	row := b.setup.form.env.rows[1]
	row.stays.OnChanged(false)
	b.leave()
	if b.keychain["dev/files/TOKEN"] != "sesame-open-1234567" ||
		!strings.Contains(b.file(), `"TOKEN": "${keyring:dev/files/TOKEN}"`) {
		t.Fatalf("the keychain has %v, the file\n%s", b.keychain, b.file())
	}
	b.lacks("keyring") // no code in the window: dots, and the box
	row = b.setup.form.env.rows[1]
	if row.stays.Checked {
		t.Error("the box is not checked")
	}
	row.stays.OnChanged(true)
	b.leave()
	if !strings.Contains(b.file(), `"TOKEN": "sesame-open-1234567"`) {
		t.Errorf("the file is\n%s", b.file())
	}

	b.fake.keepSecret = func(_, _ string, done func(string, error)) {
		done("", errors.New("the keychain is locked"))
	}
	row.stays.OnChanged(false)
	b.settle()
	b.reads("Your keychain did not take it: The keychain is locked")
	if !row.stays.Checked || !strings.Contains(b.file(), "sesame") {
		t.Error("the value is not in the file, or the box is checked")
	}
}

// What belongs in the keychain is decided by one rule, in Setup as when an entry is brought in: the path of a file
// with a key is no key.
func TestPathOfAKeyStaysInTheFile(t *testing.T) {
	b := open(t, plain, wide)
	b.FocusField("env.API_KEY")
	row := b.setup.form.env.rows[2]
	b.typed(row.valueInput, "/home/me/key.json")
	row.valueInput.OnSubmitted("")
	b.settle()
	if len(b.keychain) != 0 || !strings.Contains(b.file(), `"API_KEY": "/home/me/key.json"`) {
		t.Errorf("the keychain has %v, and the file is\n%s", b.keychain, b.file())
	}
}

// A value that looks secret goes into the keychain without being asked. If the keychain does not take it, it stays out
// of the file until the person agrees.
func TestKeysGoToTheKeychain(t *testing.T) {
	for _, agrees := range []bool{true, false} {
		b := open(t, plain, wide)
		works := b.fake.keepSecret
		b.fake.keepSecret = func(_, _ string, done func(string, error)) {
			done("", errors.New("your keychain is locked"))
		}
		b.FocusField("env.API_KEY")
		row := b.setup.form.env.rows[2]
		if row.nameInput.Text != "API_KEY" || !row.valueInput.Focused() {
			t.Fatal("the keyboard is not in the value of the variable that is missing")
		}
		b.typed(row.valueInput, "abc-123")
		row.valueInput.OnSubmitted("")
		b.settle()
		b.reads("Your keychain did not take it: Your keychain is locked", "Keep it in the file")
		if b.file() != plain {
			t.Fatalf("the file is\n%s", b.file())
		}
		want := "\"sesame-open-1234567\",\n            \"API_KEY\": \"${keyring:API_KEY}\""
		if agrees {
			b.tap("Keep it in the file")
			want = strings.Replace(want, "${keyring:API_KEY}", "abc-123", 1)
		} else {
			b.fake.keepSecret = works
			b.tap("Try again")
		}
		b.settle()
		b.has(plain, `"sesame-open-1234567"`, want)
	}
}

// A text that is too long for a line is cut when it is pasted, and the window says so until something else is there.
func TestCutTextSaysSo(t *testing.T) {
	b := open(t, plain, wide)
	field := b.setup.form.env.rows[1].valueInput
	const says = "Only the beginning of what you pasted is here"
	kit.Focus(field.Input)
	clipboard := test.NewClipboard()
	clipboard.SetContent(strings.Repeat("a", 200<<10))
	field.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	b.settle()
	b.reads(says)
	field.TypedShortcut(&fyne.ShortcutSelectAll{})
	field.TypedRune('x')
	b.settle()
	b.lacks(says)
}

// A key that is typed in the place of a variable goes to the keychain like any other. In a header it keeps what comes
// before a key there.
func TestKeyInThePlaceOfAVariable(t *testing.T) {
	for _, c := range []struct{ entry, field, want string }{
		{`"command": "npx", "env": {"API_KEY": "${UNSET_KEY}"}`, "env.API_KEY", "abc-123"},
		{`"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${UNSET_KEY}"}`, "headers.Authorization",
			"Bearer abc-123"},
		{`"url": "https://example.com/mcp", "headers": {"Authorization": "<key>"}`, "headers.Authorization", "abc-123"},
	} {
		b := open(t, `{"toolboxes": {"dev": {"mcpServers": {"files": {`+c.entry+`}}}}}`, wide)
		b.FocusField(c.field)
		_, name, _ := strings.Cut(c.field, ".")
		rows := append(b.setup.form.env.rows, b.setup.form.headers.rows...)
		b.enter(rows[0].valueInput, "abc-123")
		b.leave()
		if got := b.file(); !strings.Contains(got, `"`+name+`": "${keyring:`+name+`}"`) || b.keychain[name] != c.want {
			t.Errorf("the keychain has %q, and the file is\n%s", b.keychain, got)
		}
	}
}

// A server that an import has switched off, because something was missing, is switched on when that is filled in.
func TestFilledInIsSwitchedOn(t *testing.T) {
	source := `{"toolboxes": {"dev": {"mcpServers": {"files": {"command": "npx", "args": ["<folder>"],
  "env": {"API_KEY": "<api-key>"}, "disabled": true}}}}}`
	b := open(t, source, wide)
	b.FocusField("args")
	b.enter(b.setup.form.arguments.rows[0].input, "/work")
	b.leave()
	if !strings.Contains(b.file(), `"disabled": true`) {
		t.Errorf("it is switched on while its key is missing:\n%s", b.file())
	}
	b.enter(b.setup.form.env.rows[0].valueInput, "abc-123")
	b.leave()
	if got := b.file(); strings.Contains(got, "disabled") || !strings.Contains(got, `"${keyring:API_KEY}"`) ||
		b.keychain["API_KEY"] != "abc-123" {
		t.Errorf("the file is\n%s", got)
	}
}

// Setup begins with what the server needs from the person; the command line is folded until somebody asks for it or
// something is wrong with it.
func TestSetupBeginsWithKeysAndFolders(t *testing.T) {
	b := open(t, plain, wide)
	b.setup.form.how.set(false)
	b.reads("Keys and folders", "<TOKEN>", "Folders", "<${HOME}>", "How it starts")
	b.lacks("<npx>", "<server-filesystem>")
	b.tap("How it starts")
	b.reads("<npx>", "<server-filesystem>")
	b.tap("How it starts")
	b.FocusField("command")
	b.reads("<npx>")
	if !b.setup.form.command.input.Focused() {
		t.Error("the keyboard is not in the command")
	}
	b.tap("How it starts")
	b.other(`"npx"`, `""`)
	b.reads("Command")
}
