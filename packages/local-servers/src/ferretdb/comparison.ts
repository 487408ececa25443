/**
 * One query took the whole process along: FerretDB compiles patterns that it compares, an invalid or an
 * extended one (`/a/x`) panics, and what a panic leaves open panics once more when it is collected, where
 * nobody catches it. Patterns are compared as texts here, and what is left open is collected. Comparing an
 * integer with a fraction took numbers of 100,000 bits.
 */
import type { SourceChange } from './change.ts'

const resource = 'internal/util/resource/resource.go'
const compare = 'internal/types/compare.go'

export const comparison: readonly SourceChange[] = [
  {
    file: resource,
    from: `	stack := debugbuild.Stack()

	// set finalizer on obj, not token
	runtime.SetFinalizer(obj, func(obj any) {
		// this closure has to use only obj argument and captured "stack" variable

		msg := fmt.Sprintf("%T has not been finalized", obj)
		if stack != nil {
			msg += "\\nObject created by " + string(stack)
		}

		panic(msg)
	})
`,
    to: '',
  },
  { file: resource, from: '	runtime.SetFinalizer(obj, nil)\n', to: '' },
  { file: resource, from: '	"runtime"\n', to: '' },
  {
    file: resource,
    from: '\n	"github.com/FerretDB/FerretDB/internal/util/debugbuild"\n',
    to: '',
  },
  {
    file: compare,
    from: `			v1 := must.NotFail(v1.Compile())
			v := must.NotFail(v.Compile())

			return compareOrdered(v1.String(), v.String())
`,
    to: `			return compareOrdered(v1.text(), v.text())
`,
  },
  {
    file: compare,
    from: `	bigA := new(big.Float).SetFloat64(a).SetPrec(100000)
	bigB := new(big.Float).SetInt64(b).SetPrec(100000)

	return CompareResult(bigA.Cmp(bigB))
`,
    to: `	switch {
	case a >= 1<<63:
		return Greater
	case a < -1<<63, math.IsNaN(a):
		return Less
	}

	if whole := int64(a); whole != b {
		return compareOrdered(whole, b)
	}

	return compareOrdered(a, math.Trunc(a))
`,
  },
  { file: compare, from: '	"math/big"\n', to: '' },
  {
    file: 'internal/types/regex.go',
    from: '// LogValue implements [slog.LogValuer].\n',
    to: `// text is the pattern with its options, as a compiled one gives it.
func (r Regex) text() string {
	var opts string

	for _, o := range r.Options {
		switch o {
		case 'i', 'm', 's', 'x':
			opts += string(o)
		}
	}

	if opts == "" {
		return r.Pattern
	}

	return "(?" + opts + ")" + r.Pattern
}

// LogValue implements [slog.LogValuer].
`,
  },
]
