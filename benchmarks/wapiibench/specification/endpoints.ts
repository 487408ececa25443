/** Which endpoints of a specification a URL may mean: as the published evaluator finds them, and soundly. */
import type { SpecifiedOperation, Specification } from './types.ts'

export interface Endpoint {
  template: string
  operations: Readonly<Record<string, SpecifiedOperation>>
  /** Placeholders, in order. */
  names: readonly string[]
}
interface Compiled extends Endpoint {
  /** Dots of the template match any character, placeholders anything but / ? &. */
  loose: RegExp
  exact: RegExp
  /** Finds the values of the path parameters that some operation declares, anywhere in a URL. */
  values: RegExp
  declared: readonly string[]
}
export interface Endpoints {
  specification: Specification
  /** Facts §6: all templates that match, the best first; a URL without the server matches as well. */
  published(url: string): readonly Endpoint[]
  /** The values of path parameters by the first of these, undefined where there are none. */
  publishedValues(url: string): Record<string, string> | undefined
  /** The endpoint under the server, if any, with the decoded values of its placeholders. */
  sound(url: string): { endpoint: Endpoint; values: Record<string, string> } | undefined
}

const placeholder = /\{([^{}]*)\}/g
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * A template as a pattern as it stands; null where it is none, which the published evaluator would fail at.
 */
function loosely(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern)
  } catch {
    return null
  }
}

function compile({ template, operations }: Specification['paths'][number]): Compiled {
  const names = [...template.matchAll(placeholder)].map(([, name]) => name!)
  const declaredNames = new Set(
    Object.values(operations).flatMap(({ parameters }) =>
      parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    ),
  )
  const literal = template.split(placeholder).filter((_, n) => n % 2 === 0)
  const join = (parts: readonly string[], between: (name: string) => string) =>
    parts.map((part, n) => part + (n < names.length ? between(names[n]!) : '')).join('')
  const exact = new RegExp(`^${join(literal.map(escaped), () => '([^/?#]+)')}$`)
  const valuesIn = (parts: readonly string[]) =>
    join(parts, (name) => (declaredNames.has(name) ? '([^/]+)' : escaped(`{${name}}`)))
  return {
    template,
    operations,
    names,
    loose: loosely(`^(?:${join(literal, () => '[^/?&]+')})$`) ?? exact,
    exact,
    values: loosely(valuesIn(literal)) ?? new RegExp(valuesIn(literal.map(escaped))),
    declared: names.filter((name) => declaredNames.has(name)),
  }
}

const decoded = (text: string) => {
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
function withoutVariants(url: string): string {
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

export function endpointsOf(specification: Specification): Endpoints {
  const { server } = specification
  const base = withoutVariants(server)
  // Fewer placeholders first, then the longer template; what is equal stays in the document's order.
  const compiled = specification.paths
    .map(compile)
    .sort((a, b) => a.names.length - b.names.length || b.template.length - a.template.length)
  const byUrl = new Map<string, readonly Compiled[]>()
  const published = (url: string): readonly Compiled[] => {
    const before = byUrl.get(url)
    if (before) return before
    const rest = url.startsWith(server) ? url.slice(server.length) : url
    const matches = compiled.filter(({ loose }) => loose.test(rest))
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
    sound(spelling) {
      const url = withoutVariants(spelling)
      if (!url.startsWith(base)) return undefined
      const rest = url.slice(base.length)
      const endpoint = compiled.find(({ exact }) => exact.test(rest))
      const match = endpoint?.exact.exec(rest)
      if (!endpoint || !match) return undefined
      return {
        endpoint,
        values: Object.fromEntries(endpoint.names.map((name, n) => [name, decoded(match[n + 1]!)])),
      }
    },
  }
}
