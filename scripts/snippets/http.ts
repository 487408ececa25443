/** Holds the requests of snippets against the contracts: route, method, query and body. */
import {
  evaluationOperations,
  executionOperations,
  type HttpOperation,
  findSchemaFault,
  scoringOperations,
  traceGenerationOperations,
  translationOperations,
} from '@stateeval/contracts'

/** Operations by the port that their service has where it is free. */
const services: Readonly<Record<string, Readonly<Record<string, HttpOperation>>>> = {
  7400: evaluationOperations,
  7401: traceGenerationOperations,
  7402: translationOperations,
  7403: executionOperations,
  7404: scoringOperations,
}
const withArgument = new Set([
  '-X',
  '--request',
  '-H',
  '--header',
  '-d',
  '--data',
  '--data-binary',
  '-o',
  '-w',
])

interface Request {
  url: string
  method: string
  body: string | null
}

/** The request of a curl command. */
export function requestOf(words: readonly string[]): Request {
  const request: Request = { url: '', method: '', body: null }
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!
    if (withArgument.has(word)) {
      const value = words[++at] ?? ''
      if (word === '-X' || word === '--request') request.method = value
      if (word === '-d' || word.startsWith('--data')) request.body = value
    } else if (!word.startsWith('-')) request.url = word
  }
  request.method ||= request.body === null ? 'GET' : 'POST'
  return request
}

/** Finds the fault of a request to one of the services; null where it fits, or goes elsewhere. */
export function requestFault({ url, method, body }: Request): string | null {
  const [, port, path = ''] = /^(?:http:\/\/)?(?:127\.0\.0\.1|localhost):(\d+)([^?]*)/.exec(url) ?? []
  const operations = port === undefined ? undefined : services[port]
  if (!operations || ['/docs', '/openapi.json', '/metrics'].includes(path)) return null
  const fitting = Object.values(operations).filter((operation) => isPath(operation.path, path))
  const operation = fitting.find((one) => one.method === method)
  if (!operation)
    return fitting.length > 0 ? `${path} takes no ${method}` : `no operation has the path ${path}`
  const query = [...new URLSearchParams(url.split('?')[1] ?? '').keys()]
  const { properties = {} } = (operation.query ?? {}) as { properties?: object }
  const known = Object.keys(properties)
  const strange = query.find((name) => !known.includes(name))
  if (strange !== undefined) return `${path} has no query ${strange}`
  if (body === null || !operation.body || body.startsWith('@')) return null
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch (error) {
    return `the body is no JSON: ${(error as Error).message}`
  }
  const fault = findSchemaFault(operation.body, value)
  return fault && `${fault.field || 'the body'} ${fault.says}`
}

const isPath = (pattern: string, path: string): boolean => {
  const [expected, actual] = [pattern.split('/'), path.split('/')]
  return (
    expected.length === actual.length &&
    expected.every((part, at) => part === actual[at] || (part.startsWith(':') && actual[at] !== ''))
  )
}
