/** Calls as they are run: references by a function's name, as in the paper's prose, become labels. */
import type { ListedCall } from '@stateeval/contracts'
import { linkCalls } from '../judge/calls.ts'
import { readWhole } from '../python/read.ts'
import { isDict, formatPyJson, PyDict, type PyValue } from '../python/value.ts'

/** A reference leads to the call that the judge takes it for. */
export function labelReferences(calls: readonly ListedCall[]): ListedCall[] {
  const linked = linkCalls(calls)
  return calls.map((call, at) => {
    const args = readArguments(call)
    let isChanged = false
    const labelled = mapTexts(args, (text) => {
      if (!text.includes('$')) return text
      let result = text
      for (const { label, path, target, start, end } of linked.linksIn(at, text).toReversed()) {
        const own = typeof target === 'number' ? linked.calls[target]!.label : label
        if (own === label) continue
        isChanged = true
        const joint = path === '' || path.startsWith('[') || path === '.' ? '' : '.'
        result = `${result.slice(0, start)}$${own}${joint}${path}$${result.slice(end)}`
      }
      return result
    })
    return isChanged ? { ...call, arguments: formatPyJson(labelled) } : call
  })
}

function mapTexts(value: PyValue, change: (text: string) => string): PyValue {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  return isDict(value) ? new PyDict([...value].map(([key, item]) => [key, mapTexts(item, change)])) : value
}

function readArguments({ arguments: text }: ListedCall): PyValue {
  try {
    const value = readWhole(text, 'lenient')
    return isDict(value) ? value : null
  } catch {
    return null
  }
}
