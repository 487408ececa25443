/**
 * Tells whether an instruction gives away initial values (StateGen, section IV-A: instructions in which the
 * agent had put initialisation values were filtered out by hand). The check is mechanical: a value that is
 * only in a variable or in the initial world may not be in the text. Literals of the program are allowed, and
 * names of fields are no values.
 */
import type { Program } from '@stateeval/contracts'
import { emit, isTensorLike } from '@stateeval/program'

/** Shorter texts and numbers are in every language: 'a', 'is', 7. */
const shortestText = 3
const leastNumber = 10

interface ValueLeak {
  variable: string
  value: string
}

/** The leaks of an instruction, each value once, in the order of the variables; the worlds last. */
export function findLeaks(instruction: string, program: Program): ValueLeak[] {
  const allowedTexts = collectKnownTexts(program)
  const leaks = new Map<string, ValueLeak>()
  const look = (variable: string, value: unknown) => {
    for (const text of listLeaves(value)) {
      if (leaks.has(text) || allowedTexts.has(text.toLowerCase())) continue
      if (hasValue(text, instruction)) leaks.set(text, { variable, value: text })
    }
  }
  for (const { name, values } of program.variables) for (const value of values) look(name, value)
  look('the initial world', program.world)
  for (const { variables, world } of program.secondWorlds ?? []) {
    for (const [name, value] of Object.entries(variables)) look(name, value)
    look('the second world', world)
  }
  return [...leaks.values()]
}

/**
 * Scalars that tell something, as they would be written; keys are names, not values. Of a tensor, dtype and
 * shape are known to every reader.
 */
function listLeaves(value: unknown): string[] {
  if (isTensorLike(value)) return []
  if (typeof value === 'string') return value.trim().length >= shortestText ? [value.trim()] : []
  if (typeof value === 'number')
    return Math.abs(value) >= leastNumber || !Number.isInteger(value) ? [String(value)] : []
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(listLeaves)
}

/** Texts that an instruction may say anyway: names and literals of the program, and the names of fields. */
function collectKnownTexts(program: Program): Set<string> {
  const texts = new Set<string>()
  const addKeys = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    if (!Array.isArray(value)) for (const key of Object.keys(value)) texts.add(key.toLowerCase())
    for (const part of Object.values(value)) addKeys(part)
  }
  for (const { name, values } of program.variables) {
    texts.add(name.toLowerCase())
    addKeys(values)
  }
  addKeys(program.world)
  const { variables: _variables, world: _world, secondWorlds: _second, ...code } = program
  const walk = (value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') {
      texts.add(String(value).trim().toLowerCase())
      return
    }
    if (value !== null && typeof value === 'object') for (const part of Object.values(value)) walk(part)
  }
  walk(code)
  addKeys(code)
  // A word of the emitted code, such as the name of a route, is no secret.
  for (const word of (emit(program, 'javascript') ?? '').match(/[A-Za-z]{3,}/g) ?? [])
    texts.add(word.toLowerCase())
  return texts
}

/**
 * Tells whether the value stands in the text as a whole, not as a part of a longer word or number. A single
 * word in small letters is mostly just English ('the number of …'): it counts as a value only if quotes or
 * the like set it apart.
 */
function hasValue(value: string, text: string): boolean {
  if (/^\p{Ll}+$/u.test(value)) return new RegExp(`["'\`“‘*]${value}["'\`”’*]`, 'u').test(text)
  const pattern = value.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/\s+/g, String.raw`\s+`)
  return new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, 'iu').test(text)
}
