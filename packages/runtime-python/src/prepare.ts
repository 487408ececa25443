/** Python itself checks Python code: only input that is not code at all is refused before it starts. */
import type { PreparedCode } from '@stateeval/runtime'

const comment = /^\s*(#.*)?$/

export function preparePython(code: string): PreparedCode {
  if (code.split(/\r\n?|\n/).every((line) => comment.test(line)))
    return {
      status: 'refused',
      reason: 'no_code',
      error: { name: 'NoCode', message: 'The answer has no code' },
    }
  return { status: 'ready', source: code, columnOffset: 0 }
}
