/**
 * Learns by direct calls what documents leave out: bodies that are accepted, fields that the server fills,
 * envelopes, statuses, what may be written.
 */
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { drawFieldValue } from '../draw.ts'
import type { AnswerMember, ServerField, WorldModel, WorldOperation, WorldType } from '../model.ts'
import { formatPointer, getPathValue, listLeaves, parsePointer } from '../pointer.ts'
import { buildRequest, isSuccess, type LiveAnswer, type LiveCaller } from '../request.ts'

/** An item that the probe made. */
interface MadeItem {
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
type NamedOperation = [id: string, operation: WorldOperation]

/** Longer than the second in which many clocks count. */
const clockStepMs = 1100
const mostTries = 14
/** The status with which models refuse what exists already. */
const usualConflict = 409
/** The status with which models refuse what is missing. */
const usualMissing = 404

/** The model with what direct calls say; what cannot be called is dropped with its reason. */
export async function learnByCalls(model: WorldModel, host: ProbeHost) {
  const learner = new CallLearner(structuredClone(model), host)
  await learner.learn()
  return { model: learner.model, dropped: learner.dropped, learned: learner.learned }
}

class CallLearner {
  readonly model: WorldModel
  readonly dropped: { what: string; reason: string }[] = []
  /** Places of facts that calls have shown. */
  readonly learned = new Set<string>()
  private readonly made = new Map<string, MadeItem>()
  private readonly bodies = new Map<string, string[]>()
  private readonly host: ProbeHost

  constructor(model: WorldModel, host: ProbeHost) {
    this.model = model
    this.host = host
  }

  async learn(): Promise<void> {
    for (const type of this.listInOrder()) await this.makeFirst(type)
    await this.host.pause(clockStepMs)
    for (const type of this.listInOrder()) await this.learnType(type)
    for (const type of this.listInOrder()) await this.learnOperations(type)
    for (const type of this.listInOrder()) await this.learnReferences(type)
    for (const type of this.listInOrder()) await this.learnMissingParent(type)
    // Last, and from below: what they clear is needed until then.
    for (const type of this.listInOrder().reverse())
      for (const clear of this.list(type, 'delete-many')) await this.learnClear(type, clear)
  }

  /** Types after those that they need. */
  private listInOrder(): string[] {
    const order: string[] = []
    const visiting = new Set<string>()
    const visit = (name: string) => {
      const type = this.model.types[name]
      if (!type || visiting.has(name)) return
      visiting.add(name)
      if (type.parent !== undefined) visit(type.parent)
      for (const { refers, required } of Object.values(type.fields))
        if (required && refers !== undefined) visit(refers)
      order.push(name)
    }
    Object.keys(this.model.types).forEach(visit)
    return order
  }

  private list(type: string, ...effects: readonly WorldOperation['effect'][]): NamedOperation[] {
    return Object.entries(this.model.operations).filter(
      ([, operation]) => operation.type === type && effects.includes(operation.effect),
    )
  }
  /** The operation that creates items: a creation, or a replacement by a client's id. */
  private findCreator(type: string): NamedOperation | undefined {
    return this.list(type, 'create')[0] ?? this.list(type, 'replace')[0]
  }

  private dropType(name: string, reason: string) {
    this.dropped.push({ what: `type ${name}`, reason })
    delete this.model.types[name]
    for (const [id, { type }] of Object.entries(this.model.operations))
      if (type === name) delete this.model.operations[id]
    for (const [other, { parent, fields }] of Object.entries(this.model.types)) {
      if (parent === name) this.dropType(other, `above it was ${name}`)
      for (const field of Object.values(fields)) if (field.refers === name) delete field.refers
    }
  }
  private dropOperation(id: string, reason: string) {
    this.dropped.push({ what: id, reason })
    delete this.model.operations[id]
  }
  private note(...path: readonly string[]) {
    this.learned.add(formatPointer(path))
  }

