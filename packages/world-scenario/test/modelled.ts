/** Runs emitted programs on a modelled world, whose requests and answers are those of a live one. */
import { runInNewContext } from 'node:vm'
import type { ExecutionInput, JsonObject, JsonValue, Program } from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import {
  buildRequest,
  compareAnswers,
  createModelledWorld,
  emptyState,
  type ModelCall,
  predictCall,
  ServerNames,
  type WorldModel,
} from '@stateeval/world-model'

/** RESULT of the program's JavaScript, and the values of the names in predictions of initial items. */
export async function runOnModelledWorld(model: WorldModel, program: Program, input: ExecutionInput) {
  const world = createModelledWorld(model, program.id)
  const names = new ServerNames()
  let state = emptyState
  for (const call of (input.world as { calls: ModelCall[] }).calls) {
    const predicted = predictCall(model, state, call)
    const args = names.resolve(call.args) as JsonObject
    const { body } = world.answer(buildRequest(model, { ...call, args }))
    if (predicted.ok) compareAnswers(predicted.answer, body, names)
    state = predicted.state
  }
  const send = (method: string, url: string, body: JsonValue | undefined, params: JsonObject = {}) => {
    const text = JSON.stringify(body)
    const query = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
    const { status, body: data } = world.answer({
      method,
      path: new URL(url).pathname,
      query,
      ...(body !== undefined && { body: { text, media: 'json' } }),
    })
    if (status >= 400) throw new Error(`${method} ${url} answers ${status}`)
    return Promise.resolve({ data: structuredClone(data) })
  }
  type Config = { params?: JsonObject; data?: JsonValue }
  const withoutBody =
    (method: string) =>
    (url: string, { params, data }: Config = {}) =>
      send(method, url, data, params)
  const withBody =
    (method: string) =>
    (url: string, body?: JsonValue, { params }: Config = {}) =>
      send(method, url, body, params)
  const axios = {
    get: withoutBody('GET'),
    delete: withoutBody('DELETE'),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
  }
  const code = `(async () => { let RESULT; ${emit(program, 'javascript')}\n return JSON.stringify(RESULT) })()`
  const globals = { BASE_URL: 'http://world', require: () => axios, ...structuredClone(input.variables) }
  const text = (await runInNewContext(code, globals)) as string
  return { result: JSON.parse(text) as JsonValue, names }
}
