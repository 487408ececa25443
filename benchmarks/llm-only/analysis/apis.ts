/** Finds which API of a scenario a call in a program is. */
import type { Scenario } from '@stateeval/program'
import { readMember, listTextParts, createTextValue, type AbstractValue } from './values.ts'

/**
 * A call as far as it is known: what is called (a function by its name, or a method of a value), and with
 * what.
 */
interface FoundCall {
  callee: AbstractValue
  /** The value that the method is called on, and the method's name. */
  on?: { value: AbstractValue; method: string } | undefined
  args: readonly AbstractValue[]
}

/** The id of the API that is called; null where the call is none, or none that is documented. */
export type ApiRecogniser = (call: FoundCall) => string | null

/** The APIs that a generation has unless it asks for others; those that the documentation describes. */
const listGeneratedApis = (scenario: Scenario) => scenario.operations.filter(({ optIn }) => !optIn)

export function createRecogniser(scenario: Scenario): ApiRecogniser {
  const shapes = listGeneratedApis(scenario).map(({ id, say }) => ({ id, call: say.call }))
  const routes = shapes.flatMap(({ id, call }) =>
    call.kind === 'http' ? [{ id, method: call.method, path: split(call.path) }] : [],
  )
  const functions = new Map(
    shapes.flatMap(({ id, call }) => (call.kind === 'function' ? [[call.name, id] as const] : [])),
  )
  const tools = new Set(shapes.flatMap(({ id, call }) => (call.kind === 'tool' ? [id] : [])))
  return ({ callee, on, args }) => {
    const path = callee.kind === 'name' ? callee.path : ''
    if (functions.has(path)) return functions.get(path) as string
    // `x.permute(…)` is `torch.permute(x, …)`, for every value that may be a tensor.
    if (on && (on.value.kind === 'made' || on.value.kind === 'unknown' || isOwn(on.value)))
      for (const [name, id] of functions)
        if (methods.has(on.method) && name.split('.').at(-1) === on.method) return id
    const last = path.split('.').at(-1) as string
    if (tools.has(last)) return last
    const request = routes.length > 0 ? readRequest(callee, args) : null
    return request && findRoute(routes, request)
  }
}

/** Functions of torch that tensors have as methods, under the same name. */
const methods = new Set(['split', 'transpose', 'permute'])
/** A variable that the program doesn't declare, not a part of a module. */
const isOwn = (value: AbstractValue) => value.kind === 'name' && !/^torch\b/.test(value.path)

interface AxiosRequest {
  method: string
  url: AbstractValue
}
const verbs = /^axios\.(get|post|put|delete|patch|head|options)$/

/** The request that a call of axios or fetch makes. */
function readRequest(callee: AbstractValue, [first, second]: readonly AbstractValue[]): AxiosRequest | null {
  if (callee.kind !== 'name' || !first) return null
  const under = (base: AbstractValue | undefined, url: AbstractValue): AbstractValue =>
    base && !listTextParts(url)[0]?.startsWith('http')
      ? createTextValue(...listTextParts(base), '/', ...listTextParts(url))
      : url
  const verb = verbs.exec(callee.path)?.[1]
  if (verb) return { method: verb.toUpperCase(), url: under(callee.base, first) }
  if (callee.path !== 'axios' && callee.path !== 'axios.request' && callee.path !== 'fetch') return null
  const config = first.kind === 'object' ? first : second
  const url = first.kind === 'object' ? readMember(first, 'url') : first
  const base = config?.kind === 'object' ? config.entries.get('baseURL') : undefined
  return { method: readMethod(config), url: under(base ?? callee.base, url) }
}
function readMethod(config: AbstractValue | undefined): string {
  const methodValue = config?.kind === 'object' ? config.entries.get('method') : undefined
  if (!methodValue) return 'GET'
  return listTextParts(methodValue)
    .map((part) => part ?? '?')
    .join('')
    .toUpperCase()
}

/** A part of a URL's path that is not known. */
const hole = '\u0000'
const split = (path: string) => path.split('/').filter((part) => part !== '')

/**
 * The API whose method and path a request has. A hole is one part of the path, or belongs to one; only what
 * is not known at the very beginning may be any part of the path. Null where no API fits, or several do
 * equally.
 */
function findRoute(
  routes: readonly { id: string; method: string; path: readonly string[] }[],
  { method, url }: AxiosRequest,
): string | null {
  const whole = listTextParts(url)
    .map((part) => part ?? hole)
    .join('')
    .replace(/[?#].*/s, '')
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
  const open = whole.startsWith(hole)
  const parts = split(whole).slice(open ? 1 : 0)
  if (parts.length === 0) return null
  const fits = routes.flatMap(({ id, method: routeMethod, path }) => {
    const tail = path.slice(-parts.length)
    if (routeMethod !== method || (open ? path.length < parts.length : path.length !== parts.length))
      return []
    const same = parts.every((part, n) => (tail[n]?.startsWith('{') ? true : tail[n] === part))
    return same ? [{ id, literal: tail.filter((part) => !part.startsWith('{')).length }] : []
  })
  const largest = Math.max(...fits.map(({ literal }) => literal))
  const best = fits.filter(({ literal }) => literal === largest)
  return best.length === 1 ? (best[0]?.id ?? null) : null
}
