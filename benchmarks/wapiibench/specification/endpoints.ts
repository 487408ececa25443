/** Which endpoints of a specification a URL may mean: as the published evaluator finds them, and soundly. */
import { compileBeginning, escapeAsPattern } from '@stateeval/openapi'
import type { SpecifiedOperation, ApiDescription } from './types.ts'

export interface SpecifiedEndpoint {
  template: string
  operations: Readonly<Record<string, SpecifiedOperation>>
  /** Placeholders, in order. */
  names: readonly string[]
}
interface CompiledEndpoint extends SpecifiedEndpoint {
  /** Dots of the template match any character, placeholders anything but / ? &. */
  loose: RegExp
  exact: RegExp
  /** Finds the values of the path parameters that some operation declares, anywhere in a URL. */
  values: RegExp
  declared: readonly string[]
}
export interface SpecifiedEndpoints {
  specification: ApiDescription
  /** Facts §6: all templates that match, the best first; a URL without the server matches as well. */
  published(url: string): readonly SpecifiedEndpoint[]
  /** The values of path parameters by the first of these, undefined where there are none. */
  publishedValues(url: string): Record<string, string> | undefined
  /**
   * The endpoint under a server, if any, that has the method if one has it. Of several the one whose path
   * says most is meant, as OpenAPI rules.
   */
  sound(url: string, method: string): MatchedEndpoint | undefined
}
interface MatchedEndpoint {
  endpoint: SpecifiedEndpoint
  /** Decoded, of its placeholders. */
  values: Record<string, string>
  /** The URL behind the server. */
  rest: string
}

const placeholder = /\{([^{}]*)\}/g

/**
 * A template as a pattern as it stands; null where it is none, which the published evaluator would fail at.
 */
function compileLoosely(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern)
  } catch {
    return null
  }
}

function compileEndpoint({ template, operations }: ApiDescription['paths'][number]): CompiledEndpoint {
  const names = [...template.matchAll(placeholder)].map(([, name]) => name!)
  const declaredNames = new Set(
    Object.values(operations).flatMap(({ parameters }) =>
      parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    ),
  )
  const literal = template.split(placeholder).filter((_, n) => n % 2 === 0)
  const join = (parts: readonly string[], between: (name: string) => string) =>
    parts.map((part, n) => part + (n < names.length ? between(names[n]!) : '')).join('')
  const exact = new RegExp(`^${join(literal.map(escapeAsPattern), () => '([^/?#]+)')}$`)
  const valuesIn = (parts: readonly string[]) =>
    join(parts, (name) => (declaredNames.has(name) ? '([^/]+)' : escapeAsPattern(`{${name}}`)))
  return {
    template,
    operations,
    names,
    loose: compileLoosely(`^(?:${join(literal, () => '[^/?&]+')})$`) ?? exact,
    exact,
    values: compileLoosely(valuesIn(literal)) ?? new RegExp(valuesIn(literal.map(escapeAsPattern))),
    declared: names.filter((name) => declaredNames.has(name)),
  }
}

const decodeUri = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' }

/**
 * A URL in the one of its spellings that names scheme and host in lower case and no default port; its path
 * stays as it is.
 */
function removeVariants(url: string): string {
  const match = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i.exec(url)
  if (!match) return url
  const scheme = match[1]!.toLowerCase()
  const at = match[2]!.lastIndexOf('@') + 1
  const host = match[2]!.slice(at).toLowerCase()
  const colon = host.lastIndexOf(':')
  const port = colon < 0 || host.endsWith(']') ? undefined : host.slice(colon + 1)
  const plain =
    port === '' || (port !== undefined && port === defaultPorts[scheme]) ? host.slice(0, colon) : host
  return `${scheme}://${match[2]!.slice(0, at)}${plain}${url.slice(match[0].length)}`
}

/** How many URLs' candidates are remembered: the expected ones come again and again. */
const remembered = 5000
const longestRemembered = 2_000

