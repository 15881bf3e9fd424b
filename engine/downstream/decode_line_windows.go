package downstream

import "golang.org/x/sys/windows"

// codePageOfConsoles is the code page of consoles on this computer.
const codePageOfConsoles = 1 // CP_OEMCP

// fromCodePage decodes a line in the code page of consoles.
func fromCodePage(line []byte) (string, bool) {
	return decoded(codePageOfConsoles, line)
}

func decoded(codePage uint32, line []byte) (string, bool) {
	if len(line) == 0 {
		return "", true
	}
	units := make([]uint16, len(line))
	n, err := windows.MultiByteToWideChar(codePage, 0, &line[0], int32(len(line)), &units[0], int32(len(units)))
	if err != nil {
		return "", false
	}
	return windows.UTF16ToString(units[:n]), true
}
