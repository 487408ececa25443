/** The fault of a call, before it reaches the world. */
import type { ModelToolCall, Transcript } from '@stateeval/contracts'

/** null if the world may get it. */
export function faultOfCall(
  { name, arguments: argumentText }: ModelToolCall,
  { tools = [] }: Transcript,
): string | null {
  if (!tools.some((one) => one.name === name)) return `there is no tool ${name}`
  try {
    const value: unknown = JSON.parse(argumentText)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? null
      : 'the arguments are not a JSON object'
  } catch {
    return 'the arguments are not valid JSON'
  }
}
