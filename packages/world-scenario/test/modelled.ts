/** Runs emitted programs on the world of a model, as the sandbox runs them. */
import { runInNewContext } from 'node:vm'
import type { ExecutionInput, JsonObject, JsonValue, Program, WorldState } from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import { completeLimits, type OpenWorld, type SandboxWorld } from '@stateeval/sandbox'
import { sendRaw } from '@stateeval/sandbox-suites/world-laws'

/** RESULT of the program's JavaScript, and what it left in the world. */
export async function runOnModelledWorld(
  world: SandboxWorld,
  program: Program,
  input: ExecutionInput,
): Promise<{ result: JsonValue; world: WorldState }> {
  const open = await world.open(input.world as JsonValue, completeLimits(), program.id)
  try {
    const code = `(async () => { let RESULT; ${emit(program, 'javascript')}\n return JSON.stringify(RESULT) })()`
    const require = () => createClient(open)
    const globals = { BASE_URL: 'http://world', require, ...structuredClone(input.variables) }
    const text = (await runInNewContext(code, globals)) as string
    const observation = await open.observe()
    if (observation.faults.length > 0) throw new Error(observation.faults.join('; '))
    return { result: JSON.parse(text) as JsonValue, world: observation.world }
  } finally {
    await open.close()
  }
}

type RequestConfig = { params?: JsonObject; data?: JsonValue }

/** The part of axios that programs use. */
function createClient(open: OpenWorld) {
  const send = async (method: string, url: string, body: JsonValue | undefined, params: JsonObject = {}) => {
    const query = new URLSearchParams(
      Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString()
    const answer = await sendRaw(open, {
      method,
      path: new URL(url).pathname + (query === '' ? '' : `?${query}`),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const status = Number(answer.slice(9, 12))
    if (status >= 400) throw new Error(`${method} ${url} answers ${status}`)
    const text = Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1').toString('utf8')
    return { data: text === '' ? '' : (JSON.parse(text) as JsonValue) }
  }
  const withoutBody =
    (method: string) =>
    (url: string, { params, data }: RequestConfig = {}) =>
      send(method, url, data, params)
  const withBody =
    (method: string) =>
    (url: string, body?: JsonValue, { params }: RequestConfig = {}) =>
      send(method, url, body, params)
  return {
    get: withoutBody('GET'),
    delete: withoutBody('DELETE'),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
  }
}
