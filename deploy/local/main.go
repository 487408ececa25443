// Command local embeds what StateEval needs on a machine that has neither
// MongoDB nor NATS: FerretDB (the MongoDB wire protocol on SQLite) and
// nats-server with JetStream, in one process.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/FerretDB/FerretDB/ferretdb"
	"github.com/nats-io/nats-server/v2/server"
)

func main() {
	data := flag.String("data", "", "folder for the data of both servers (required)")
	mongo := flag.String("mongodb", "127.0.0.1:27017", "address of the MongoDB wire server, empty for none")
	nats := flag.String("nats", "127.0.0.1:4222", "address of the NATS server, empty for none")
	monitor := flag.Int("nats-monitor", 0, "port of the NATS monitoring endpoint, 0 for none")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *data, *mongo, *nats, *monitor); err != nil {
		fmt.Fprintln(os.Stderr, "embedded servers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data, mongo, nats string, monitor int) error {
	if data == "" {
		return errors.New("-data is required: name the folder that holds the servers' data")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, 1)
	if nats != "" {
		shutdown, err := startNATS(filepath.Join(data, "nats"), nats, monitor)
		if err != nil {
			return err
		}
		defer shutdown()
	}
	stopped := make(chan struct{})
	if mongo == "" {
		close(stopped)
	} else {
		db, err := openMongo(filepath.Join(data, "mongodb"), mongo)
		if err != nil {
			return err
		}
		go func() {
			defer close(stopped)
			if err := db.Run(ctx); err != nil && ctx.Err() == nil {
				failed <- fmt.Errorf("MongoDB wire server: %w", err)
			}
		}()
	}
	fmt.Println("ready")
	select {
	case <-ctx.Done():
	case err := <-failed:
		return err
	}
	select {
	case <-stopped:
	case <-time.After(5 * time.Second):
	}
	return nil
}

func openMongo(dir, address string) (*ferretdb.FerretDB, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	db, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: address},
		Handler:   "sqlite",
		SQLiteURL: "file:" + dir + "/",
	})
	if err != nil {
		return nil, fmt.Errorf("MongoDB wire server on %s: %w", address, err)
	}
	return db, nil
}

func startNATS(dir, address string, monitor int) (func(), error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("-nats %q: %w", address, err)
	}
	number, err := net.LookupPort("tcp", port)
	if err != nil {
		return nil, fmt.Errorf("-nats %q: %w", address, err)
	}
	ns, err := server.NewServer(&server.Options{
		Host: host, Port: number, JetStream: true, StoreDir: dir, NoSigs: true,
		HTTPHost: host, HTTPPort: monitor, NoLog: true,
	})
	if err != nil {
		return nil, fmt.Errorf("NATS on %s: %w", address, err)
	}
	go ns.Start()
	if !ns.ReadyForConnections(20 * time.Second) {
		ns.Shutdown()
		return nil, fmt.Errorf("NATS on %s: not ready after 20 s; is the port taken?", address)
	}
	return func() { ns.Shutdown(); ns.WaitForShutdown() }, nil
}
