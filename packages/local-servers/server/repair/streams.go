package repair

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/minio/highwayhash"
)

// Streams mends JetStream's folders in dir before nats-server opens them. It returns a line for each thing that it did.
//
// nats-server describes a stream, and each of its consumers, in a file with a checksum beside it. It writes the description
// first, and removes it before the rest. So a folder without one holds what was deleted, and its messages would come back
// with the next stream of that name; one with a description alone would be left out at every start.
func Streams(dir string) (done []string, err error) {
	streams, err := filepath.Glob(filepath.Join(dir, "jetstream", "*", "streams", "*"))
	if err != nil {
		return nil, err
	}
	for _, stream := range streams {
		name := filepath.Base(stream)
		if strings.HasPrefix(name, ".") {
			continue // deleted: nats-server removes it by itself
		}
		line, err := description(stream, name)
		if err != nil {
			return done, fmt.Errorf("stream %q: %w", name, err)
		}
		if line != "" {
			done = append(done, fmt.Sprintf("stream %q: %s", name, line))
		}
		consumers, err := filepath.Glob(filepath.Join(stream, "obs", "*"))
		if err != nil {
			return done, err
		}
		for _, consumer := range consumers {
			line, err := description(consumer, name+"/"+filepath.Base(consumer))
			if err != nil {
				return done, fmt.Errorf("consumer %q of stream %q: %w", filepath.Base(consumer), name, err)
			}
			if line != "" {
				done = append(done, fmt.Sprintf("consumer %q of stream %q: %s", filepath.Base(consumer), name, line))
			}
		}
	}
	return done, nil
}

// description mends the description of what is in a folder, or removes the folder where it has none.
func description(dir, name string) (done string, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "meta.inf"))
	if errors.Is(err, os.ErrNotExist) {
		return "removed what was left of it", os.RemoveAll(dir)
	}
	// An empty one is written anew by nats-server, for whoever asks for the stream next.
	if err != nil || !json.Valid(text) {
		return "", err
	}
	key := sha256.Sum256([]byte(name))
	hash, err := highwayhash.New64(key[:])
	if err != nil {
		return "", err
	}
	_, _ = hash.Write(text) // never fails
	checksum := hex.EncodeToString(hash.Sum(nil))
	file := filepath.Join(dir, "meta.sum")
	stored, err := os.ReadFile(file)
	if err == nil && string(stored) == checksum {
		return "", nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	return "finished its description", os.WriteFile(file, []byte(checksum), 0o600)
}
