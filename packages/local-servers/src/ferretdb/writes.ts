/**
 * How FerretDB's SQLite backend writes (docs/decisions/one-program.md).
 *
 * An insert was three statements: BEGIN, INSERT, COMMIT, each with a goroutine that watches whether the
 * client leaves. All documents of a command go into one INSERT, which SQLite stores whole or not at all, so
 * here it stands alone.
 *
 * SQLite lets one connection write at a time; others sleep for milliseconds and try again. Here the writers
 * of a database wait for a lock, which wakes them.
 */
import type { SourceChange } from './change.ts'

const collection = 'internal/backends/sqlite/collection.go'

const database = 'internal/util/fsql/db.go'

export const writes: readonly SourceChange[] = [
  {
    file: collection,
    from: 'import (\n	"context"\n',
    to: 'import (\n	"context"\n	"database/sql"\n',
  },
  {
    file: collection,
    from: `	err := db.InTransaction(ctx, func(tx *fsql.Tx) error {
		batchSize := c.r.BatchSize
		if batchSize < 1 {
			panic("batch-size should be greater or equal to 1")
		}

		var batch []*types.Document
		docs := params.Docs

		for len(docs) > 0 {
			i := min(batchSize, len(docs))
			batch, docs = docs[:i], docs[i:]

			q, args, err := prepareInsertStatement(meta.TableName, meta.Capped(), batch)
			if err != nil {
				return lazyerrors.Error(err)
			}

			if _, err = tx.ExecContext(ctx, q, args...); err != nil {
				var se *sqlite3.Error
				if errors.As(err, &se) && se.Code() == sqlite3lib.SQLITE_CONSTRAINT_UNIQUE {
					return backends.NewError(backends.ErrorCodeInsertDuplicateID, err)
				}

				return lazyerrors.Error(err)
			}
		}

		return nil
	})
	if err != nil {
		return nil, err
	}
`,
    to: `	batchSize := c.r.BatchSize
	if batchSize < 1 {
		panic("batch-size should be greater or equal to 1")
	}

	// a command that has begun is carried out, also where its client leaves
	ctx = context.WithoutCancel(ctx)

	insert := func(exec func(context.Context, string, ...any) (sql.Result, error), batch []*types.Document) error {
		q, args, err := prepareInsertStatement(meta.TableName, meta.Capped(), batch)
		if err != nil {
			return lazyerrors.Error(err)
		}

		if _, err = exec(ctx, q, args...); err != nil {
			var se *sqlite3.Error
			if errors.As(err, &se) && se.Code() == sqlite3lib.SQLITE_CONSTRAINT_UNIQUE {
				return backends.NewError(backends.ErrorCodeInsertDuplicateID, err)
			}

			return lazyerrors.Error(err)
		}

		return nil
	}

	var err error
	if n := len(params.Docs); 0 < n && n <= batchSize {
		err = insert(db.ExecContext, params.Docs)
	} else {
		err = db.InTransaction(ctx, func(tx *fsql.Tx) error {
			for docs := params.Docs; len(docs) > 0; {
				i := min(batchSize, len(docs))
				if err := insert(tx.ExecContext, docs[:i]); err != nil {
					return err
				}

				docs = docs[i:]
			}

			return nil
		})
	}

	if err != nil {
		return nil, err
	}
`,
  },
  {
    file: database,
    from: '	"log/slog"\n	"time"\n',
    to: '	"log/slog"\n	"sync"\n	"time"\n',
  },
  {
    file: database,
    from: '	BatchSize int\n}\n',
    to: '	BatchSize int\n	writing   sync.Mutex\n}\n',
  },
  {
    file: database,
    from: `func (db *DB) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
`,
    to: `func (db *DB) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	db.writing.Lock()
	defer db.writing.Unlock()

`,
  },
  {
    file: database,
    from: `func (db *DB) InTransaction(ctx context.Context, f func(*Tx) error) (err error) {
`,
    to: `func (db *DB) InTransaction(ctx context.Context, f func(*Tx) error) (err error) {
	db.writing.Lock()
	defer db.writing.Unlock()

`,
  },
  {
    file: 'internal/handler/commands.go',
    from: `		"collMod": {
`,
    to: `		"bulkWrite": {
			Handler: h.MsgBulkWrite,
			Help:    "Inserts documents into several collections.",
		},
		"collMod": {
`,
  },
  {
    file: 'internal/handler/msg_insert.go',
    from: `// MsgInsert implements \`insert\` command.
`,
    to: `// MsgBulkWrite implements the \`bulkWrite\` command for inserts: in their order, none after the first error.
func (h *Handler) MsgBulkWrite(connCtx context.Context, msg *wire.OpMsg) (*wire.OpMsg, error) {
	document, err := opMsgDocument(msg)
	if err != nil {
		return nil, lazyerrors.Error(err)
	}

	ops, err := common.GetRequiredParam[*types.Array](document, "ops")
	if err != nil {
		return nil, err
	}

	namespaces, err := common.GetRequiredParam[*types.Array](document, "nsInfo")
	if err != nil {
		return nil, err
	}

	collections := make([]backends.Collection, namespaces.Len())
	for i := range collections {
		info, _ := must.NotFail(namespaces.Get(i)).(*types.Document)
		if info == nil {
			return nil, handlererrors.NewCommandErrorMsgWithArgument(handlererrors.ErrBadValue, "nsInfo must hold documents", "bulkWrite")
		}

		ns, err := common.GetRequiredParam[string](info, "ns")
		if err != nil {
			return nil, err
		}

		dbName, name, _ := strings.Cut(ns, ".")

		var db backends.Database
		if db, err = h.b.Database(dbName); err == nil {
			collections[i], err = db.Collection(name)
		}

		if err != nil {
			return nil, handlererrors.NewCommandErrorMsgWithArgument(handlererrors.ErrInvalidNamespace, "Invalid namespace specified "+ns, "bulkWrite")
		}
	}

	targets := make([]backends.Collection, ops.Len())
	docs := make([]*types.Document, ops.Len())

	for i := range docs {
		op, _ := must.NotFail(ops.Get(i)).(*types.Document)
		if op == nil || !op.Has("insert") {
			return nil, handlererrors.NewCommandErrorMsgWithArgument(handlererrors.ErrNotImplemented, "bulkWrite takes inserts only", "bulkWrite")
		}

		at, _ := must.NotFail(op.Get("insert")).(int32)
		v, _ := op.Get("document")
		doc, _ := v.(*types.Document)

		if doc == nil || at < 0 || int(at) >= len(collections) || !doc.Has("_id") {
			return nil, handlererrors.NewCommandErrorMsgWithArgument(handlererrors.ErrBadValue, "an insert needs a namespace and a document with an _id", "bulkWrite")
		}

		if err = doc.ValidateData(); err != nil {
			return nil, handlererrors.NewCommandErrorMsgWithArgument(handlererrors.ErrBadValue, err.Error(), "bulkWrite")
		}

		targets[i], docs[i] = collections[at], doc
	}

	var inserted, failed int32
	batch := types.MakeArray(0)

	// documents of one collection that follow each other are one statement
	for from := 0; from < len(docs) && failed == 0; {
		to := from + 1
		for to < len(docs) && targets[to] == targets[from] && to-from < h.BatchSize {
			to++
		}

		_, err = targets[from].InsertAll(connCtx, &backends.InsertAllParams{Docs: docs[from:to]})

		switch {
		case err == nil:
			inserted += int32(to - from)
		case backends.ErrorCodeIs(err, backends.ErrorCodeInsertDuplicateID):
			failed++

			batch.Append(must.NotFail(types.NewDocument(
				"ok", float64(0), "idx", int32(from), "code", int32(handlererrors.ErrDuplicateKeyInsert),
				"errmsg", "E11000 duplicate key error collection", "n", int32(0),
			)))
		default:
			return nil, lazyerrors.Error(err)
		}

		from = to
	}

	return documentOpMsg(must.NotFail(types.NewDocument(
		"ok", float64(1),
		"cursor", must.NotFail(types.NewDocument("id", int64(0), "firstBatch", batch, "ns", "admin.$cmd.bulkWrite")),
		"nErrors", failed, "nInserted", inserted,
		"nMatched", int32(0), "nModified", int32(0), "nUpserted", int32(0), "nDeleted", int32(0),
	)))
}

// MsgInsert implements \`insert\` command.
`,
  },
  {
    file: 'internal/handler/msg_insert.go',
    from: '	"slices"\n',
    to: '	"slices"\n	"strings"\n',
  },
]
