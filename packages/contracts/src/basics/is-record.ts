import type { JsonValue } from './json.ts'

/** Tells whether a value is an object with members: neither null nor a list. */
export function isRecord(value: JsonValue | undefined): value is Record<string, JsonValue>
export function isRecord(value: unknown): value is Record<string, unknown>
export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
