/** A client with time in the test's hand, and scripted endpoints that are closed afterwards. */
import { afterEach } from '@jest/globals'
import type { Message, ModelSettings } from '@stateeval/contracts'
import type { PlayedDialect } from '../../testkit/src/played-dialects.ts'
import {
  type Script,
  type ScriptedModel,
  type ScriptedRequest,
  startScriptedModel,
} from '../../testkit/src/scripted-model.ts'
import {
  createModelClient,
  type ModelClientOptions,
  type ModelRequest,
  createNetworks,
} from '../src/index.ts'

const servers: ScriptedModel[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})
export async function serveBy(
  rule: (request: ScriptedRequest) => Script,
  dialect: PlayedDialect = {},
): Promise<ScriptedModel> {
  const server = await startScriptedModel(rule, dialect)
  servers.push(server)
  return server
}
/** One script a request; the last goes on. */
export const serve = (...scripts: Script[]) =>
  serveBy(({ count }) => scripts[Math.min(count, scripts.length - 1)] as Script)

export const secret = 'sk-very-secret'
export const clientWith = (pauses: number[] = [], options: Partial<ModelClientOptions> = {}) =>
  createModelClient({
    env: {
      STATEEVAL_KEY_T: secret,
      STATEEVAL_KEY_T_HOSTS: '127.0.0.1:*',
      STATEEVAL_KEY_MISSING_HOSTS: '127.0.0.1:*',
    },
    networks: createNetworks(['loopback']),
    retries: 2,
    backoffMs: 100,
    clock: () => 0,
    now: () => Date.UTC(2026, 0, 1),
    random: () => 1,
    pause: async (ms) => void pauses.push(ms),
    ...options,
  })
export const hi: Message[] = [{ role: 'user', content: 'hi' }]
export const ask = (
  { baseUrl }: { baseUrl: string },
  settings: Partial<ModelSettings> = {},
  { pauses = [], request = { messages: hi } }: { pauses?: number[]; request?: ModelRequest } = {},
) =>
  clientWith(pauses).ask(
    { name: 'm', settings: { baseUrl, model: 'x', ...settings } },
    request,
    new AbortController().signal,
  )
