/** What direct calls have learned so far, and the calls themselves. */
import type { JsonObject, JsonValue } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { drawFieldValue } from '../../draw.ts'
import type { DroppedPart } from '../../infer/operation.ts'
import type { WorldModel, WorldOperation, WorldType } from '../../model.ts'
import { formatPointer } from '../../pointer.ts'
import { buildRequest, isSuccess, type LiveAnswer, type LiveCaller } from '../../request.ts'
import { findItem } from './answers.ts'

/** An item that the probe made. */
export interface MadeItem {
  id: JsonValue
  /** Identities of the items above, the outermost first. */
  above: readonly JsonValue[]
  values: JsonObject
  sent: JsonObject
  answer: LiveAnswer
}
export interface ProbeHost {
  send: LiveCaller
  pause: (ms: number) => Promise<void>
  rng: RandomSource
  prefix: string
}
export type NamedOperation = [id: string, operation: WorldOperation]

/** Longer than the second in which many clocks count. */
export const clockStepMs = 1100
/** The status with which models refuse what exists already. */
export const usualConflict = 409
/** The status with which models refuse what is missing. */
export const usualMissing = 404

export class ProbeContext {
  readonly model: WorldModel
  readonly dropped: DroppedPart[] = []
  /** Places of facts that calls have shown. */
  readonly learned = new Set<string>()
  /** Of each type, the item that others refer to. */
  readonly made = new Map<string, MadeItem>()
  /** Of each type, the fields that creation needs. */
  readonly bodies = new Map<string, string[]>()
  readonly host: ProbeHost

  constructor(model: WorldModel, host: ProbeHost) {
    this.model = model
    this.host = host
  }

  list(type: string, ...effects: readonly WorldOperation['effect'][]): NamedOperation[] {
    return Object.entries(this.model.operations).filter(
      ([, operation]) => operation.type === type && effects.includes(operation.effect),
    )
  }

  /** The operation that creates items: a creation, or a replacement by a client's id. */
  findCreator(type: string): NamedOperation | undefined {
    return this.list(type, 'create')[0] ?? this.list(type, 'replace')[0]
  }

  dropType(name: string, reason: string) {
    this.dropped.push({ what: `type ${name}`, reason })
    delete this.model.types[name]
    for (const [id, { type }] of Object.entries(this.model.operations))
      if (type === name) delete this.model.operations[id]
    for (const [other, { parent, fields }] of Object.entries(this.model.types)) {
      if (parent === name) this.dropType(other, `above it was ${name}`)
      for (const field of Object.values(fields)) if (field.refers === name) delete field.refers
    }
  }

  dropOperation(id: string, reason: string) {
    this.dropped.push({ what: id, reason })
    delete this.model.operations[id]
  }

  note(...path: readonly string[]) {
    this.learned.add(formatPointer(path))
  }

  async call(
    [id, operation]: NamedOperation,
    above: readonly JsonValue[],
    rest: { target?: JsonValue; content?: JsonObject } = {},
  ) {
    const args: Record<string, JsonValue> = {}
    operation.parents?.forEach((name, n) => (args[name] = above[n] ?? ''))
    for (const name of this.model.types[operation.type]!.place ?? [])
      args[name] = this.placeValue(operation.type, name)
    if (operation.target !== undefined)
      args[operation.target] = rest.target ?? `${this.host.prefix}${this.host.rng.int(1, 9_999_999)}`
    if (operation.content && rest.content) args[operation.content.argument] = rest.content
    return { answer: await this.host.send(buildRequest(this.model, { operation: id, args })), args }
  }

  /** All items of the probe lie in one place. */
  private placeValue(type: string, name: string): JsonValue {
    const field = this.model.types[type]!.fields[name]
    return (field?.enum?.[0] ?? `${this.host.prefix}place`) as JsonValue
  }

  /** A body of the fields that creation needs, and some more. */
  drawBody(name: string, more: readonly string[] = []): JsonObject {
    const { fields } = this.model.types[name]!
    const entries = [...new Set([...(this.bodies.get(name) ?? []), ...more])].flatMap(
      (key): [string, JsonValue][] => {
        const value = this.drawValue(name, key, fields)
        return value === undefined ? [] : [[key, value]]
      },
    )
    return Object.fromEntries(entries)
  }

  drawValue(name: string, key: string, fields: WorldType['fields'] = this.model.types[name]!.fields) {
    const field = fields[key]
    if (!field) return undefined
    if (field.refers !== undefined && this.made.has(field.refers)) return this.made.get(field.refers)!.id
    return drawFieldValue(key, field, this.host.rng, this.host.prefix)
  }

  getAbove(name: string): JsonValue[] | null {
    const { parent } = this.model.types[name]!
    if (parent === undefined) return []
    const made = this.made.get(parent)
    return made ? [...made.above, made.id] : null
  }

  async create(name: string, content: JsonObject): Promise<MadeItem | LiveAnswer> {
    const creator = this.findCreator(name)!
    const above = this.getAbove(name)!
    const { answer, args } = await this.call(creator, above, { content })
    if (!isSuccess(answer)) return answer
    const [, operation] = creator
    const { field } = this.model.types[name]!.identity
    const item = findItem(answer.body, operation, field)
    const id = operation.target === undefined ? item?.[field] : (args[operation.target] ?? null)
    if (id === undefined || id === null || typeof id === 'object') return { ...answer, status: 0 }
    return { id, above, values: item ?? {}, sent: content, answer }
  }

  async makeAnother(name: string): Promise<MadeItem | undefined> {
    const made = await this.create(name, this.drawBody(name))
    return 'id' in made ? made : undefined
  }
}
