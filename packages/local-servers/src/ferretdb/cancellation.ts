/**
 * FerretDB says that a command's context is cancelled when its client disconnects, and never looks at the
 * connection while it works: a query continues for minutes after the run that sent it has ended. Here a query
 * ends with its client, before the next document.
 */
import type { SourceChange } from './change.ts'

const connection = 'internal/clientconn/conn.go'

export const cancellation: readonly SourceChange[] = [
  {
    file: connection,
    from: '	testRecordsDir string // if empty, no records are created\n}\n\n// newConnOpts',
    to: `	testRecordsDir string // if empty, no records are created

	bufr  *bufio.Reader
	leave context.CancelCauseFunc
}

// errClientLeft ends what a client waited for.
var errClientLeft = errors.New("the client has disconnected")

// watch ends the connection's context if the client disconnects before the returned function is called.
func (c *conn) watch(ctx context.Context) func() {
	var isOver atomic.Bool

	stopped := make(chan struct{})

	go func() {
		defer close(stopped)

		// Nobody else reads while a command is worked on. What arrives stays in the buffer.
		if _, err := c.bufr.Peek(1); err != nil && !isOver.Load() {
			c.leave(errClientLeft)
		}
	}()

	return func() {
		isOver.Store(true)

		past := time.Unix(0, 0)
		_ = c.netConn.SetReadDeadline(past)
		<-stopped
		_ = c.netConn.SetReadDeadline(time.Time{})

		// The connection may have been told to end meanwhile, by the same means.
		if ctx.Err() != nil {
			_ = c.netConn.SetReadDeadline(past)
		}
	}
}

// newConnOpts`,
  },
  {
    file: connection,
    from: '	for {\n		var reqHeader *wire.MsgHeader\n',
    to: '	c.bufr, c.leave = bufr, cancel\n\n	for {\n		var reqHeader *wire.MsgHeader\n',
  },
  {
    file: connection,
    from: '		return cmd.Handler(connCtx, msg)\n',
    to: `		// Only what changes nothing may end halfway.
		if command == "find" || command == "getMore" {
			defer c.watch(connCtx)()
		}

		return cmd.Handler(connCtx, msg)
`,
  },
]
