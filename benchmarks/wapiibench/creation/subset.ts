/**
 * The specification as a prompt has it: whole where it is short enough, else the paths of the endpoints that
 * are asked for with the components that they need. What tells about answers only is left out then.
 */
import { formatAsText } from '@stateeval/contracts'
import { stringify } from 'yaml'
import { isNode, resolvePointer, type DocumentNode, unescapeKey } from '@stateeval/openapi'
import type { SpecifiedApi, EndpointTarget } from './api.ts'

/** Keys without meaning for requests. */
const droppedKeys = new Set(['responses', 'callbacks', 'links', 'externalDocs'])
const removeAnswers = (operation: unknown): unknown =>
  isNode(operation)
    ? Object.fromEntries(
        Object.entries(operation).filter(([name]) => !droppedKeys.has(name) && !name.startsWith('x-')),
      )
    : operation

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'])

/** Builds these endpoints' part of the document. */
function buildSubset(
  { document: { root, resolve }, endpoints }: Pick<SpecifiedApi, 'document' | 'endpoints'>,
  targets: readonly EndpointTarget[],
): DocumentNode {
  const paths: Record<string, DocumentNode> = {}
  for (const { template, method } of targets) {
    const item = resolve((root['paths'] as DocumentNode)[template], `paths/${template}`)
    const shared = Object.entries(item).filter(([name]) => !methods.has(name))
    paths[template] = {
      ...Object.fromEntries(shared),
      ...paths[template],
      [method]: removeAnswers(item[method]),
    }
  }
  const { openapi, info, security } = root
  const { title, description, version } = isNode(info) ? info : {}
  const all = isNode(root['components']) ? root['components'] : {}
  const referred = collectComponents(root, paths)
  const files = referred['x-files']
  const needed = Object.fromEntries(Object.entries(referred).filter(([kind]) => kind !== 'x-files'))
  const schemes = all['securitySchemes']
  const components = { ...needed, ...(schemes !== undefined && { securitySchemes: schemes }) }
  return {
    openapi,
    info: { title, version, description },
    servers: [{ url: endpoints.specification.server }],
    security,
    paths,
    ...(Object.keys(components).length > 0 && { components }),
    ...(files === undefined ? {} : { 'x-files': files }),
  }
}
const formatSubset = (api: SpecifiedApi, targets: readonly EndpointTarget[]) =>
  stringify(buildSubset(api, targets), { aliasDuplicateObjects: false, lineWidth: 0 })

/**
 * Everything that is referred to from there, and from what is referred to, in the places where it stands:
 * components, and other files of the specification (`x-files`).
 */
function collectComponents(root: DocumentNode, from: unknown): DocumentNode {
  const entries = new Map<string, unknown>()
  const open: unknown[] = [from]
  while (open.length > 0) {
    const value = open.pop()
    if (Array.isArray(value)) open.push(...(value as unknown[]))
    if (!isNode(value)) continue
    open.push(...Object.values(value))
    const [, place, kind, name] =
      /^#\/((?:components\/)?([^/]+))\/([^/]+)/.exec(formatAsText(value['$ref'] ?? '')) ?? []
    const isKept = place?.startsWith('components/') || place === 'x-files'
    if (!isKept || kind === undefined || name === undefined || entries.has(`${kind}/${name}`)) continue
    const target = resolvePointer(root, `#/${place}/${name}`)
    entries.set(`${kind}/${name}`, target)
    open.push(target)
  }
  const components: Record<string, DocumentNode> = {}
  for (const [place, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [kind, name] = place.split('/') as [string, string]
    components[kind] = { ...components[kind], [unescapeKey(name)]: value }
  }
  return components
}

/**
 * Consecutive endpoints that are asked for together: so many at most, and of a specification that is not too
 * long.
 */
export function splitParts(
  api: SpecifiedApi,
  { together, longest }: { together: number; longest: number },
): { parts: EndpointTarget[][]; tooLong: EndpointTarget[] } {
  const targets = api.targets.filter(({ skipped }) => skipped === undefined)
  const whole = api.text.length <= longest
  const parts: EndpointTarget[][] = []
  const tooLong: EndpointTarget[] = []
  let part: EndpointTarget[] = []
  for (const target of targets) {
    const fits = (one: EndpointTarget[]) => whole || measureSubset(api, one) <= longest
    if (part.length > 0 && part.length < together && fits([...part, target])) {
      part.push(target)
      continue
    }
    if (!fits([target])) tooLong.push(target)
    else parts.push((part = [target]))
  }
  return { parts, tooLong }
}
/** YAML takes a hundred times as long to write as JSON, and is about as long. */
const measureSubset = (api: SpecifiedApi, part: readonly EndpointTarget[]) =>
  JSON.stringify(buildSubset(api, part)).length

/** About how many characters the prompt for a part shows. */
export const estimatePromptLength = (
  api: SpecifiedApi,
  part: readonly EndpointTarget[],
  { longest }: { longest: number },
) => (api.text.length <= longest ? api.text.length : measureSubset(api, part))

/** Gets the shown part of the specification. */
export const getShownPart = (
  api: SpecifiedApi,
  part: readonly EndpointTarget[],
  { longest }: { longest: number },
) => (api.text.length <= longest ? api.text.trim() : formatSubset(api, part).trim())
