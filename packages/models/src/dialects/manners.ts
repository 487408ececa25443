/**
 * The manners of each endpoint: those of its dialect, and what it taught by rejecting a request in a
 * machine-readable way.
 */
import type { DialectId, ModelSettings } from '@stateeval/contracts'
import { LRUCache } from 'lru-cache'
import { computeEndpointId } from '../endpoint-id.ts'
import { stripHost, isHostMatch } from '../networks.ts'
import { toMembers } from '../wire/members.ts'
import { dialects, type RequestManners } from './table.ts'

/** The dialect of a model: as set, or of its host; null if neither is known. */
export function findDialect({
  dialect,
  baseUrl,
}: Pick<ModelSettings, 'dialect' | 'baseUrl'>): DialectId | null {
  if (dialect !== undefined) return dialect
  const host = stripHost(new URL(baseUrl).hostname)
  const entry = Object.entries(dialects).find(([, { hosts = [] }]) =>
    hosts.some((pattern) => isHostMatch(pattern, host)),
  )
  return (entry?.[0] as DialectId | undefined) ?? null
}

/** Gets the manners of a model's settings: those of its dialect, and what the user chose. */
export function getKnownManners(settings: ModelSettings): RequestManners {
  const id = findDialect(settings)
  const facts = id === null ? {} : dialects[id].facts
  return {
    ...Object.fromEntries(Object.entries(facts).map(([name, { value }]) => [name, value])),
    ...(settings.systemRole !== undefined && { system: settings.systemRole }),
  }
}

/** A part of a request that an endpoint rejects; `known`: it knows the part, but not for this model. */
interface RejectedPart {
  name: string
  known: boolean
}

/**
 * The part that an error rejects: OpenAI’s `param` beside such a code, or the place of pydantic’s
 * `extra_forbidden`, which Mistral and FastAPI servers write; null if it says neither.
 */
export function findRejectedPart(text: string): RejectedPart | null {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return null
  }
  const { error, detail, message } = toMembers(Array.isArray(body) ? body[0] : body)
  const { code, param } = toMembers(error ?? body)
  if (typeof param === 'string' && (code === 'unsupported_parameter' || code === 'unsupported_value'))
    return { name: param, known: true }
  const details = [detail, toMembers(message)['detail'], message].find(Array.isArray)
  const { type, loc } = toMembers(details?.[0])
  const place: unknown =
    type === 'extra_forbidden' && Array.isArray(loc) && loc[0] === 'body' ? loc[1] : undefined
  return typeof place === 'string' ? { name: place, known: false } : null
}
/**
 * The manners without the part that was rejected; null if that changes nothing. Of `parameters`, those of the
 * settings and the question, one that the endpoint does not know at all is left: it may be misspelt.
 */
export function dropRejectedPart(
  manners: RequestManners,
  { name, known }: RejectedPart,
  parameters: readonly string[],
): RequestManners | null {
  const base = name.split(/[.[]/, 1)[0] ?? ''
  switch (base) {
    case 'max_tokens':
    case 'max_completion_tokens':
      if (manners.maxTokens === undefined)
        return { ...manners, maxTokens: base === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens' }
      return null
    case 'stream_options':
      return manners.streamUsage === undefined ? { ...manners, streamUsage: 'unasked' } : null
    case 'response_format':
      return manners.schema === undefined ? { ...manners, schema: 'told' } : null
    case 'tool_choice':
      return manners.toolChoice === undefined ? { ...manners, toolChoice: 'word' } : null
    case 'messages':
      return /^messages\[\d+\]\.role$/.test(name) && manners.system === undefined
        ? { ...manners, system: 'user' }
        : null
    default: {
      const { refused = [] } = manners
      return known && parameters.includes(base) && !refused.includes(base)
        ? { ...manners, refused: [...refused, base] }
        : null
    }
  }
}

/** Reads what a probe has found about an endpoint; null if nothing. */
export type FoundManners = (settings: ModelSettings) => Promise<RequestManners | null>

export interface EndpointManners {
  of(settings: ModelSettings): Promise<RequestManners>
  /** Takes what a probe has found now. */
  take(settings: ModelSettings, found: RequestManners): void
  /** Tells whether another try can succeed: the error names a part that will be written differently. */
  learn(settings: ModelSettings, used: RequestManners, text: string, parameters: readonly string[]): boolean
}

const maxEndpoints = 1000

/** Adds findings to the manners of the settings, which have precedence. */
function withFound(known: RequestManners, found: RequestManners): RequestManners {
  const refused = [...new Set([...(known.refused ?? []), ...(found.refused ?? [])])]
  return { ...found, ...known, ...(refused.length > 0 && { refused }) }
}

/** What is learnt applies to an endpoint; the user's choice is part of it, and may change. */
const computeMannersKey = (settings: ModelSettings) =>
  `${computeEndpointId(settings)} ${settings.systemRole ?? ''}`

/** Remembers what endpoints taught. */
export function createManners(found: FoundManners = async () => null): EndpointManners {
  const learnt = new LRUCache<string, RequestManners>({ max: maxEndpoints })
  const take: EndpointManners['take'] = (settings, manners) =>
    void learnt.set(computeMannersKey(settings), withFound(getKnownManners(settings), manners))
  return {
    take,
    async of(settings) {
      const id = computeMannersKey(settings)
      const current = learnt.get(id)
      if (current) return current
      try {
        const manners = await found(settings)
        if (!learnt.has(id)) take(settings, manners ?? {})
      } catch {
        // The store is away: it is read with the next question.
      }
      return learnt.get(id) ?? getKnownManners(settings)
    },
    learn(settings, used, text, parameters) {
      const part = findRejectedPart(text)
      if (part === null) return false
      const id = computeMannersKey(settings)
      const current = learnt.get(id) ?? getKnownManners(settings)
      // Another request may have learnt it meanwhile.
      if (JSON.stringify(current) !== JSON.stringify(used)) return true
      const next = dropRejectedPart(current, part, parameters)
      if (next !== null) learnt.set(id, next)
      return next !== null
    },
  }
}
