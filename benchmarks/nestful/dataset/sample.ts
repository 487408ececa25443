/**
 * One published sample of either version, in one form. What can't be read at all is an error; what
 * contradicts itself is reported.
 */
import type { GoldCall } from '../case.ts'
import { type PyDict, isDict, formatPyJson, getPyMember, type PyValue } from '../python/value.ts'
import { isResultName } from '../references.ts'
import { rejectFile } from './entries.ts'

export interface NestfulSample {
  id: string | null
  input: string
  calls: GoldCall[]
  result?: string
  tools?: string
  gold?: string
  faults: string[]
}

const isNamed = (value: PyValue): boolean => {
  const name = getPyMember(value, 'name')
  return typeof name === 'string' && name !== ''
}

/** Reads entry `n`. Throws a problem that names it. */
export function readSample(entry: PyDict, n: number, file: string): NestfulSample {
  const bad = (says: string): never => rejectFile(file, `entry ${n}: ${says}`)
  const [id, input, output, tools, gold] = ['sample_id', 'input', 'output', 'tools', 'gold_answer'].map(
    (key) => entry.get(key),
  )
  if (typeof input !== 'string' || input.trim() === '') return bad('`input` is not a string')
  if (!Array.isArray(output)) return bad('`output` is not a list of calls')
  const faults: string[] = []
  const calls: GoldCall[] = []
  let result: string | undefined
  output.forEach((call, at) => {
    if (!isDict(call) || !isNamed(call)) return bad(`output ${at} has no \`name\``)
    const name = call.get('name') as string
    const args = call.get('arguments')
    if (!isDict(args)) return bad(`output ${at}: \`arguments\` is not an object`)
    if (isResultName(name)) {
      if (at !== output.length - 1) faults.push(`${name} is not the last call`)
      result = formatPyJson(args)
      return
    }
    const label = call.get('label')
    if (typeof label !== 'string') faults.push(`call ${at + 1} (${name}) has no label`)
    calls.push({ name, label: typeof label === 'string' ? label : '', arguments: formatPyJson(args) })
  })
  if (calls.length === 0) bad('`output` has no call')
  if (tools !== undefined && !Array.isArray(tools)) return bad('`tools` is not a list')
  const nameless = (tools ?? []).findIndex((tool) => !isNamed(tool))
  if (nameless >= 0) bad(`tool ${nameless} has no \`name\``)
  return {
    id: typeof id === 'string' && /^[\w.-]{1,100}$/.test(id) ? id : null,
    input,
    calls,
    ...(result !== undefined && { result }),
    ...(tools !== undefined && { tools: formatPyJson(tools) }),
    ...(gold !== undefined && { gold: formatPyJson(gold) }),
    faults,
  }
}
