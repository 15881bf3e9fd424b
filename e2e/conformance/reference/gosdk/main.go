// Command gosdk is a client with the SDK for Go. It opens the toolbox "box" at an address, calls the tool "echo" of the
// server "odd" in it, and prints the results as JSON. The token is in the variable TOKEN.
//
//	gosdk ADDRESS VERSION ARGUMENTS
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// authorized adds the token to requests.
type authorized struct{}

func (authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	return http.DefaultTransport.RoundTrip(r)
}

func main() {
	if err := run(os.Args[1], os.Args[2], json.RawMessage(os.Args[3])); err != nil {
		log.Fatal(err)
	}
}

func run(address, version string, arguments json.RawMessage) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "gosdk", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: address,
		HTTPClient: &http.Client{Transport: authorized{}}}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return err
	}
	defer session.Close()
	type object = map[string]any
	opened, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "open_toolbox",
		Arguments: object{"toolbox_name": "box"}})
	if err != nil {
		return err
	}
	called, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "use_tool", Arguments: object{
		"arguments": arguments, "tool": object{"toolbox": "box", "server": "odd", "tool": "echo"}}})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(object{"opened": opened, "called": called})
}
