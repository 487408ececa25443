/**
 * RESULT as JSON text, or why it is invalid. It runs next to candidate code, so the builtins that it uses
 * are saved before that code starts.
 */
import { maxDepth } from '@stateeval/contracts/json'
import type { RunOutcome } from '@stateeval/runtime'
import { cutTo, findLine, matchText } from './texts.ts'

const { stringify } = JSON
const { isFinite } = Number
const byteLength = Buffer.byteLength.bind(Buffer)
const toText = String
const MapBase = Map
/* eslint-disable @typescript-eslint/unbound-method -- called by apply */
const { get, set } = Map.prototype
/* eslint-enable @typescript-eslint/unbound-method */
const { apply } = Reflect
const index = /^\d+$/
interface HolderPlace {
  path: string
  depth: number
}
/** Values that convert themselves by toJSON are not plain: paths inside them are of no interest. */
const isPlainValue = (value: unknown) => typeof value === 'object' && value !== null

type ResultText = { text: string } | Exclude<RunOutcome, { status: 'completed' }>

/**
 * JSON.stringify as any JavaScript program sees it. Values that JSON would silently change (NaN, Infinity)
 * or drop (undefined, a function) are invalid results.
 */
export function formatResult(value: unknown, limit: number): ResultText {
  if (value === undefined) return { status: 'no_result', reason: 'RESULT was never set' }
  const paths = new MapBase<unknown, HolderPlace>()
  let fault: string | undefined
  const check = function (this: unknown, key: string, item: unknown): unknown {
    if (fault !== undefined) return undefined
    const holder = apply(get, paths, [this]) as HolderPlace | undefined
    const path =
      holder === undefined ? 'RESULT' : `${holder.path}${matchText(index, key) ? `[${key}]` : `.${key}`}`
    const depth = holder === undefined ? 0 : holder.depth + 1
    if (key === '__proto__') fault = `${path}: a key of that name cannot be kept`
    else if (typeof item === 'number' && !isFinite(item))
      fault = `${path} is ${item}, which JSON cannot represent`
    else if (typeof item === 'bigint') fault = `${path} is a BigInt, which JSON cannot represent`
    else if (isPlainValue(item) && depth >= maxDepth)
      fault = `RESULT is nested more than ${maxDepth} levels deep`
    if (isPlainValue(item)) apply(set, paths, [item, { path: cutTo(path, 300), depth }])
    return item
  }
  let text: string | undefined
  try {
    text = stringify(value, check)
  } catch (error) {
    return { status: 'no_result', reason: `RESULT is not a JSON value: ${getErrorMessage(error)}` }
  }
  if (fault !== undefined) return { status: 'no_result', reason: fault }
  if (text === undefined)
    return { status: 'no_result', reason: `RESULT is a ${typeof value}, which JSON cannot represent` }
  return byteLength(text) > limit ? { status: 'oversize' } : { text }
}

function getErrorMessage(error: unknown): string {
  try {
    // V8 draws a cycle over several lines; the first says it.
    let first = ''
    findLine(toText((error as Error).message), (line) => {
      first = line
      return true
    })
    return cutTo(first, 300)
  } catch {
    return 'an error that cannot be read'
  }
}
