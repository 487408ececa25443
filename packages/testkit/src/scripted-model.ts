/**
 * A scripted OpenAI-compatible server: a rule over the request determines its answer or its misbehaviour.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type PlayedDialect, playChunks, playWhole, rejectionOf } from './played-dialects.ts'

export interface ScriptedRequest {
  /** Empty for a raw completion. */
  messages: { role: string; content: string }[]
  /** The prompt of a raw completion. */
  prompt?: string
  model: string
  /** Everything else in the body. */
  parameters: Record<string, unknown>
  authorization: string | undefined
  headers: IncomingHttpHeaders
  /** Of the URL, as it came. */
  query: string
  /** How many requests came before this one. */
  count: number
}
interface ScriptedAnswer {
  /** Of an embedding: its numbers as JSON. */
  say: string
  /** No sooner than after this time. */
  afterMs?: number
  toolCalls?: { name: string; arguments: string }[]
  finish?: string
  /** null: none is reported. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null
}
/**
 * The reaction to a request: an answer, an error status, no answer, invalid JSON, a closed connection, or
 * an incomplete answer.
 */
export type Script =
  | ScriptedAnswer
  | { status: number; headers?: Record<string, string>; message?: string; code?: string }
  /** An error with this body, as it stands. */
  | { status: number; headers?: Record<string, string>; body: string; type?: string }
  | { hang: true }
  | { garbage: string; type?: string }
  | { close: true }
  | { truncated: string }

export interface ScriptedModel {
  baseUrl: string
  requests: ScriptedRequest[]
  /** The most requests that were open at the same time. */
  readonly peak: number
  close(): Promise<void>
}

export async function startScriptedModel(
  rule: (request: ScriptedRequest) => Script | Promise<Script>,
  dialect: PlayedDialect = {},
): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = []
  let open = 0
  let peak = 0
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    const [path = '', query = ''] = (incoming.url ?? '').split('?')
    if (incoming.method === 'GET' && path.endsWith('/models') && dialect.listed)
      return json(response, 200, { object: 'list', data: [{ id: 'listed', ...dialect.listed[0] }] })
    const kind = /\/(chat\/completions|completions|embeddings)$/.exec(path)?.[1]
    if (incoming.method !== 'POST' || kind === undefined)
      return json(response, 404, {
        error: { message: 'only POST …/chat/completions, …/completions and …/embeddings are supported' },
      })
    const {
      messages = [],
      prompt,
      input,
      model,
      ...parameters
    } = JSON.parse(Buffer.concat(parts).toString('utf8')) as Partial<ScriptedRequest> & { input?: string }
    const request: ScriptedRequest = {
      messages: input === undefined ? messages : [{ role: 'user', content: input }],
      ...(prompt !== undefined && { prompt }),
      model: model ?? '',
      parameters,
      authorization: incoming.headers.authorization,
      headers: incoming.headers,
      query,
      count: requests.length,
    }
    requests.push(request)
    const rejection = rejectionOf(dialect, { ...parameters, messages })
    if (rejection) return json(response, rejection.status, rejection.body)
    const script = await rule(request)
    if ('hang' in script) return
    if ('close' in script) return incoming.socket.destroy()
    if ('garbage' in script)
      return response
        .writeHead(200, { 'content-type': script.type ?? 'application/json' })
        .end(script.garbage)
    if ('body' in script)
      return response
        .writeHead(script.status, { 'content-type': script.type ?? 'application/json', ...script.headers })
        .end(script.body)
    if ('status' in script)
      return json(
        response,
        script.status,
        { error: { message: script.message ?? 'scripted', code: script.code ?? null } },
        script.headers,
      )
    const chat = kind === 'chat/completions'
    const stream = request.parameters['stream'] === true
    if ('truncated' in script)
      return breakOff(response, chunkOf(chat, { say: script.truncated }, model, null), stream)
    if (script.afterMs) await atLeast(script.afterMs)
    if (kind === 'embeddings')
      return json(response, 200, {
        data: [{ index: 0, embedding: JSON.parse(script.say) as number[] }],
        ...totals(script.usage),
      })
    if (!stream) return json(response, 200, playWhole(dialect, wholeOf(chat, script, request)))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const line of playChunks(dialect, chunksOf(chat, script, model))) response.write(line)
    response.end('data: [DONE]\n\n')
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

const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

const usual = { prompt_tokens: 10, completion_tokens: 5 }
const totals = (usage: ScriptedAnswer['usage']) =>
  usage === null ? {} : { usage: { ...(usage ?? usual), total_tokens: 0 } }
const callsOf = ({ toolCalls }: ScriptedAnswer) =>
  toolCalls && {
    tool_calls: toolCalls.map(({ name, arguments: text }, index) => ({
      index,
      id: `call_${index}`,
      type: 'function',
      function: { name, arguments: text },
    })),
  }

function wholeOf(chat: boolean, script: ScriptedAnswer, { model, count }: ScriptedRequest) {
  const finish = script.finish ?? 'stop'
  const choice = chat
    ? {
        index: 0,
        message: { role: 'assistant', content: script.say, ...callsOf(script) },
        finish_reason: finish,
      }
    : { index: 0, text: script.say, finish_reason: finish }
  const object = chat ? 'chat.completion' : 'text_completion'
  return { id: `scripted-${count}`, object, created: 0, model, choices: [choice], ...totals(script.usage) }
}

const chunkOf = (
  chat: boolean,
  script: ScriptedAnswer,
  model: string | undefined,
  finish: string | null,
) => ({
  id: 'scripted',
  object: chat ? 'chat.completion.chunk' : 'text_completion',
  created: 0,
  model,
  choices: [
    chat
      ? { index: 0, delta: { content: script.say, ...callsOf(script) }, finish_reason: finish }
      : { index: 0, text: script.say, finish_reason: finish },
  ],
})
/** In two halves, then the reason to stop, then the usage. */
function* chunksOf(chat: boolean, script: ScriptedAnswer, model: string | undefined) {
  const half = Math.ceil(script.say.length / 2)
  const { toolCalls: _, ...text } = script
  yield chunkOf(chat, { ...script, say: script.say.slice(0, half) }, model, null)
  yield chunkOf(chat, { ...text, say: script.say.slice(half) }, model, null)
  yield chunkOf(chat, { say: '' }, model, script.finish ?? 'stop')
  yield { id: 'scripted', object: 'chunk', created: 0, model, choices: [], ...totals(script.usage) }
}

/** A timer counts from when the event loop last looked at the clock: on a busy one it fires too early. */
async function atLeast(ms: number): Promise<void> {
  const due = performance.now() + ms
  for (let left = ms; left > 0; left = due - performance.now())
    await new Promise((resolve) => setTimeout(resolve, left))
}

/**
 * Half an answer: a stream that ends without a reason to stop, or a body that is shorter than it was said to
 * be.
 */
function breakOff(response: ServerResponse, chunk: unknown, stream: boolean): void {
  if (stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${JSON.stringify(chunk)}\n\n`)
    return
  }
  const text = JSON.stringify(chunk)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length + 100) })
  response.write(text)
  setTimeout(() => response.destroy(), 5)
}
