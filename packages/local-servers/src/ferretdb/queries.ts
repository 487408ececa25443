/**
 * FerretDB's SQLite backend has a unique index on `_id` that none of its own queries can use, as they write
 * the expression in another way: every find, update and delete by `_id` reads the whole collection. And it
 * narrows down filters that are nothing but `{_id: x}`. Each change keeps what a command answers: the rows
 * are still held against the whole filter (docs/decisions/coordinator.md). It also notes the stack of whoever
 * opens a statement, a cursor or a connection, for a profile that nobody reads: 7% of its time
 * (docs/decisions/replays.md).
 */
import type { SourceChange } from './change.ts'

export const queries: readonly SourceChange[] = [
  {
    file: 'internal/backends/sqlite/metadata/metadata.go',
    from: `IDColumn = DefaultColumn + "->'$._id'"`,
    // Expression as in the index: see indexesCreate.
    to: 'IDColumn = DefaultColumn + `->"_id"`',
  },
  {
    file: 'internal/backends/sqlite/collection.go',
    from: `	if params.Filter.Len() == 1 {
		v, _ := params.Filter.Get("_id")
		switch v.(type) {
		case string, types.ObjectID:
			whereClause = fmt.Sprintf(\` WHERE %s = ?\`, metadata.IDColumn)
			args = []any{string(must.NotFail(sjson.MarshalSingleValue(v)))}
		}
	}

	q += whereClause
`,
    to: `	if params.Filter.Has("_id") {
		v, _ := params.Filter.Get("_id")
		switch v := v.(type) {
		case string, types.ObjectID:
			whereClause = fmt.Sprintf(\` WHERE %s = ?\`, metadata.IDColumn)
			args = []any{string(must.NotFail(sjson.MarshalSingleValue(v)))}
		case *types.Document:
			whereClause, args = whereIDIn(v)
		}
	}

	q += whereClause
`,
  },
  {
    file: 'internal/backends/sqlite/collection.go',
    from: '// InsertAll implements backends.Collection interface.\n',
    to: `// whereIDIn narrows {_id: {$in: [...]}} down; it gives nothing where the index can't tell, or SQLite takes no more parameters.
func whereIDIn(expression *types.Document) (string, []any) {
	v, _ := expression.Get("$in")
	ids, ok := v.(*types.Array)
	if !ok || ids.Len() == 0 || ids.Len() > 10_000 {
		return "", nil
	}

	args := make([]any, ids.Len())
	for i := range args {
		switch id := must.NotFail(ids.Get(i)).(type) {
		case string, types.ObjectID:
			args[i] = string(must.NotFail(sjson.MarshalSingleValue(id)))
		default:
			return "", nil
		}
	}

	return fmt.Sprintf(\` WHERE %s IN (?%s)\`, metadata.IDColumn, strings.Repeat(", ?", len(args)-1)), args
}

// InsertAll implements backends.Collection interface.
`,
  },
  {
    file: 'internal/util/resource/resource.go',
    from: '	p.Add(token, 1)\n',
    to: '',
  },
]
