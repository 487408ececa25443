/**
 * One published sample of either version, in one form. What can't be read at all is an error; what
 * contradicts itself is reported.
 */
import type { GoldCall } from '../case.ts'
import { type Dict, isDict, jsonOf, memberOf } from '../python/value.ts'
import { isResultName } from '../references.ts'
import { wrong } from './entries.ts'

export interface Sample {
  id: string | null
  input: string
  calls: GoldCall[]
  result?: string
  tools?: string
  gold?: string
  faults: string[]
}

/** Reads entry `n`. Throws a problem that names it. */
export function sampleOf(entry: Dict, n: number, file: string): Sample {
  const bad = (says: string): never => wrong(file, `entry ${n}: ${says}`)
  const [id, input, output, tools, gold] = ['sample_id', 'input', 'output', 'tools', 'gold_answer'].map(
    (key) => entry.get(key),
  )
  if (typeof input !== 'string' || input.trim() === '') return bad('`input` is not a string')
  if (!Array.isArray(output)) return bad('`output` is not a list of calls')
  const faults: string[] = []
  const calls: GoldCall[] = []
  let result: string | undefined
  output.forEach((call, at) => {
    const name = memberOf(call, 'name')
    if (!isDict(call) || typeof name !== 'string' || name === '') return bad(`output ${at} has no \`name\``)
    const args = call.get('arguments')
    if (!isDict(args)) return bad(`output ${at}: \`arguments\` is not an object`)
    if (isResultName(name)) {
      if (at !== output.length - 1) faults.push(`${name} is not the last call`)
      result = jsonOf(args)
      return
    }
    const label = call.get('label')
    if (typeof label !== 'string') faults.push(`call ${at + 1} (${name}) has no label`)
    calls.push({ name, label: typeof label === 'string' ? label : '', arguments: jsonOf(args) })
  })
  if (calls.length === 0) bad('`output` has no call')
  if (tools !== undefined && !Array.isArray(tools)) bad('`tools` is not a list')
  return {
    id: typeof id === 'string' && /^[\w.-]{1,100}$/.test(id) ? id : null,
    input,
    calls,
    ...(result !== undefined && { result }),
    ...(tools !== undefined && { tools: jsonOf(tools) }),
    ...(gold !== undefined && { gold: jsonOf(gold) }),
    faults,
  }
}
