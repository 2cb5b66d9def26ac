// A TLS 1.3 peer based on Go's crypto/tls, for the interoperability script.
//
//	conformance client HOST:PORT GROUP ROOTS.pem
//	conformance server PORT GROUP CHAIN.pem KEY.pem
//
// Client and server exchange one line and print the group; the server serves one connection.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
)

// Groups by codepoint, so that an older Go compiles and fails only at the handshake.
var groups = map[string]tls.CurveID{
	"X25519MLKEM768":     4588,
	"SecP256r1MLKEM768":  4587,
	"SecP384r1MLKEM1024": 4589,
	"X25519":             tls.X25519,
}

func main() {
	if len(os.Args) < 5 {
		fail(fmt.Errorf("usage: client HOST:PORT GROUP ROOTS | server PORT GROUP CHAIN KEY"))
	}
	group, known := groups[os.Args[3]]
	if !known {
		fail(fmt.Errorf("unknown group %q", os.Args[3]))
	}
	config := &tls.Config{
		MinVersion:       tls.VersionTLS13,
		CurvePreferences: []tls.CurveID{group},
	}
	switch os.Args[1] {
	case "client":
		fail(client(config, os.Args[2], os.Args[4]))
	case "server":
		fail(server(config, os.Args[2], os.Args[4], os.Args[5]))
	default:
		fail(fmt.Errorf("unknown role %q", os.Args[1]))
	}
}

func client(config *tls.Config, address, roots string) error {
	pem, err := os.ReadFile(roots)
	if err != nil {
		return err
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(pem) {
		return fmt.Errorf("%s: no certificate", roots)
	}
	config.ServerName = "localhost"
	connection, err := tls.Dial("tcp", address, config)
	if err != nil {
		return err
	}
	defer connection.Close()
	if _, err := fmt.Fprintln(connection, "hello from Go"); err != nil {
		return err
	}
	// the answer may end with the connection instead of a line end
	answer, err := bufio.NewReader(connection).ReadString('\n')
	if errors.Is(err, io.EOF) && answer != "" {
		err = nil
	}
	return report(connection, answer, err)
}

func server(config *tls.Config, port, chain, key string) error {
	certificate, err := tls.LoadX509KeyPair(chain, key)
	if err != nil {
		return err
	}
	config.Certificates = []tls.Certificate{certificate}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		return err
	}
	raw, err := listener.Accept()
	if err != nil {
		return err
	}
	connection := tls.Server(raw, config)
	defer connection.Close()
	line, err := bufio.NewReader(connection).ReadString('\n')
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(connection, "Go received: "+strings.TrimSpace(line))
	return report(connection, line, err)
}

func report(connection *tls.Conn, line string, err error) error {
	if err != nil {
		return err
	}
	state := connection.ConnectionState()
	fmt.Printf("group 0x%04x, received %q\n", uint16(state.CurveID), strings.TrimSpace(line))
	return nil
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
	os.Exit(0)
}
