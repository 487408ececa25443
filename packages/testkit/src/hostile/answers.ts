/** Answers read from the bytes of a connection, and what is wrong about them. */
import {
  type HttpOperations,
  Problem,
  problems,
  formatProblemType,
  findSchemaFault,
} from '@stateeval/contracts'
import { answerFault } from '../contract.ts'
import type { HostileRequest } from './requests.ts'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** The complete answers in these bytes, without interim ones; a rest that is none is an error. */
export function parseAnswers(
  bytes: Buffer,
  { isHead, isOver }: { isHead: boolean; isOver: boolean },
): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) break
    const [first = '', ...lines] = bytes.subarray(at, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? NaN)
    if (Number.isNaN(status)) throw new Error(`no HTTP: ${first.slice(0, 200)}`)
    at = end + 4
    if (status < 200) continue
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    const body =
      isHead || status === 204 || status === 304
        ? { text: '', next: at }
        : parseBody(bytes, at, headers, isOver)
    if (!body) break
    answers.push({ status, headers, body: body.text })
    at = body.next
  }
  return answers
}

/** null while it is not complete. */
function parseBody(
  bytes: Buffer,
  start: number,
  headers: Record<string, string>,
  isOver: boolean,
): { text: string; next: number } | null {
  if (headers['transfer-encoding'] === 'chunked') {
    const pieces: Buffer[] = []
    for (let at = start; ;) {
      const line = bytes.indexOf('\r\n', at)
      if (line < 0) return null
      const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16)
      const next = line + 2 + size + 2
      if (next > bytes.length) return null
      if (size === 0) return { text: Buffer.concat(pieces).toString(), next }
      pieces.push(bytes.subarray(line + 2, line + 2 + size))
      at = next
    }
  }
  const length = headers['content-length']
  if (length === undefined)
    return isOver ? { text: bytes.subarray(start).toString(), next: bytes.length } : null
  const next = start + Number(length)
  return next <= bytes.length ? { text: bytes.subarray(start, next).toString(), next } : null
}

/** Refusals before any operation is found. */
const ofAnyRequest: ReadonlySet<number> = new Set([400, 404, 405, 408, 431])

/** What is wrong about an answer, or null. */
export function hostileFault(
  operations: HttpOperations,
  { operation, isHead, isElsewhere }: HostileRequest,
  { status, headers, body }: RawAnswer,
): string | null {
  const shown = `${status} ${body.slice(0, 300)}`
  if (status >= 500 && status !== 503) return shown
  if (!isElsewhere && !operation.statuses.includes(status) && !ofAnyRequest.has(status))
    return `not documented: ${shown}`
  if (status >= 400) return isHead ? null : problemFault(status, headers, body)
  if (isElsewhere || isHead || status === 304) return null
  return answerFault(operations, operation.id, { statusCode: status, headers, body })
}

function problemFault(status: number, headers: Record<string, string>, body: string): string | null {
  const shown = `${status} ${body.slice(0, 300)}`
  if (!headers['content-type']?.startsWith('application/problem+json')) return `no problem: ${shown}`
  const problem = JSON.parse(body) as Problem
  const fault = findSchemaFault(Problem, problem)
  if (fault !== null) return `no problem: ${shown}`
  const known = Object.entries(problems).find(
    ([code]) => formatProblemType(code as keyof typeof problems) === problem.type,
  )
  if (known?.[1].status !== status || problem.status !== status)
    return `its type is of another status: ${shown}`
  return problem.detail.length < 10 || /undefined|\[object/.test(problem.detail)
    ? `its detail helps nobody: ${shown}`
    : null
}
