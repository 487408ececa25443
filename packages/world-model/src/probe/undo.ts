/** Clean-up: the request that deletes what another has created. */
import type { JsonValue } from '@stateeval/contracts'
import type { WorldModel, WorldOperation } from '../model.ts'
import { getPathValue } from '../pointer.ts'
import { buildRequest, isSuccess, type LiveAnswer, type LiveRequest } from '../request.ts'
import { listPathNames } from '../validate.ts'

/** Names and values of a path, if it is one of the template. */
function matchPath(template: string, path: string): Record<string, string> | null {
  const [parts, values] = [template.split('/'), path.split('/')]
  if (parts.length !== values.length) return null
  const args: Record<string, string> = {}
  for (const [n, part] of parts.entries()) {
    const [name] = listPathNames(part)
    if (name !== undefined && part === `{${name}}`) args[name] = decodeURIComponent(values[n]!)
    else if (part !== values[n]) return null
  }
  return args
}

/** The deletion of the item that an answered request has created; null where nothing is to be deleted. */
export function findUndo(model: WorldModel, request: LiveRequest, answer: LiveAnswer): LiveRequest | null {
  if (!isSuccess(answer)) return null
  for (const operation of Object.values(model.operations)) {
    if (operation.request.kind !== 'http' || operation.request.method !== request.method) continue
    if (operation.effect !== 'create' && operation.effect !== 'replace') continue
    const args = matchPath((model.base ?? '') + operation.request.path, request.path)
    if (!args) continue
    return buildUndo(model, operation, args, answer)
  }
  return null
}

function buildUndo(
  model: WorldModel,
  operation: WorldOperation,
  args: Readonly<Record<string, string>>,
  answer: LiveAnswer,
): LiveRequest | null {
  const type = model.types[operation.type]!
  const [id, remove] =
    Object.entries(model.operations).find(
      ([, other]) => other.type === operation.type && other.effect === 'delete',
    ) ?? []
  if (id === undefined || !remove) return null
  const identity =
    operation.target === undefined
      ? getPathValue(answer.body, [...(operation.answer.at ?? []), type.identity.field])
      : args[operation.target]
  if (identity === undefined || identity === null || typeof identity === 'object') return null
  const target: Record<string, JsonValue> = { [remove.target!]: identity }
  remove.parents?.forEach((name, n) => (target[name] = args[operation.parents?.[n] ?? ''] ?? ''))
  for (const name of type.place ?? []) target[name] = args[name] ?? ''
  return buildRequest(model, { operation: id, args: target })
}
