package config

// rules are all rules, in the order of docs/diagnostics.md.
var rules = []Rule{
	// The file as a whole.
	unusableFile,
	fileTooLarge,
	fileIsUTF16,
	markAtStart,
	notText,
	zeroByte,
	notUTF8,
	emptyFile,

	// The syntax of JSON.
	missingComma,
	extraComma,
	semicolon,
	missingColon,
	extraColon,
	equalsSign,
	missingName,
	missingValue,
	nameInList,
	notClosed,
	wrongBracket,
	extraBracket,
	textAfterEnd,
	secondConfiguration,
	noOpeningBrace,
	onlyComments,
	nameWithoutQuotes,
	textWithoutQuotes,
	otherQuoteMarks,
	unclosedText,
	quoteInText,
	unknownWord,
	badNumber,
	singleBackslash,
	badEscape,
	halfCharacter,
	controlInText,
	lineSeparator,
	unclosedComment,
	hashComment,
	specialSpace,
	strayCharacter,
	tooDeep,
	tooManyValues,

	// The fields of the file and of toolboxes.
	fileIsNoGroup,
	noToolboxes,
	noServers,
	duplicateName,
	unknownToolMode,
	badPrefix,
	longPrefix,

	// Fields in the wrong place, and fields of other clients.
	unknownField,
	misspeltField,
	serversOutsideToolbox,
	misplacedServers,
	misplacedToolbox,
	misplacedServer,
	serverFieldInToolbox,
	commandAsList,
	commandAsGroup,
	enabledField,
	envFile,
	unclearTimeout,

	// Names of toolboxes and servers.
	emptyName,
	controlInName,
	spaceAroundName,
	nameSeenOtherwise,
	longNames,

	// Kinds of values.
	wrongType,
	groupAsSwitch,
	negativeTime,
	timeTooLong,
	numberOutOfRange,

	// How a server is reached.
	unknownTransport,
	transportTwice,
	commandAndURL,
	noCommand,
	commandMissing,
	urlMissing,
	fieldWithoutEffect,

	// Programs.
	emptyCommand,
	spaceAroundCommand,
	commandLineInCommand,
	variablesInCommand,
	secretInArguments,

	// Addresses.
	emptyURL,
	badURLSyntax,
	badURL,

	// Environment variables, headers and signing in.
	emptyVariableName,
	badVariableName,
	spaceAroundVariable,
	badHeaderName,
	lineBreakInHeader,
	secretWithoutID,
	commaInScope,

	// Names of tools.
	repeatedTool,
	emptyToolName,
	toolPattern,
	unknownTool,

	// Which AI apps see a toolbox, and where.
	unknownApp,
	noApps,
	relativeFolder,
	noFolders,

	// Texts.
	zeroCharacter,
	controlInPath,

	// References.
	unclosedReference,
	secretWithoutName,
	spaceInReference,
	nestedReference,
	circularReference,
	emptyReference,
	foreignReference,
	typedReference,
	badReference,

	// This computer.
	unsetVariable,
	programNotFound,
	comesBuiltIn,
	programNotExecutable,
	programUnusable,
	folderNotFound,
	notAFolder,
	variableNotInherited,

	// The list of problems itself.
	tooManyProblems,
}

// Rules returns all rules in the order in which they are explained. The list is shared and must not be
// changed.
func Rules() []Rule { return rules }
