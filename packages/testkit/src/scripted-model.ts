/** A scripted OpenAI-compatible server: what it answers, and how it misbehaves, is a rule over the request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ScriptedRequest {
  messages: { role: string; content: string }[]
  model: string
  /** Everything else in the body. */
  parameters: Record<string, unknown>
  authorization: string | undefined
  /** How many requests came before this one. */
  count: number
}
/** What to do with a request: say something, answer an error status, never answer, answer what is no JSON, hang up. */
export type Script =
  | { say: string; afterMs?: number }
  | { status: number; headers?: Record<string, string>; message?: string }
  | { hang: true }
  | { garbage: string }
  | { close: true }

export interface ScriptedModel {
  baseUrl: string
  requests: ScriptedRequest[]
  /** The most requests that were open at the same time. */
  readonly peak: number
  close(): Promise<void>
}

export async function startScriptedModel(rule: (request: ScriptedRequest) => Script): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = []
  let open = 0
  let peak = 0
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    if (incoming.method !== 'POST' || !incoming.url?.endsWith('/chat/completions'))
      return json(404, { error: { message: 'only POST …/chat/completions is here' } })
    const { messages, model, ...parameters } = JSON.parse(Buffer.concat(parts).toString('utf8')) as Pick<
      ScriptedRequest,
      'messages' | 'model'
    >
    const request = { messages, model, parameters, authorization: incoming.headers.authorization, count: requests.length }
    requests.push(request)
    const script = rule(request)
    if ('hang' in script) return
    if ('close' in script) return incoming.socket.destroy()
    if ('garbage' in script) return response.writeHead(200, { 'content-type': 'application/json' }).end(script.garbage)
    if ('status' in script) return json(script.status, { error: { message: script.message ?? 'scripted' } }, script.headers)
    if (script.afterMs) await new Promise((resolve) => setTimeout(resolve, script.afterMs))
    const message = { role: 'assistant', content: script.say }
    return json(200, {
      id: `scripted-${request.count}`,
      object: 'chat.completion',
      created: 0,
      model,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    })
  }
  const server = createServer((incoming, response) => {
    peak = Math.max(peak, ++open)
    response.once('close', () => open--)
    handle(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get peak() {
      return peak
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
