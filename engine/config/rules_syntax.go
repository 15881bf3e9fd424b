package config

// The rules in this file are about the syntax of JSON. Their messages are made in syntax.go and the files
// beside it.

var missingComma = Rule{Code: "missing-comma",
	About:   "Two members of a group, or two elements of a list, must be separated by a comma.",
	Example: `{"toolMode": "auto" "toolboxes": {}}`}

var extraComma = Rule{Code: "extra-comma",
	About:   "There is a comma with nothing before it. One after the last entry is allowed.",
	Example: `{"toolMode": "auto",, "toolboxes": {}}`}

var semicolon = Rule{Code: "semicolon",
	About:   "Entries are separated by commas, not by semicolons.",
	Example: `{"toolMode": "auto"; "toolboxes": {}}`}

var missingColon = Rule{Code: "missing-colon",
	About:   "There must be a colon between a name and its value.",
	Example: `{"toolboxes" {}}`}

var extraColon = Rule{Code: "extra-colon",
	About:   "There is a colon where none is allowed.",
	Example: `{"toolboxes":: {}}`}

var equalsSign = Rule{Code: "equals-sign",
	About:   "There must be a colon between a name and its value, not an equals sign.",
	Example: `{"toolboxes" = {}}`}

var missingName = Rule{Code: "missing-name",
	About:   "In a group every value has a name.",
	Example: `{"toolboxes": {{"mcpServers": {}}}}`}

var missingValue = Rule{Code: "missing-value",
	About:   "A name has no value.",
	Example: `{"toolMode": , "toolboxes": {}}`}

var nameInList = Rule{Code: "name-in-list",
	About:   "A list has values without names. Names with values need a group in curly brackets.",
	Example: `{"toolboxes": ["dev": {}]}`}

var notClosed = Rule{Code: "not-closed",
	About:   "The file ends before all brackets are closed.",
	Example: `{"toolboxes": {"dev": {"mcpServers": {}}`}

var wrongBracket = Rule{Code: "wrong-bracket",
	About:   "A closing bracket does not match the bracket that is open.",
	Example: `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "npx", "args": ["-y"}}}}}`}

var extraBracket = Rule{Code: "extra-bracket",
	About:   "A closing bracket has no opening one.",
	Example: `{"toolboxes": {}}}`}

var textAfterEnd = Rule{Code: "text-after-end",
	About: "There is more text after the last closing bracket of the configuration. Often a bracket before it " +
		"closes too early.",
	Example: `{"toolboxes": {}} that is all`}

var secondConfiguration = Rule{Code: "second-configuration",
	About:   "A file contains only one configuration.",
	Example: `{"toolboxes": {}} {"toolboxes": {}}`}

var noOpeningBrace = Rule{Code: "no-opening-brace",
	About: "The file does not begin with a curly bracket: the brackets around everything are missing, or it is " +
		"another kind of file.",
	Example: `"toolboxes": {}`}

var onlyComments = Rule{Code: "only-comments",
	About:   "There is nothing but comments in the file.",
	Example: "// nothing yet"}

var nameWithoutQuotes = Rule{Code: "name-without-quotes",
	About:   "Names must be in double quotes.",
	Example: `{toolboxes: {}}`}

var textWithoutQuotes = Rule{Code: "text-without-quotes",
	About:   "Text must be in double quotes.",
	Example: `{"toolMode": auto, "toolboxes": {}}`}

var otherQuoteMarks = Rule{Code: "other-quotes",
	About:   "JSON knows only straight double quotes. Word processors and chat programs turn them into others.",
	Example: `{'toolboxes': {}}`}

var unclosedText = Rule{Code: "unclosed-text",
	About:   "A text has no closing quote.",
	Example: "{\n  \"toolMode\": \"auto\n}"}

var quoteInText = Rule{Code: "quote-in-text",
	About:   "A quote within a text ends it, unless there is a backslash before it.",
	Example: `{"toolboxes": {"dev": {"description": "the "best" tools", "mcpServers": {}}}}`}

var unknownWord = Rule{Code: "unknown-word",
	About:   "A word from another language is used where JSON has true, false or null.",
	Example: `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "npx", "disabled": True}}}}}`}

var badNumber = Rule{Code: "bad-number",
	About:   "A number is not written in the form that JSON requires.",
	Example: `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "npx", "callTimeout": +5}}}}}`}

var singleBackslash = Rule{Code: "single-backslash",
	About: "A backslash in a text begins an escape sequence. To have one in the text, write two; for paths / works " +
		"as well.",
	Example: `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "C:\Users\me\server.exe"}}}}}`}

var badEscape = Rule{Code: "bad-escape",
	About:   "Four hexadecimal digits must follow \"\\u\".",
	Example: `{"toolboxes": {"caf\u00g9": {"mcpServers": {}}}}`}

var halfCharacter = Rule{Code: "half-character",
	About:   "A text has only one of the two escape sequences that together make a character.",
	Example: `{"toolboxes": {"a\ud83d": {"mcpServers": {}}}}`}

var controlInText = Rule{Code: "control-character-in-text",
	About:   "A text has a tab or an invisible control character in it, which has to be written as an escape sequence.",
	Example: "{\"toolboxes\": {\"a\tb\": {\"mcpServers\": {}}}}"}

var lineSeparator = Rule{Code: "line-separator",
	About:   "A comment has an invisible line separator in it. Programs differ in whether the comment ends there.",
	Example: "{ // a\u2028b\n\"toolboxes\": {}}"}

var unclosedComment = Rule{Code: "unclosed-comment",
	About:   "A comment that begins with /* has no */.",
	Example: `{"toolboxes": {}} /* the end`}

var hashComment = Rule{Code: "hash-comment",
	About:   "Comments begin with //, or are between /* and */.",
	Example: "{\n  # my tools\n  \"toolboxes\": {}\n}"}

var specialSpace = Rule{Code: "special-space",
	About:   "There is a character that looks like a space but is not one.",
	Example: "{\u00a0\"toolboxes\": {}}"}

var strayCharacter = Rule{Code: "stray-character",
	About:   "A character or mark has no meaning at this place.",
	Example: `{"toolboxes": {...}}`}

var tooDeep = Rule{Code: "too-deep",
	About: "Groups and lists are nested more deeply than in any configuration."}

var tooManyValues = Rule{Code: "too-many-values",
	About: "The file has more than a million values, so it is not a configuration."}
