/** Tells whether a specification knows an argument. */
import { isRecord } from '@stateeval/contracts'
import { listBodyForms, parseCookieArgument } from '../capture/sound.ts'
import { matchPattern } from '../specification/pattern.ts'
import {
  type RequestLocation,
  type SpecifiedOperation,
  type ApiDescription,
  specified,
} from '../specification/types.ts'

const withBody = new Set(['put', 'post', 'patch'])
const fieldOf: Readonly<Record<string, RequestLocation>> = {
  header: 'headers',
  query: 'params',
  path: 'path_params',
}
const isAuthentication = ({ security }: ApiDescription, location: RequestLocation, name: string) =>
  security.some((one) => fieldOf[one.in] === location && one.name === name)

/**
 * Facts §7: by exact names; the first parameter of a name decides; any security scheme of the document
 * counts.
 */
export function isDocumentedPublished(
  specification: ApiDescription,
  operation: SpecifiedOperation | undefined,
  method: string,
  location: RequestLocation,
  name: string,
): boolean {
  if (location === 'headers' && name === 'Accept') return true
  if (location === 'headers' && name === 'Content-Type') return withBody.has(method)
  if (isAuthentication(specification, location, name)) return true
  if (!operation) return false
  if (location === 'data') return operation.body?.properties.some((one) => one.name === name) ?? false
  const parameter = operation.parameters.find((one) => one.name === name)
  return parameter !== undefined && parameter.in === specified[location]
}

/**
 * Header names in any case; the same name may be a parameter in two places; an open body takes any property.
 */
export function isDocumentedSoundly(
  specification: ApiDescription,
  operation: SpecifiedOperation | undefined,
  { location, name }: { location: RequestLocation; name: string },
  { family }: { family?: string },
): boolean {
  const cookie = location === 'headers' ? parseCookieArgument(name) : undefined
  const same = (a: string) =>
    cookie !== undefined
      ? a === cookie
      : location === 'headers'
        ? a.toLowerCase() === name.toLowerCase()
        : a === name
  if (location === 'headers' && isSpecial(name)) return true
  const isThere = (place: string) => (cookie === undefined ? fieldOf[place] === location : place === 'cookie')
  if (specification.security.some((one) => isThere(one.in) && same(one.name))) return true
  if (!operation) return false
  if (location === 'data')
    return listBodyForms(operation, family).some(
      ({ open, properties, patterns = [] }) =>
        open === true ||
        properties.some((one) => same(one.name)) ||
        patterns.some((pattern) => matchPattern(pattern, name) !== false),
    )
  return operation.parameters.some((one) => isThere(one.in) && same(one.name))
}

/** Headers that follow from the body and are not counted. */
export const isSpecial = (name: string) => ['accept', 'content-type'].includes(name.toLowerCase())
export const isCounted = (location: RequestLocation, name: string) =>
  location !== 'headers' || (name !== 'Accept' && name !== 'Content-Type')
export const listObjectKeys = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : [])
