/** Refusals: the conditions of a call, in the order in which the API checks them. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { CallRefusal, WorldModel, WorldOperation } from '../model.ts'
import type { ModelItem, ModelState } from '../state.ts'
import {
  type CallArguments,
  type CallScope,
  findDouble,
  getIdentity,
  getOwn,
  isSameIdentity,
  listCollection,
} from './items.ts'

/** What conditions are checked against. */
interface CheckedCall {
  model: WorldModel
  state: ModelState
  operation: WorldOperation
  args: CallArguments
  /** null: an item above is missing. */
  scope: CallScope | null
  target: ModelItem | undefined
  /** The item's values once the call is done; undefined where it writes none. */
  next: JsonObject | undefined
  sent: JsonObject | undefined
}

/** The status of the first condition that does not hold; null if all hold. */
export function findRefusal(call: CheckedCall, refusals: readonly CallRefusal[]): number | null {
  return refusals.find((refusal) => !isHolding(call, refusal))?.status ?? null
}

function isHolding(call: CheckedCall, refusal: CallRefusal): boolean {
  const { model, state, operation, args, scope, target, next, sent } = call
  const value = refusal.argument === undefined ? undefined : readArgument(call, refusal.argument)
  const field = model.types[operation.type]!.fields[refusal.argument?.split('.').at(-1) ?? '']
  switch (refusal.unless) {
    case 'given':
      return value !== undefined
    case 'object':
      return value === undefined || isRecord(value)
    case 'listed':
      return (
        value === undefined ||
        (refusal.values ?? field?.enum ?? []).some((one) => isDeepStrictEqual(one, value))
      )
    case 'long':
      return value === undefined || String(value).length >= (refusal.length ?? field?.minLength ?? 1)
    case 'name':
      return value === undefined || /^[^$]/.test(String(value))
    case 'parents':
      return scope !== null
    case 'found':
      return target !== undefined
    case 'free': {
      const identity = scope && next?.[scope.type.identity.field]
      return (
        identity === undefined ||
        identity === null ||
        !listCollection(state, scope!).some((item) => isSameIdentity(getIdentity(model, item), identity))
      )
    }
    case 'unique':
      return !scope || !next || !findDouble(scope.type, listCollection(state, scope), next, target)
    case 'refers':
      return !scope || !next || hasAllReferents(call, next, Object.keys(sent ?? args))
  }
}

/** An argument, or a field of the content as `content.field`. */
function readArgument({ args, sent }: CheckedCall, name: string): JsonValue | undefined {
  const own = getOwn(args, name)
  if (own !== undefined || !name.includes('.')) return own
  return sent === undefined ? undefined : getOwn(sent, name.slice(name.indexOf('.') + 1))
}

function hasAllReferents({ model, state, scope }: CheckedCall, next: JsonObject, names: readonly string[]) {
  return names.every((name) => {
    const refers = scope!.type.fields[name]?.refers
    if (refers === undefined || next[name] === null || next[name] === undefined) return true
    return state.items.some(
      (item) => item.type === refers && isSameIdentity(getIdentity(model, item), next[name]),
    )
  })
}