/** Paths by the servers that they are under, with the methods that they have there: mostly one group. */
function groupByServers({ server, servers = [] }: ApiDescription, compiled: readonly CompiledEndpoint[]) {
  const all = [server, ...servers]
  const groups = new Map<string, { beginnings: RegExp[]; methods: Map<CompiledEndpoint, Set<string>> }>()
  const add = (path: CompiledEndpoint, addresses: readonly string[], method?: string) => {
    const key = addresses.join(' ')
    const group = groups.get(key) ?? {
      beginnings: addresses.map((address) => compileBeginning(removeVariants(address))),
      methods: new Map<CompiledEndpoint, Set<string>>(),
    }
    groups.set(key, group)
    const methods = group.methods.get(path) ?? new Set()
    group.methods.set(path, method === undefined ? methods : methods.add(method))
  }
  for (const path of compiled) {
    const operations = Object.entries(path.operations)
    for (const [method, operation] of operations) add(path, operation.servers ?? all, method)
    if (operations.length === 0) add(path, all)
  }
  return [...groups.values()]
}

export function compileEndpoints(specification: ApiDescription): SpecifiedEndpoints {
  const { server } = specification
  // Fewer placeholders first, then the longer template; what is equal stays in the document's order.
  const compiled = specification.paths
    .map(compileEndpoint)
    .sort((a, b) => a.names.length - b.names.length || b.template.length - a.template.length)
  const groups = groupByServers(specification, compiled)
  const otherServers = [
    ...(specification.servers ?? []),
    ...compiled.flatMap(({ operations }) => Object.values(operations).flatMap(({ servers = [] }) => servers)),
  ]
  const others = [...new Set(otherServers)].map(compileBeginning)
  /** The published evaluator knows one server; several are taken alike, and one may begin with another. */
  const withoutServer = (url: string): string[] => [
    ...(url.startsWith(server) ? [url.slice(server.length)] : []),
    ...others.flatMap((beginning) => (beginning.test(url) ? [url.replace(beginning, '')] : [])),
  ]
  const byUrl = new Map<string, readonly CompiledEndpoint[]>()
  const published = (url: string): readonly CompiledEndpoint[] => {
    const before = byUrl.get(url)
    if (before) return before
    const rests = withoutServer(url)
    const matches = compiled.filter(({ loose }) =>
      rests.length === 0 ? loose.test(url) : rests.some((rest) => loose.test(rest)),
    )
    // A candidate may compute URLs of any length.
    if (url.length > longestRemembered) return matches
    if (byUrl.size >= remembered) byUrl.clear()
    byUrl.set(url, matches)
    return matches
  }
  return {
    specification,
    published,
    publishedValues(url) {
      const [first] = published(url)
      const match = first && first.declared.length > 0 ? first.values.exec(url) : null
      return match && first
        ? Object.fromEntries(first.declared.map((name, n) => [name, match[n + 1]!]))
        : undefined
    },
    sound(spelling, method) {
      const url = removeVariants(spelling)
      const matches = groups.flatMap((group) =>
        group.beginnings.flatMap((beginning) => {
          const start = beginning.exec(url)?.[0]
          if (start === undefined) return []
          const rest = url.slice(start.length)
          return [...group.methods].flatMap(([path, methods]) => {
            const match = path.exact.exec(rest)
            return match ? [{ path, match, rest, hasMethod: methods.has(method) }] : []
          })
        }),
      )
      const ranked = matches.sort((a, b) => compiled.indexOf(a.path) - compiled.indexOf(b.path))
      const best = ranked.find(({ hasMethod }) => hasMethod) ?? ranked[0]
      if (!best) return undefined
      const { path, match, rest } = best
      const values = Object.fromEntries(path.names.map((name, n) => [name, decodeUri(match[n + 1]!)]))
      return { endpoint: path, values, rest }
    },
  }
}
