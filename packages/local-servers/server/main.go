// Command local embeds what StateEval needs on a machine that has neither
// MongoDB nor NATS: FerretDB (the MongoDB wire protocol on SQLite) and
// nats-server with JetStream, in one process. It prints "ready" when both
// answer, stops on SIGTERM, and may be killed at any time: what either server
// has acknowledged is in files by then, and the next start repairs the rest.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"github.com/FerretDB/FerretDB/ferretdb"
	"github.com/nats-io/nats-server/v2/server"

	"stateeval.dev/local/repair"
)

// stderr is where both servers log.
var stderr = &logFile{file: os.Stderr, max: maxLog}

// slowest is how long either server may take to start: a busy machine has large files to read.
const slowest = 5 * time.Minute

type settings struct {
	data, mongo, nats string
	monitor           int
}

func main() {
	var s settings
	flag.StringVar(&s.data, "data", "", "folder for the data of both servers (required)")
	flag.StringVar(&s.mongo, "mongodb", "127.0.0.1:27017", "address of the MongoDB wire server, empty for none")
	flag.StringVar(&s.nats, "nats", "127.0.0.1:4222", "address of the NATS server, empty for none")
	flag.IntVar(&s.monitor, "nats-monitor", 0, "port of the NATS monitoring endpoint, 0 for none")
	version := flag.Bool("version", false, "print the versions and exit")
	flag.Parse()
	if *version {
		fmt.Println(versions())
		return
	}
	// Both servers hold little and throw much away: a tenth of the time went into collecting (docs/decisions/replays.md).
	debug.SetGCPercent(400)
	slog.SetDefault(slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "embedded servers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	if s.data == "" {
		return errors.New("-data is required: name the folder that holds the servers' data")
	}
	unlock, err := lock(s.data)
	if err != nil {
		return err
	}
	defer unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if s.nats != "" {
		shutdown, err := startNATS(filepath.Join(s.data, "nats"), s.nats, s.monitor)
		if err != nil {
			return err
		}
		defer shutdown()
	}
	failed := make(chan error, 1)
	stopped := make(chan struct{})
	if s.mongo == "" {
		close(stopped)
	} else {
		db, err := openMongo(filepath.Join(s.data, "mongodb"), s.mongo)
		if err != nil {
			return err
		}
		go func() {
			defer close(stopped)
			if err := db.Run(ctx); err != nil && ctx.Err() == nil {
				failed <- fmt.Errorf("MongoDB wire server on %s: %w", s.mongo, err)
			}
		}()
		if err := answers(ctx, s.mongo, failed); err != nil {
			return err
		}
	}
	fmt.Println("ready")
	select {
	case <-ctx.Done():
	case err := <-failed:
		return err
	}
	select { // FerretDB waits for its clients to leave; SQLite needs no farewell
	case <-stopped:
	case <-time.After(2 * time.Second):
	}
	return nil
}

// lock keeps a second process off the same files; the system lifts it when this process ends, however it ends.
func lock(data string) (func(), error) {
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(data, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, fmt.Errorf("the data in %s are in use by another process: stop it or name another -data", data)
	}
	return func() { _ = file.Close() }, nil
}

func openMongo(dir, address string) (*ferretdb.FerretDB, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := tell(repair.Databases(dir)); err != nil {
		return nil, fmt.Errorf("MongoDB wire server on %s: %w", address, err)
	}
	db, err := ferretdb.New(&ferretdb.Config{
		Listener: ferretdb.ListenerConfig{TCP: address},
		Handler:  "sqlite",
		// The write-ahead log is written before a command is answered, so killing the process loses nothing; it is
		// brought to the disk at checkpoints only, which matters when the machine itself dies (as for NATS below).
		SQLiteURL: "file:" + dir + "/?_pragma=synchronous(normal)",
		// It warns of every client that leaves or asks for a command that it lacks, in several lines.
		Logger: slog.New(lazy{Handler: slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelError})}),
	})
	if err != nil {
		return nil, fmt.Errorf("MongoDB wire server on %s: %w", address, err)
	}
	return db, nil
}

// lazy makes text of a logger's attributes once there is a line to write. FerretDB makes a logger for every statement,
// with all documents of it as attributes, and slog's own handlers would write them out at once, for no line.
type lazy struct {
	slog.Handler
	attributes []slog.Attr
}

func (l lazy) WithAttrs(more []slog.Attr) slog.Handler {
	return lazy{l.Handler, slices.Concat(l.attributes, more)}
}

func (l lazy) WithGroup(name string) slog.Handler {
	return lazy{Handler: l.Handler.WithAttrs(l.attributes).WithGroup(name)}
}

func (l lazy) Handle(ctx context.Context, line slog.Record) error {
	return l.Handler.WithAttrs(l.attributes).Handle(ctx, line)
}

// tell passes on what a repair did, and its error.
func tell(mended []string, err error) error {
	for _, line := range mended {
		slog.Warn("mended what a kill had cut short: " + line)
	}
	return err
}

// answers waits until the address takes connections.
func answers(ctx context.Context, address string, failed <-chan error) error {
	for started := time.Now(); time.Since(started) < slowest; {
		select {
		case err := <-failed:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
		if connection, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			select { // a server that is not ours may have answered: then ours has failed to listen
			case err := <-failed:
				_ = connection.Close()
				return err
			case <-time.After(50 * time.Millisecond):
			}
			return connection.Close()
		}
	}
	return fmt.Errorf("MongoDB wire server on %s: not ready after %s", address, slowest)
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
	// nats-server ends the process by itself when its port is taken: ask first, so that the message is ours.
	probe, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("NATS on %s: %w", address, err)
	}
	_ = probe.Close()
	if err := tell(repair.Streams(dir)); err != nil {
		return nil, fmt.Errorf("NATS on %s: %w", address, err)
	}
	// With one replica JetStream writes a message to its file before it acknowledges (AsyncFlush is for replicas > 1),
	// so killing the process loses nothing; SyncInterval, two minutes by default, only matters when the machine itself dies.
	ns, err := server.NewServer(&server.Options{
		Host: host, Port: number, JetStream: true, StoreDir: dir, NoSigs: true,
		HTTPHost: host, HTTPPort: monitor,
	})
	if err != nil {
		return nil, fmt.Errorf("NATS on %s: %w", address, err)
	}
	ns.SetLoggerV2(quiet{}, false, false, false)
	go ns.Start()
	if !ns.ReadyForConnections(slowest) {
		ns.Shutdown()
		return nil, fmt.Errorf("NATS on %s: not ready after %s", address, slowest)
	}
	return func() { ns.Shutdown(); ns.WaitForShutdown() }, nil
}

// quiet passes on what went wrong in nats-server.
type quiet struct{}

func (quiet) Noticef(string, ...any)             {}
func (quiet) Debugf(string, ...any)              {}
func (quiet) Tracef(string, ...any)              {}
func (quiet) Warnf(format string, values ...any) { slog.Warn(fmt.Sprintf(format, values...)) }
func (quiet) Errorf(format string, values ...any) {
	slog.Error(fmt.Sprintf(format, values...))
}
func (quiet) Fatalf(format string, values ...any) {
	fmt.Fprintln(os.Stderr, "embedded servers: NATS:", fmt.Sprintf(format, values...))
	os.Exit(1)
}

func versions() string {
	text := "stateeval-local"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return text
	}
	for _, module := range info.Deps {
		switch module.Path {
		case "github.com/FerretDB/FerretDB", "github.com/nats-io/nats-server/v2":
			text += fmt.Sprintf(" %s@%s", module.Path, module.Version)
		}
	}
	return text + " " + info.GoVersion
}
