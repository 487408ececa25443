/** One run's world: its requests within their limits, and their effects on the items. */
import type { ExecutionLimits, JsonObject, LoggedRequest, ToolReply } from '@stateeval/contracts'
import type { WorldObservation } from '@stateeval/sandbox'
import {
  answerMessage,
  buildRequest,
  createModelledWorld,
  formatReply,
  getIdentity,
  type HttpMessage,
  type HttpReply,
  type ModelCall,
  type ModelItem,
  type ModelledWorld,
} from '@stateeval/world-model'
import { compareStates } from '../src/effect.ts'
import { type ScenarioPlan, unwrapBody } from '../src/plan.ts'
import { describeRemovedItems, observeWorld, type TrackedWorld } from '../src/world.ts'

const keptRequests = 200
const keptCharacters = 2048
/** Characters that requests of a run may store: each list of the items is read and written in one piece. */
const maxStored = 2 ** 20

const cut = (text: string | undefined) => (text ? text.slice(0, keptCharacters) : undefined)

export class ModelRun {
  readonly #plan: ScenarioPlan
  readonly #world: ModelledWorld
  readonly #maxRequests: number
  readonly #initial: readonly string[]
  readonly #created: string[] = []
  readonly #gone: TrackedWorld['gone'][number][] = []
  readonly #log: LoggedRequest[] = []
  readonly #faults: string[] = []
  #requests = 0
  #stored = 0

  /** Throws a RangeError where an initial call fails. */
  constructor(
    plan: ScenarioPlan,
    calls: readonly ModelCall[],
    { seed, limits }: { seed: string; limits: Pick<ExecutionLimits, 'requests'> },
  ) {
    this.#plan = plan
    this.#world = createModelledWorld(plan.model, seed, calls)
    this.#maxRequests = limits.requests
    this.#initial = this.#listIssued(this.#world.state.items)
  }

  #listIssued(items: readonly ModelItem[]): string[] {
    const ids = items.map((item) => getIdentity(this.#plan.model, item))
    return ids.filter((id): id is string => typeof id === 'string' && this.#world.issued.has(id))
  }

  /** Answers a request and notes its effect. A failure of ours is a fault of the run. */
  answer(message: HttpMessage): HttpReply {
    const reply = this.#admit(message)
    this.note(message, reply)
    return reply
  }

  #admit(message: HttpMessage): HttpReply {
    this.#requests++
    if (this.#requests > this.#maxRequests) return formatReply(429)
    if (this.#stored + message.text.length > maxStored) return formatReply(413)
    const before = this.#world.state
    try {
      const reply = answerMessage(this.#world, message)
      const after = this.#world.state
      if (after !== before) {
        this.#stored += message.text.length
        const { made, gone } = compareStates(before, after)
        this.#created.push(...this.#listIssued(made))
        this.#gone.push(...describeRemovedItems(this.#plan, before, gone))
      }
      return reply
    } catch (error) {
      this.#faults.push(String(error))
      return formatReply(500)
    }
  }

  /** Logs a request with its answer; the first ones are evidence enough. */
  note({ method, url, text }: HttpMessage, reply: HttpReply): void {
    if (this.#log.length >= keptRequests) return
    const [requestBody, responseBody] = [cut(text), cut(reply.text)]
    this.#log.push({
      method,
      path: url.slice(0, keptCharacters),
      status: reply.status,
      ...(requestBody !== undefined && { requestBody }),
      ...(responseBody !== undefined && { responseBody }),
    })
  }

  /** Calls an operation as a tool. */
  call(tool: string, args: JsonObject): ToolReply {
    const form = this.#plan.byId.get(tool)
    if (!form) return { content: `there is no tool ${JSON.stringify(tool.slice(0, 200))}`, error: true }
    const named = [...form.parents, ...form.place, form.operation.target, form.body?.argument]
    const missing = named.find((name) => name !== undefined && args[name] === undefined)
    if (missing !== undefined) return { content: `${tool} needs the argument ${missing}`, error: true }
    const request = buildRequest(this.#plan.model, { operation: tool, args: unwrapBody(form, args) })
    const { method, path, query, body } = request
    const asked = query ? `?${new URLSearchParams(query).toString()}` : ''
    const { status, text = '' } = this.answer({ method, url: path + asked, text: body?.text ?? '' })
    return { content: text, ...(status >= 400 && { error: true }) }
  }

  observe(): WorldObservation {
    const world = observeWorld(this.#plan, {
      state: this.#world.state,
      initial: this.#initial,
      created: this.#created,
      gone: this.#gone,
      unread: [],
    })
    return {
      world,
      log: [...this.#log],
      faults: [...this.#faults],
      ...(this.#requests > this.#maxRequests && { exceeded: 'requests' }),
    }
  }
}
