/**
 * An OpenAPI 3.0 or 3.1 document, or one of Swagger 2.0 that is converted, as a tree that references are
 * followed in. What is broken is named by its place.
 */
import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0'
import { formatAsText, ProblemError, isRecord } from '@stateeval/contracts'
import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml'

export type DocumentNode = Record<string, unknown>
export const isNode: (value: unknown) => value is DocumentNode = isRecord

/** A chain of more references is a circle. */
const longestChain = 20

export interface SpecificationDocument {
  root: DocumentNode
  wrong: (place: string, says: string) => never
  object: (value: unknown, place: string) => DocumentNode
  list: (value: unknown, place: string) => unknown[]
  /** The object, or that which it refers to. */
  resolve: (value: unknown, place: string) => DocumentNode
}

/** Resolves `#/a/b`; undefined where it is not there. */
export const resolvePointer = (root: DocumentNode, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .map(unescapeKey)
    .reduce<unknown>(
      (at, key) =>
        at !== null && typeof at === 'object' && Object.hasOwn(at, key)
          ? (at as DocumentNode)[key]
          : undefined,
      root,
    )

/** A part of a reference as the name that it means. */
export function unescapeKey(key: string): string {
  const plain = (text: string) => text.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return plain(decodeURIComponent(key))
  } catch {
    return plain(key)
  }
}

/** A fault of a document, and where. */
class BrokenDocument extends ProblemError {
  readonly says: string
  constructor(file: string, says: string) {
    super('unprocessable', `${file}: ${says}`, `/files/${file}`)
    this.says = says
  }
}
/** Reads a part of a document, or reports what is broken there. */
export function readPart<Value>(read: () => Value): { value: Value } | { broken: string } {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof BrokenDocument) return { broken: error.says }
    throw error
  }
}

/** @param file the name that a problem tells. Throws a ProblemError that names file and place. */
export function openDocument(value: unknown, file: string): SpecificationDocument {
  const wrong = (place: string, says: string): never => {
    throw new BrokenDocument(file, `${place} ${says}`)
  }
  const object = (one: unknown, place: string): DocumentNode =>
    isNode(one) ? one : wrong(place, 'must be an object')
  const list = (one: unknown, place: string): unknown[] =>
    one === undefined || one === null
      ? []
      : Array.isArray(one)
        ? (one as unknown[])
        : wrong(place, 'must be a list')
  const root = convertSwagger(object(value, 'the document'), wrong)

  const resolve = (one: unknown, place: string): DocumentNode => {
    let node = object(one, place)
    for (let steps = 0; typeof node['$ref'] === 'string'; steps++) {
      const reference = node['$ref']
      if (steps > longestChain) wrong(place, `refers in a circle: ${reference}`)
      if (!reference.startsWith('#/'))
        wrong(
          place,
          `refers to ${reference}, which is not a part of the document; a specification of several files is read from its folder: npx stateeval build --spec FOLDER`,
        )
      const target = resolvePointer(root, reference)
      if (target === undefined) wrong(place, `refers to ${reference}, which does not exist`)
      node = object(target, reference)
    }
    return node
  }
  return { root, wrong, object, list, resolve }
}

/** A document of Swagger 2.0 converted; others as they are. */
function convertSwagger(document: DocumentNode, wrong: SpecificationDocument['wrong']): DocumentNode {
  const { openapi, swagger } = document
  if (openapi === undefined && /^2(\.|$)/.test(formatAsText(swagger)))
    try {
      return upgradeFromTwoToThree(document) as DocumentNode
    } catch (error) {
      return wrong('the document', `cannot be converted from Swagger 2.0: ${(error as Error).message}`)
    }
  if (!/^3\.[01](\.|$)/.test(formatAsText(openapi)))
    wrong(
      'openapi',
      `is ${JSON.stringify(openapi)}; use OpenAPI 3.0 or 3.1 (openapi: "3.1.0"), or Swagger 2.0 (swagger: "2.0")`,
    )
  return document
}

/** YAML 1.2, and merge keys (`<<`), which many specifications use. */
const schema = CORE_SCHEMA.withTags([mergeTag])

/** Longer specifications take seconds to read, and are mostly examples. */
const maxCharacters = 16 * 1024 * 1024
/** Values of a specification after its aliases are followed. */
const maxValues = 2_000_000

/**
 * The text as a value, in linear time: JSON is YAML, too. Throws a ProblemError that names the file and what
 * is wrong with it.
 */
export function readText(text: string, file: string): unknown {
  const refuse = (says: string): never => {
    throw new ProblemError('unprocessable', `${file} ${says}`, `/files/${file}`)
  }
  if (text.length > maxCharacters)
    refuse(
      `has ${text.length} characters; at most ${maxCharacters} are read: leave out paths or examples that are not needed`,
    )
  let value: unknown
  try {
    value = load(text, { schema, filename: file })
  } catch (error) {
    if (error instanceof YAMLException && error.reason === 'duplicated mapping key')
      return refuse(`has a key twice in one object: line ${(error.mark?.line ?? 0) + 1}; remove one`)
    const says = error instanceof Error ? error.message.split('\n')[0] : String(error)
    return refuse(`is not valid YAML: ${says}`)
  }
  if (countDocumentValues(value, new Map()) > maxValues)
    refuse(`has more than ${maxValues} values once its aliases are followed`)
  return value
}

/** How many values a value consists of if aliases are followed; infinite where one contains itself. */
function countDocumentValues(value: unknown, known: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return 1
  const before = known.get(value)
  if (before !== undefined) return before
  known.set(value, Number.POSITIVE_INFINITY)
  const count = Object.values(value).reduce<number>(
    (sum, member) => sum + countDocumentValues(member, known),
    1,
  )
  known.set(value, count)
  return count
}
