package tryit

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
)

// Request is what a server asks the user while one of its tools runs: to fill in a form, or to do something on a web
// page. Nothing changes a Request after it was made.
type Request struct {
	Message string // from the server, so it may be hostile; of any length, with line breaks

	// Form is the form to fill in; nil if there is a page.
	Form *toolform.Form

	// Page is the page to open; nil if there is a form. It is ASCII, so that no letter can be mistaken for another.
	Page *url.URL
	// Refused is a sentence that says why the page may not be opened. It is empty if the page may be opened.
	Refused string

	// ID is the name by which the server later says that the page is done. It may be empty.
	ID string
}

const (
	maxAddress = 8 << 10 // bytes of the address of a page
	maxHost    = 253     // bytes of the longest valid host name
)

// ReadRequest reads the params of elicitation/create. The error is meant for the server.
func ReadRequest(params json.RawMessage) (Request, error) {
	var said struct {
		Mode            string
		Message         string
		RequestedSchema json.RawMessage
		URL             string
		ElicitationID   string
	}
	if err := json.Unmarshal(params, &said); err != nil {
		return Request{}, errors.New("the params are not what elicitation/create takes")
	}
	r := Request{Message: said.Message, ID: said.ElicitationID}
	var err error
	switch said.Mode {
	case "", "form":
		r.Form, err = readForm(said.RequestedSchema)
	case "url":
		r.Page, err = readAddress(said.URL)
		if err == nil {
			r.Refused = refusal(r.Page)
		}
	default:
		err = fmt.Errorf("the mode %s is not known", strconv.Quote(kit.Cut(said.Mode, 40)))
	}
	if err != nil {
		return Request{}, err
	}
	return r, nil
}

// readForm returns the form for a schema. The schema may have only what MCP allows here: text, numbers, booleans and
// choices.
func readForm(schema json.RawMessage) (*toolform.Form, error) {
	form := toolform.Parse(schema)
	if form.Root.Kind != toolform.KindObject {
		return nil, errors.New("requestedSchema is not an object with properties")
	}
	for _, field := range form.Root.Fields {
		if !plain(field) && !picked(field) {
			return nil, fmt.Errorf("requestedSchema has the field %s, which is not text, a number, a boolean or a choice",
				strconv.Quote(kit.Cut(field.Name, 80)))
		}
	}
	form.Unchecked() // prepares the check here, which is not the goroutine of the window
	return form, nil
}

func plain(field *toolform.Field) bool {
	switch field.Kind {
	case toolform.KindString, toolform.KindText, toolform.KindNumber, toolform.KindInteger, toolform.KindBoolean,
		toolform.KindChoice:
		return true
	}
	return false
}

// picked reports whether a field is a list of values that the schema lists.
func picked(field *toolform.Field) bool {
	return field.Kind == toolform.KindArray && field.Item.Kind == toolform.KindChoice
}

// readAddress reads the address of a page. Characters that are not ASCII are escaped as browsers do.
func readAddress(text string) (*url.URL, error) {
	if len(text) > maxAddress {
		return nil, fmt.Errorf("the url is longer than %d bytes", maxAddress)
	}
	var spelled strings.Builder
	for _, c := range []byte(text) {
		if c <= ' ' || c > '~' {
			fmt.Fprintf(&spelled, "%%%02X", c)
		} else {
			spelled.WriteByte(c)
		}
	}
	page, err := url.Parse(spelled.String())
	if err != nil || page.Scheme == "" {
		return nil, errors.New("the url is not a web address")
	}
	return page, nil
}

// refusal returns a sentence that says why a page may not be opened, or "" if it may.
func refusal(page *url.URL) string {
	host := page.Hostname()
	switch {
	case page.Scheme == "https" && host != "", page.Scheme == "http" && loopback(host):
	default:
		return lang.L("Workbench does not open this address: it may not be safe.")
	}
	if page.User != nil || len(host) > maxHost || strings.IndexFunc(host, func(r rune) bool { return r > '~' }) >= 0 {
		return lang.L("Workbench does not open this address: it may not be safe.")
	}
	return ""
}

// loopback reports whether host is this computer.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
