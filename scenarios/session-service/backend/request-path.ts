/** Paths of the service, and the paths that it refuses before anything else. */
import { RequestRefusal } from './errors.ts'

/** The path of a request target, as it was sent, without the query. */
export const extractRawPath = (url: string) => url.split(/[?#]/, 1)[0] ?? ''

/** Upstream's web server refuses (400) what could hide a path's parts; its URL firewall answers 500. */
export function checkPath(path: string) {
  if (/%2f|%5c|\\|%00/i.test(path))
    throw new RequestRefusal(400, 'the path contains an encoded slash, a backslash or a NUL character')
  if (/\/\/|;|%3b/i.test(path))
    throw new RequestRefusal(500, 'the path contains an empty part or a semicolon')
  if (path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part)))
    throw new RequestRefusal(500, 'the path contains . or ..')
}

const parts = '[^/]+'
const base = `^/api/sessions/${parts}/${parts}`
/** The paths, most special first, with their methods in upstream's order. */
const paths: { pattern: RegExp; methods: string[] }[] = [
  { pattern: new RegExp(`${base}/query/fetch/?$`), methods: ['POST'] },
  // `query` is an id to PUT and DELETE, so they stand here too.
  { pattern: new RegExp(`${base}/${parts}/?$`), methods: ['GET', 'PUT', 'DELETE'] },
  { pattern: new RegExp(`${base}/?$`), methods: ['GET', 'POST'] },
  { pattern: /^\/info\/?$/, methods: ['GET'] },
]

/** The methods of a path; undefined where there is no such path. */
export const findMethods = (path: string): string[] | undefined =>
  paths.find(({ pattern }) => pattern.test(path))?.methods

/** The answer to OPTIONS lists HEAD and itself as well. */
export const listOptions = (methods: readonly string[]) =>
  [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(',')
