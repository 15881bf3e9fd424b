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

// Request is what a server asks of the person while one of its tools runs: to fill in a form, or to do something on a page.
// It is not changed once made.
type Request struct {
	Message string // the server's: hostile, of any length, with line breaks

	// Form is what is to be filled in; nil when it is a page.
	Form *toolform.Form

	// Page is what is to be opened; nil when it is a form. It is ASCII, so that it is what it looks like.
	Page *url.URL
	// Refused says in one sentence why the page is not opened; empty when it can be.
	Refused string

	// ID is by which the server tells that the person is done with the page; it may be empty.
	ID string
}

const (
	maxAddress = 8 << 10 // bytes of the address of a page
	maxHost    = 253     // bytes that the name of a computer can have
)

// ReadRequest reads the params of elicitation/create. The error is for the server.
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

// readForm makes a form of a schema that has what MCP allows in one: text, numbers, yes or no, and choices.
func readForm(schema json.RawMessage) (*toolform.Form, error) {
	form := toolform.Parse(schema)
	if form.Root.Kind != toolform.KindObject {
		return nil, errors.New("requestedSchema is not an object with properties")
	}
	for _, field := range form.Root.Fields {
		if !plain(field) && !picked(field) {
			return nil, fmt.Errorf("requestedSchema has the field %s, which is not text, a number, a boolean or a choice", strconv.Quote(kit.Cut(field.Name, 80)))
		}
	}
	form.Unchecked() // makes the check ready here, off the goroutine of the window
	return form, nil
}

func plain(field *toolform.Field) bool {
	switch field.Kind {
	case toolform.KindString, toolform.KindText, toolform.KindNumber, toolform.KindInteger, toolform.KindBoolean, toolform.KindChoice:
		return true
	}
	return false
}

// picked reports whether a field takes any number of the values that its schema lists.
func picked(field *toolform.Field) bool {
	return field.Kind == toolform.KindArray && field.Item.Kind == toolform.KindChoice
}

// readAddress reads the address of a page. What is not ASCII is spelled as browsers send it.
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

// refusal says in one sentence why a page is not opened; empty when it can be.
func refusal(page *url.URL) string {
	host := page.Hostname()
	switch {
	case page.Scheme == "https" && host != "", page.Scheme == "http" && loopback(host):
	default:
		return lang.L("Workbench opens only addresses that begin with https://, and http:// on this computer. This one is not opened.")
	}
	if page.User != nil || len(host) > maxHost || strings.IndexFunc(host, func(r rune) bool { return r > '~' }) >= 0 {
		return lang.L("This address can be mistaken for another one, so it is not opened.")
	}
	return ""
}

// loopback reports whether a host is this computer.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
