package live

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// endedWords says why the program of a server has ended, as far as the end of what it wrote tells. What it wrote is in
// its log.
func endedWords(how words.Text, wrote string) string {
	for _, sign := range signs() {
		found := sign.in.FindStringSubmatch(wrote)
		if found == nil {
			continue
		}
		for _, group := range found[1:] {
			if group != "" {
				return sign.named(map[string]any{"Name": kit.Cut(group, 200)})
			}
		}
		if sign.says != nil {
			return sign.says()
		}
	}
	said := lang.L("It ended by itself.")
	if how.Code == "process.killed" {
		said = lang.L("The system or another program ended it.")
	}
	if wrote != "" {
		said = kit.Together(said, lang.L("It wrote: {{.Text}}", map[string]any{"Text": wrote}))
	}
	return said
}

// sign is what programs write when something is missing that people can provide.
type sign struct {
	in    *lazyregexp.Regexp // its group is what is missing
	named func(name map[string]any) string
	says  func() string // without a name; nil if what was written says more
}

func unreached() string {
	return lang.L("Something that it needs does not answer. Check the address, and whether you are online.")
}

// Runtimes write the names that the C library gives to errors, or its sentences for them.
var (
	missingPart = lazyregexp.New(`(?:Cannot\sfind\s(?:module|package)|ModuleNotFoundError:\sNo\smodule\snamed)\s'([^']+)'`)
	missingFile = lazyregexp.New(`spawn\s(\S+)\sENOENT|` +
		`(?:ENOENT|(?i:no\ssuch\sfile\sor\sdirectory)|FileNotFoundError)(?:[^'"]*['"]([^'"]+)['"])?`)
	denied = lazyregexp.New(`(?:EACCES|(?i:permission\sdenied)|PermissionError)(?:[^'"]*['"]([^'"]+)['"])?`)
	noHost = lazyregexp.New(`(?:getaddrinfo\s)?(?:ENOTFOUND|EAI_AGAIN)\s([^\s:,'")]+)|lookup\s([^\s:]+)[^|]*:\sno\ssuch\shost|` +
		`(?i:no\ssuch\shost|getaddrinfo|name\sor\sservice\snot\sknown|temporary\sfailure\sin\sname\sresolution)`)
	noAnswer = lazyregexp.New(`ECONNREFUSED\s([^\s,'")]+)|dial\stcp\s([^\s,'"]+):\sconnect:\sconnection\srefused|` +
		`(?i:ECONNREFUSED|connection\srefused)`)
	portTaken = lazyregexp.New(`(?:EADDRINUSE|(?i:address\salready\sin\suse))[^|]*?:(\d{2,5})\b|` +
		`EADDRINUSE|(?i:address\salready\sin\suse)`)
	diskFull = lazyregexp.New(`ENOSPC|(?i:no\sspace\sleft\son\sdevice)`)
	noMemory = lazyregexp.New(`(?i:heap\sout\sof\smemory|cannot\sallocate\smemory)|MemoryError`)
)

func signs() []sign {
	return []sign{
		{missingPart, func(name map[string]any) string {
			return lang.L("A part of it is missing: {{.Name}}. Install it again.", name)
		}, nil},
		{portTaken, func(name map[string]any) string {
			return lang.L("Another program uses port {{.Name}}, which it needs. Close that program, or set another port.", name)
		}, nil},
		{noHost, func(name map[string]any) string {
			return lang.L("It cannot find {{.Name}}. Check the address, and whether you are online.", name)
		}, unreached},
		{noAnswer, func(name map[string]any) string {
			return lang.L("Nothing answers at {{.Name}}. Start what it needs there, or check the address.", name)
		}, unreached},
		{missingFile, func(name map[string]any) string {
			return lang.L("It did not find {{.Name}}. Check its folders and files.", name)
		}, nil},
		{denied, func(name map[string]any) string {
			return lang.L("It is not allowed to use {{.Name}}. Choose another folder, or change who may use it.", name)
		}, nil},
		{diskFull, nil, func() string { return lang.L("The disk is full. Make room on it, then try again.") }},
		{noMemory, nil, func() string { return lang.L("It used up its memory.") }},
	}
}