  private async call(
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
  private drawBody(name: string, more: readonly string[] = []): JsonObject {
    const { fields } = this.model.types[name]!
    const entries = [...new Set([...(this.bodies.get(name) ?? []), ...more])].flatMap(
      (key): [string, JsonValue][] => {
        const value = this.drawValue(name, key, fields)
        return value === undefined ? [] : [[key, value]]
      },
    )
    return Object.fromEntries(entries)
  }
  private drawValue(name: string, key: string, fields: WorldType['fields'] = this.model.types[name]!.fields) {
    const field = fields[key]
    if (!field) return undefined
    if (field.refers !== undefined && this.made.has(field.refers)) return this.made.get(field.refers)!.id
    return drawFieldValue(key, field, this.host.rng, this.host.prefix)
  }

  private getAbove(name: string): JsonValue[] | null {
    const { parent } = this.model.types[name]!
    if (parent === undefined) return []
    const made = this.made.get(parent)
    return made ? [...made.above, made.id] : null
  }

  private async create(name: string, content: JsonObject): Promise<MadeItem | LiveAnswer> {
    const creator = this.findCreator(name)!
    const above = this.getAbove(name)!
    const { answer, args } = await this.call(creator, above, { content })
    if (!isSuccess(answer)) return answer
    const [, operation] = creator
    const { field } = this.model.types[name]!.identity
    const item = this.findItem(answer.body, operation, field)
    const id = operation.target === undefined ? item?.[field] : (args[operation.target] ?? null)
    if (id === undefined || id === null || typeof id === 'object') return { ...answer, status: 0 }
    return { id, above, values: item ?? {}, sent: content, answer }
  }

  /** The item in an answer; corrects its place in the model. */
  private findItem(
    body: JsonValue | undefined,
    operation: WorldOperation,
    field: string,
  ): JsonObject | undefined {
    const { answer } = operation
    const now = getPathValue(body, answer.at ?? [])
    if (isRecord(now) && Object.hasOwn(now, field)) return now
    if (!isRecord(body)) return undefined
    if (Object.hasOwn(body, field)) {
      delete answer.at
      return body
    }
    const wrapped = Object.entries(body).find(([, value]) => isRecord(value) && Object.hasOwn(value, field))
    if (wrapped) answer.at = [wrapped[0]]
    return wrapped?.[1] as JsonObject | undefined
  }

  /** Finds a body that is accepted: the required fields, then those that refusals name. */
  private async makeFirst(name: string): Promise<void> {
    const type = this.model.types[name]
    if (!type) return
    if (!this.findCreator(name)) return this.dropType(name, 'nothing creates it')
    if (this.getAbove(name) === null) return this.dropType(name, 'nothing above it could be made')
    this.inventFields(type)
    const { fields, identity, place = [] } = type
    const usable = Object.keys(fields).filter((key) => !place.includes(key))
    this.bodies.set(
      name,
      usable.filter((key) => fields[key]!.required && key !== identity.field),
    )
    let answer: LiveAnswer | undefined
    for (let tries = 0; tries < mostTries; tries++) {
      const made = await this.create(name, this.drawBody(name))
      if ('id' in made) {
        this.made.set(name, made)
        return
      }
      if (made.status === 0) return this.dropType(name, 'the answer to its creation shows no identity')
      answer = made
      const chosen = this.bodies.get(name)!
      const optional = usable.filter((key) => !chosen.includes(key) && key !== identity.field)
      const next =
        optional.find((key) => hasWord(made.text, key)) ??
        optional.find((key) => /^(?:name|title|email|currency|amount|type)$/.test(key) && tries > 0)
      if (next === undefined) break
      chosen.push(next)
    }
    this.dropType(name, `no body was accepted: ${answer?.status ?? 0} ${answer?.text.slice(0, 150) ?? ''}`)
  }

  /** Types that take any member get some to write. */
  private inventFields(type: WorldType) {
    const plain = Object.entries(type.fields).filter(
      ([key, { type: kind }]) => kind !== 'object' && key !== type.identity.field,
    )
    if (plain.length > 0) return
    Object.assign(type.fields, {
      title: { type: 'string' },
      count: { type: 'integer' },
      done: { type: 'boolean' },
    })
  }

  private async learnType(name: string): Promise<void> {
    const type = this.model.types[name]
    const first = this.made.get(name)
    if (!type || !first) return
    const creator = this.findCreator(name)!
    const [creatorId, operation] = creator
    const again = await this.create(name, first.sent)
    let second: MadeItem | undefined = 'id' in again && again.id !== first.id ? again : undefined
    if (!second) second = await this.learnDoubles(name, first, again)
    if (!second) return this.dropType(name, 'only one of it could be made')
    if (creator[1].effect === 'create') operation.status = first.answer.status
    else operation.createsStatus = first.answer.status
    operation.answer.is = Object.keys(first.values).length > 0 ? 'item' : 'none'
    this.note('operations', creatorId, 'status')
    this.learnServerFields(name, first, second)
    this.learnBeside(operation, first.answer.body, second.answer.body)
    await this.learnFields(name, second)
    await this.learnIdentity(name, first)
  }

  /** The same body again is refused, or gives the same item: which fields are unique? */
  private async learnDoubles(
    name: string,
    first: MadeItem,
    again: MadeItem | LiveAnswer,
  ): Promise<MadeItem | undefined> {
    const type = this.model.types[name]!
    const [id, operation] = this.findCreator(name)!
    let other: MadeItem | undefined
    const fields: string[] = []
    for (const key of Object.keys(first.sent)) {
      const field = type.fields[key]
      if (!field || field.refers !== undefined || field.enum || field.type === 'boolean') continue
      const changed = await this.create(name, { ...first.sent, [key]: this.drawValue(name, key)! })
      if (!('id' in changed) || changed.id === first.id) continue
      fields.push(key)
      other = changed
    }
    if (fields.length === 0) return undefined
    type.unique = { fields, equal: 'json' }
    this.note('types', name, 'unique')
    if ('id' in again) {
      operation.existing = 'return'
      if (again.answer.status !== first.answer.status) operation.existingStatus = again.answer.status
    } else if (again.status !== usualConflict)
      operation.refuses = [...(operation.refuses ?? []), { unless: 'unique', status: again.status }]
    this.note('operations', id, 'existing')
    return other
  }

  /** Fields of the answer that nobody sent: equal ones are constants, others ids, clocks and tokens. */
  private learnServerFields(name: string, first: MadeItem, second: MadeItem) {
    const type = this.model.types[name]!
    const server: Record<string, ServerField> = {}
    for (const [path, value] of listLeaves(first.values)) {
      const pointer = formatPointer(path)
      if (pointer === formatPointer([type.identity.field])) continue
      const other = getPathValue(second.values, path)
      if (getPathValue(first.sent, path) !== undefined) {
        this.learnStored(type, path, getPathValue(first.sent, path)!, value)
        continue
      }
      server[pointer] = this.classify(first, second, value, other)
      this.note('types', name, 'server', pointer)
    }
    for (const key of Object.keys(first.sent))
      if (
        !Object.hasOwn(first.values, key) &&
        first.answer.body !== undefined &&
        Object.keys(first.values).length > 0 &&
        type.fields[key]
      )
        type.fields[key].stored = 'not'
    type.server = server
    if (Object.keys(server).length === 0) delete type.server
  }
  private learnStored(
    { fields }: WorldType,
    [key = '', ...rest]: readonly string[],
    sent: JsonValue,
    value: JsonValue,
  ) {
    const field = fields[key]
    if (!field || isDeepStrictEqual(sent, value)) return
    field.stored = rest.length === 0 && String(sent) === value ? 'as text' : 'somehow'
  }

  private classify(
    first: MadeItem,
    second: MadeItem,
    value: JsonValue,
    other: JsonValue | undefined,
  ): ServerField {
    const isPlain = typeof value === 'string' || typeof value === 'number'
    if (isPlain && value === first.id && other === second.id) return { from: 'identity' }
    const up = first.above
      .toReversed()
      .findIndex((id) => isPlain && String(id) === String(value) && id === value)
    if (up >= 0) return { from: 'parent', up }
    const copied = Object.keys(first.sent).find(
      (key) => typeof value === 'string' && first.sent[key] === value && second.sent[key] === other,
    )
    if (copied !== undefined) return { from: 'copy', field: copied }
    if (isDeepStrictEqual(value, other)) return { from: 'constant', value }
    const isClock = (typeof value === 'number' && value > 1e8) || /^\d{4}-\d\d-\d\dT/.test(String(value))
    return isClock ? { from: 'clock' } : isPlain ? { from: 'token' } : { from: 'anything' }
  }

  /** Members around the item: equal ones are constants. */
  private learnBeside(
    operation: WorldOperation,
    first: JsonValue | undefined,
    second: JsonValue | undefined,
  ) {
    const at = operation.answer.at ?? []
    const beside = listBeside(first, at).map(([path, value]): [string, AnswerMember] => [
      formatPointer(path),
      isDeepStrictEqual(value, getPathValue(second, path)) ? { is: 'constant', value } : { is: 'anything' },
    ])
    if (beside.length > 0 && at.length > 0) operation.answer.beside = Object.fromEntries(beside)
  }

  /** Sends each optional field alone: fields that are refused, or not shown, are left out. */
  private async learnFields(name: string, base: MadeItem): Promise<void> {
    const type = this.model.types[name]!
    for (const key of Object.keys(type.fields)) {
      if (Object.hasOwn(base.sent, key) || key === type.identity.field || type.place?.includes(key)) continue
      const value = this.drawValue(name, key)
      const made = value === undefined ? undefined : await this.create(name, this.drawBody(name, [key]))
      const field = type.fields[key]!
      if (!made || !('id' in made)) {
        delete type.fields[key]
        continue
      }
      const sent = made.sent[key]!
      const shown = made.values[key]
      if (Object.keys(made.values).length > 0 && !isDeepStrictEqual(shown, sent)) {
        if (shown !== undefined && String(shown) === String(sent)) field.stored = 'as text'
        else {
          delete type.fields[key]
          continue
        }
      }
      this.note('types', name, 'fields', key)
      this.learnDefault(type, key)
      // Other members that follow this one.
      for (const [pointer, server] of Object.entries(type.server ?? {})) {
        const now = getPathValue(made.values, parsePointer(pointer))
        if (server.from === 'constant' && now !== undefined && !isDeepStrictEqual(now, server.value))
          type.server![pointer] = isDeepStrictEqual(now, sent)
            ? { from: 'copy', field: key, value: server.value }
            : { from: 'anything' }
      }
    }
  }
  /** A member that was there before the field was sent is its default. */
  private learnDefault(type: WorldType, key: string) {
    const pointer = formatPointer([key])
    const server = type.server?.[pointer]
    const field = type.fields[key]!
    delete field.default
    if (server?.from === 'constant') field.default = server.value
    if (server && server.from !== 'constant') server.ifAbsent = true
    else if (server) delete type.server![pointer]
    for (const other of Object.keys(type.server ?? {}))
      if (other.startsWith(`${pointer}/`)) delete type.server![other]
  }

  /** Whether a client may choose the id, and what a taken one does. */
  private async learnIdentity(name: string, first: MadeItem): Promise<void> {
    const type = this.model.types[name]!
    const [id, operation] = this.findCreator(name)!
    if (operation.effect !== 'create') return
    const { field } = type.identity
    const given =
      typeof first.id === 'number'
        ? this.host.rng.int(100_000, 999_999)
        : `${this.host.prefix}own${this.host.rng.int(1, 999_999)}`
    const made = await this.create(name, { ...this.drawBody(name), [field]: given })
    this.note('types', name, 'identity')
    if (!('id' in made) || made.id !== given) {
      type.identity.by = 'server'
      delete type.fields[field]
      return
    }
    type.identity.by = 'either'
    type.fields[field] = {
      ...(type.fields[field] ?? { type: typeof given === 'number' ? 'integer' : 'string' }),
    }
    delete type.fields[field].required
    const taken = await this.create(name, { ...this.drawBody(name), [field]: given })
    if (!('id' in taken)) {
      if (taken.status !== usualConflict)
        operation.refuses = [
          ...(operation.refuses ?? []),
          { unless: 'free', status: taken.status || usualConflict },
        ]
    } else if ((await this.countListed(name, given)) > 1) {
      // An API that stores an id twice cannot be followed where clients choose ids.
      type.identity.by = 'server'
      delete type.fields[field]
    } else {
      operation.existing = isDeepStrictEqual(taken.values, made.values) ? 'return' : 'replace'
      operation.existingStatus = taken.answer.status
    }
    this.note('operations', id, 'existing')
  }

  /** How often a list shows an id. */
  private async countListed(name: string, id: JsonValue): Promise<number> {
    const list = this.list(name, 'list')[0]
    if (!list) return 0
    const { answer } = await this.call(list, this.getAbove(name)!)
    const { field } = this.model.types[name]!.identity
    const items = this.findList(answer.body, list[1]) ?? []
    return items.filter((item) => isRecord(item) && item[field] === id).length
  }

  private async learnOperations(name: string): Promise<void> {
    if (!this.model.types[name]) return
    for (const read of this.list(name, 'read')) await this.learnRead(name, read)
    for (const list of this.list(name, 'list')) await this.learnList(name, list)
    for (const write of this.list(name, 'update', 'replace')) await this.learnWrite(name, write)
    for (const remove of this.list(name, 'delete')) await this.learnDelete(name, remove)
  }

  private async makeAnother(name: string): Promise<MadeItem | undefined> {
    const made = await this.create(name, this.drawBody(name))
    return 'id' in made ? made : undefined
  }

  private async learnRead(name: string, read: NamedOperation): Promise<void> {
    const [id, operation] = read
    const type = this.model.types[name]!
    const item = await this.makeAnother(name)
    if (!item) return this.dropOperation(id, 'no item to read could be made')
    const { answer } = await this.call(read, item.above, { target: item.id })
    const shown = isSuccess(answer) ? this.findItem(answer.body, operation, type.identity.field) : undefined
    if (!shown) return this.dropOperation(id, `the item could not be read: ${answer.status}`)
    operation.status = answer.status
    this.learnBeside(operation, answer.body, answer.body)
    this.compareShown(type, operation, item.values, shown)
    this.note('operations', id, 'answer')
  }
  /** What another operation shows of an item that its creation showed otherwise. */
  private compareShown(type: WorldType, operation: WorldOperation, made: JsonObject, shown: JsonObject) {
    if (Object.keys(made).length === 0) return
    const mask = (key: string) => {
      const pointer = formatPointer([key])
      if (key !== type.identity.field && !type.masked?.includes(pointer))
        type.masked = [...(type.masked ?? []), pointer]
    }
    for (const key of new Set([...Object.keys(made), ...Object.keys(shown)]))
      if (!Object.hasOwn(shown, key)) operation.answer.omits = [...(operation.answer.omits ?? []), key]
      else if (!isDeepStrictEqual(made[key], shown[key])) mask(key)
  }

  private async learnList(name: string, list: NamedOperation): Promise<void> {
    const [id, operation] = list
    const type = this.model.types[name]!
    const items = [await this.makeAnother(name), await this.makeAnother(name), await this.makeAnother(name)]
    const above = this.getAbove(name)!
    const { answer } = await this.call(list, above)
    const shown = isSuccess(answer) ? this.findList(answer.body, operation) : undefined
    if (!shown) return this.dropOperation(id, `no list was answered: ${answer.status}`)
    operation.status = answer.status
    const positions = items.map((item) =>
      shown.findIndex((one) => isRecord(one) && one[type.identity.field] === item?.id),
    )
    const [a = -1, b = -1, c = -1] = positions
    type.order =
      a < 0 || b < 0 || c < 0
        ? 'unknown'
        : a < b && b < c
          ? 'insertion'
          : a > b && b > c
            ? 'newest'
            : 'unknown'
    this.note('types', name, 'order')
    const last = items[2]
    const row = shown.find((one) => isRecord(one) && one[type.identity.field] === last?.id)
    if (last && isRecord(row)) this.compareShown(type, operation, last.values, row)
    await this.makeAnother(name)
    const { answer: longer } = await this.call(list, above)
    const next = getPathValue(longer.body, operation.answer.at ?? [])
    const beside = listBeside(answer.body, operation.answer.at ?? []).map(
      ([path, value]): [string, AnswerMember] => [
        formatPointer(path),
        this.classifyBeside(value, getPathValue(longer.body, path), {
          before: shown.length,
          after: Array.isArray(next) ? next.length : -1,
          above: above.at(-1),
        }),
      ],
    )
    if (beside.length > 0 && (operation.answer.at ?? []).length > 0)
      operation.answer.beside = Object.fromEntries(beside)
    this.note('operations', id, 'answer')
  }
  private classifyBeside(
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
  private findList(body: JsonValue | undefined, operation: WorldOperation): JsonValue[] | undefined {
    const now = getPathValue(body, operation.answer.at ?? [])
    if (Array.isArray(now)) return now
    if (Array.isArray(body)) {
      delete operation.answer.at
      return body
    }
    const found = isRecord(body) ? Object.entries(body).find(([, value]) => Array.isArray(value)) : undefined
    if (found) operation.answer.at = [found[0]]
    return found?.[1] as JsonValue[] | undefined
  }

  private async learnWrite(name: string, write: NamedOperation): Promise<void> {
    const [id, operation] = write
    const type = this.model.types[name]!
    const isUpdate = operation.effect === 'update'
    const candidates = Object.entries(type.fields)
      .filter(
        ([key, { refers }]) =>
          key !== type.identity.field && refers === undefined && !type.place?.includes(key),
      )
      .map(([key]) => key)
    const item = await this.makeAnother(name)
    if (!item) return this.dropOperation(id, 'no item to write could be made')
    const reader = this.list(name, 'read')[0]
    await this.host.pause(clockStepMs)
    const writes: string[] = []
    let before: JsonValue | undefined
    for (const key of candidates) {
      const content = isUpdate ? { [key]: this.drawValue(name, key)! } : this.drawBody(name, [key])
      if (content[key] === undefined) continue
      const { answer } = await this.call(write, item.above, { target: item.id, content })
      if (!isSuccess(answer)) continue
      operation.status = answer.status
      let shown = this.findItem(answer.body, operation, type.identity.field)
      operation.answer.is = shown ? 'item' : 'none'
      this.learnBeside(operation, before ?? answer.body, answer.body)
      before = answer.body
      if (!shown && reader)
        shown = this.findItem(
          (await this.call(reader, item.above, { target: item.id })).answer.body,
          reader[1],
          type.identity.field,
        )
      const isKept =
        !shown || String(shown[key]) === String(content[key]) || isDeepStrictEqual(shown[key], content[key])
      if (!isKept) continue
      writes.push(key)
      this.learnClocks(type, name, item.values, shown)
    }
    if (writes.length === 0) return this.dropOperation(id, 'no field could be written')
    operation.writes = writes
    this.note('operations', id, 'writes')
    if (operation.effect === 'replace') await this.learnUpsert(name, write, item)
  }
  private learnClocks(type: WorldType, name: string, before: JsonObject, after: JsonObject | undefined) {
    for (const [pointer, server] of Object.entries(type.server ?? {})) {
      const now = after && getPathValue(after, parsePointer(pointer))
      if (now === undefined || isDeepStrictEqual(now, getPathValue(before, parsePointer(pointer)))) continue
      if (server.from === 'clock') server.onWrite = true
      else if (server.from === 'constant' || server.from === 'token')
        type.server![pointer] = { from: 'anything' }
      this.note('types', name, 'server', pointer)
    }
  }
  /** A replacement of something that is missing may create it. */
  private async learnUpsert(name: string, write: NamedOperation, item: MadeItem): Promise<void> {
    const [id, operation] = write
    const { answer } = await this.call(write, item.above, { content: this.drawBody(name) })
    if (isSuccess(answer) && this.model.types[name]!.identity.by !== 'server')
      operation.createsStatus = answer.status
    else delete operation.createsStatus
    this.note('operations', id, 'createsStatus')
  }

  private async learnDelete(name: string, remove: NamedOperation): Promise<void> {
    const [id, operation] = remove
    const item = await this.makeAnother(name)
    if (!item) return this.dropOperation(id, 'no item to delete could be made')
    const { answer } = await this.call(remove, item.above, { target: item.id })
    if (!isSuccess(answer)) return this.dropOperation(id, `the item could not be deleted: ${answer.status}`)
    operation.status = answer.status
    this.learnTold(name, operation, answer, item)
    const again = await this.call(remove, item.above, { target: item.id })
    if (isSuccess(again.answer)) return this.dropOperation(id, 'a deleted item can be deleted again')
    for (const other of this.list(name, 'read', 'update', 'delete')) {
      const { answer: gone } =
        other[0] === id
          ? again
          : await this.call(other, item.above, {
              target: item.id,
              content: this.drawBody(name, other[1].writes?.slice(0, 1)),
            })
      if (isSuccess(gone)) return this.dropOperation(id, `${other[0]} still works on a deleted item`)
      if (gone.status !== usualMissing)
        other[1].refuses = [{ unless: 'found', status: gone.status }, ...(other[1].refuses ?? [])]
    }
    this.note('operations', id, 'status')
  }
  /** What the answer tells of items that are gone. */
  private learnTold(name: string, operation: WorldOperation, { body }: LiveAnswer, item: MadeItem) {
    const { answer } = operation
    const { field } = this.model.types[name]!.identity
    delete answer.told
    delete answer.at
    if (body === undefined) {
      answer.is = 'none'
      return
    }
    answer.is = 'item'
    const whole = this.findItem(body, operation, field)
    if (whole && isDeepStrictEqual(whole, item.values)) return
    delete answer.at
    answer.told = listTold(body, item)
  }

  /** The status of calls below an item that is gone. */
  private async learnMissingParent(name: string): Promise<void> {
    const { parent } = this.model.types[name]!
    const remove = parent === undefined ? undefined : this.list(parent, 'delete')[0]
    if (parent === undefined || !remove) return
    const before = this.made.get(parent)!
    const above = await this.makeAnother(parent)
    if (!above) return
    this.made.set(parent, above)
    const item = await this.makeAnother(name)
    this.made.set(parent, before)
    const removed = await this.call(remove, above.above, { target: above.id })
    if (!item || !isSuccess(removed.answer)) return
    for (const operation of this.list(
      name,
      'create',
      'read',
      'list',
      'update',
      'replace',
      'delete',
      'delete-many',
    )) {
      const [id, { writes }] = operation
      const content = this.drawBody(name, writes?.slice(0, 1))
      const { answer } = await this.call(operation, item.above, { target: item.id, content })
      if (isSuccess(answer)) this.dropOperation(id, `it works below an item that is gone: ${answer.status}`)
      else if (answer.status !== usualMissing)
        operation[1].refuses = [{ unless: 'parents', status: answer.status }, ...(operation[1].refuses ?? [])]
    }
    this.note('types', name, 'parent')
  }

  /** The fate of what refers to a deleted item. */
  private async learnReferences(name: string): Promise<void> {
    const read = this.list(name, 'read')[0]
    for (const [key, field] of Object.entries(this.model.types[name]?.fields ?? {})) {
      const remove = field.refers === undefined ? undefined : this.list(field.refers, 'delete')[0]
      if (!read || !remove || field.refers === name) continue
      const before = this.made.get(field.refers!)!
      const referent = await this.makeAnother(field.refers!)
      if (!referent) continue
      this.made.set(field.refers!, referent)
      const item = await this.create(name, this.drawBody(name, [key]))
      this.made.set(field.refers!, before)
      if (!('id' in item)) continue
      const { answer } = await this.call(remove, referent.above, { target: referent.id })
      if (!isSuccess(answer)) {
        this.dropOperation(remove[0], `what refers to an item keeps it from being deleted: ${answer.status}`)
        continue
      }
      const { answer: after } = await this.call(read, item.above, { target: item.id })
      const shown = isSuccess(after)
        ? this.findItem(after.body, read[1], this.model.types[name]!.identity.field)
        : undefined
      if (!isSuccess(after)) field.whenGone = 'delete'
      else if (shown && (shown[key] ?? null) === null) field.whenGone = 'clear'
      else delete field.whenGone
      this.note('types', name, 'fields', key)
    }
  }

  private async learnClear(name: string, clear: NamedOperation): Promise<void> {
    const [id, operation] = clear
    const item = await this.makeAnother(name)
    if (!item) return this.dropOperation(id, 'no item to delete could be made')
    const { answer } = await this.call(clear, item.above)
    if (!isSuccess(answer))
      return this.dropOperation(id, `the collection could not be cleared: ${answer.status}`)
    operation.status = answer.status
    operation.answer = { is: 'none' }
    const items = answer.body === undefined ? undefined : this.findList(answer.body, operation)
    if (answer.body !== undefined && !items)
      return this.dropOperation(id, 'its answer is no list of what is gone')
    const shown = items?.find(
      (one) => isRecord(one) && one[this.model.types[name]!.identity.field] === item.id,
    )
    if (!items) return
    if (!shown) return this.dropOperation(id, 'its answer does not show what is gone')
    operation.answer.is = 'list'
    operation.answer.told = listTold(shown, item)
  }
}

/** Members that tell of an item that is gone. */
const listTold = (body: JsonValue, item: MadeItem): Record<string, AnswerMember> =>
  Object.fromEntries(
    listLeaves(body)
      .filter(([path]) => path.length > 0)
      .map(([path, value]): [string, AnswerMember] => [
        formatPointer(path),
        value === item.id
          ? { is: 'identity' }
          : typeof value === 'number' && value > 1e8
            ? { is: 'anything' }
            : { is: 'constant', value },
      ]),
  )

const hasWord = (text: string, word: string) => text.split(/[^A-Za-z0-9_]+/).includes(word)

/** Leaves of an answer outside of the item or the list. */
function listBeside(body: JsonValue | undefined, at: readonly string[]): [string[], JsonValue][] {
  if (!isRecord(body) || at.length === 0) return []
  return listLeaves(body).filter(([path]) => path.length > 0 && !at.every((key, n) => path[n] === key))
}
