/** Order of lists, and the members around them. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type JsonValue } from '@stateeval/contracts'
import type { AnswerMember } from '../../model.ts'
import { formatPointer, getPathValue } from '../../pointer.ts'
import { isSuccess } from '../../request.ts'
import { findList, listBeside } from './answers.ts'
import { compareShown } from './shown-items.ts'
import type { NamedOperation, ProbeContext } from './context.ts'

export async function learnList(probe: ProbeContext, name: string, list: NamedOperation): Promise<void> {
  const [id, operation] = list
  const type = probe.model.types[name]!
  const items = [await probe.makeAnother(name), await probe.makeAnother(name), await probe.makeAnother(name)]
  const above = probe.getAbove(name)!
  const { answer } = await probe.call(list, above)
  const shown = isSuccess(answer) ? findList(answer.body, operation) : undefined
  if (!shown) return probe.dropOperation(id, `no list was answered: ${answer.status}`)
  operation.status = answer.status
  const positions = items.map((item) =>
    shown.findIndex((one) => isRecord(one) && one[type.identity.field] === item?.id),
  )
  const [a = -1, b = -1, c = -1] = positions
  type.order =
    a < 0 || b < 0 || c < 0 ? 'unknown' : a < b && b < c ? 'insertion' : a > b && b > c ? 'newest' : 'unknown'
  probe.note('types', name, 'order')
  const last = items[2]
  const row = shown.find((one) => isRecord(one) && one[type.identity.field] === last?.id)
  if (last && isRecord(row)) compareShown(type, operation, last.values, row)
  await probe.makeAnother(name)
  const { answer: longer } = await probe.call(list, above)
  const next = getPathValue(longer.body, operation.answer.at ?? [])
  const beside = listBeside(answer.body, operation.answer.at ?? []).map(
    ([path, value]): [string, AnswerMember] => [
      formatPointer(path),
      classifyBeside(value, getPathValue(longer.body, path), {
        before: shown.length,
        after: Array.isArray(next) ? next.length : -1,
        above: above.at(-1),
      }),
    ],
  )
  if (beside.length > 0 && (operation.answer.at ?? []).length > 0)
    operation.answer.beside = Object.fromEntries(beside)
  probe.note('operations', id, 'answer')
}

function classifyBeside(
  value: JsonValue,
  later: JsonValue | undefined,
  { before, after, above }: { before: number; after: number; above: JsonValue | undefined },
): AnswerMember {
  if (value === before && later === after && before !== after) return { is: 'count' }
  if (!isDeepStrictEqual(value, later)) return { is: 'anything' }
  return typeof value === 'string' && above !== undefined && value.includes(String(above))
    ? { is: 'template', value: value.replaceAll(String(above), '{parent}') }
    : { is: 'constant', value }
}
