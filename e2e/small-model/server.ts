/**
 * An OpenAI-compatible endpoint in front of node-llama-cpp, which has none: POST /v1/chat/completions, one
 * question at a time. Arguments: the folder of its modules, the GGUF file, a port (default: a free one).
 * Prints its base URL when it is ready. Where a question has tools, a grammar makes each reply a call of one.
 *
 *     --threads N threads that compute (default: 2) --answers FILE keeps greedy answers, which are always the
 *     same, so that an interrupted run continues where it was
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { callIn, type ChatMessage, grammarOf, promptsOf, type Tool } from './tools.ts'

/** What we use of node-llama-cpp. */
interface Library {
  getLlama(options: object): Promise<{
    loadModel(options: object): Promise<Model>
    createGrammarForJsonSchema(schema: object): Promise<unknown>
  }>
  LlamaChatSession: new (options: { contextSequence: unknown }) => Session
}
interface Model {
  createContext(options: object): Promise<{ getSequence(): unknown }>
  tokenize(text: string): unknown[]
}
interface Session {
  resetChatHistory(): void
  setChatHistory(history: object[]): void
  prompt(text: string, options: object): Promise<string>
}
interface Body {
  model: string
  messages: ChatMessage[]
  tools?: Tool[]
  max_tokens?: number
  temperature?: number
}
const contextSize = 8192
const usualTokens = 256

interface Answer {
  text: string
  prompt: number
  completion: number
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { threads: { type: 'string', default: '2' }, answers: { type: 'string' } },
})
const [modules = '', gguf = '', port = '0'] = positionals
const cache = new Map<string, Answer>()
if (values.answers !== undefined && existsSync(values.answers))
  for (const line of readFileSync(values.answers, 'utf8').split('\n')) {
    try {
      const { question, ...answer } = JSON.parse(line) as Answer & { question: string }
      cache.set(question, answer)
    } catch {
      // The last line is empty, or was cut off when a run ended.
    }
  }
const library = (await import(pathToFileURL(join(modules, 'node-llama-cpp/dist/index.js')).href)) as Library
const llama = await library.getLlama({
  build: 'never',
  gpu: false,
  maxThreads: Number(values.threads),
  logLevel: 'error',
})
const model = await llama.loadModel({ modelPath: gguf })
const context = await model.createContext({ contextSize })
const session = new library.LlamaChatSession({ contextSequence: context.getSequence() })

/**
 * Answers a question, from those that are kept where it was asked before. Null where it does not fit into the
 * context.
 */
async function complete(body: Body, signal: AbortSignal): Promise<Answer | null> {
  if (values.answers === undefined || (body.temperature ?? 0) !== 0) return computed(body, signal)
  const questionText = JSON.stringify([body.messages, body.max_tokens ?? usualTokens, body.tools])
  const question = createHash('sha256').update(questionText).digest('hex')
  const hit = cache.get(question)
  if (hit) return hit
  const answer = await computed(body, signal)
  if (answer === null || signal.aborted) return answer
  cache.set(question, answer)
  appendFileSync(values.answers, `${JSON.stringify({ question, ...answer })}\n`)
  return answer
}

async function computed(
  { messages: asked, tools, max_tokens: maxTokens = usualTokens, temperature = 0 }: Body,
  signal: AbortSignal,
): Promise<Answer | null> {
  const messages = promptsOf(asked, tools)
  const prompt = messages.reduce((sum, { content }) => sum + model.tokenize(content).length, 0)
  if (prompt + maxTokens > contextSize) return null
  session.resetChatHistory()
  session.setChatHistory(
    messages
      .slice(0, -1)
      .map(({ role, content }) =>
        role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content },
      ),
  )
  const text = await session.prompt(messages.at(-1)?.content ?? '', {
    maxTokens,
    temperature,
    signal,
    stopOnAbortSignal: true,
    ...(tools && { grammar: await llama.createGrammarForJsonSchema(grammarOf(tools)) }),
  })
  return { text, prompt, completion: model.tokenize(text).length }
}

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
let queue: Promise<unknown> = Promise.resolve()

const server = createServer((incoming, response) => {
  let text = ''
  incoming.on('data', (part: Buffer) => (text += part.toString()))
  incoming.on('end', () => {
    if (!incoming.url?.endsWith('/chat/completions'))
      return json(response, 404, { error: { message: 'only chat/completions is here' } })
    const body = JSON.parse(text) as Body
    // Who asked has left, such as after a timeout: the next in line is not kept waiting.
    const left = new AbortController()
    response.once('close', () => left.abort())
    queue = queue.then(async () => {
      if (left.signal.aborted) return
      const answer = await complete(body, left.signal).catch((error: unknown) => String(error))
      if (answer === null)
        return json(response, 400, { error: { message: `maximum context length is ${contextSize} tokens` } })
      if (typeof answer === 'string') return json(response, 500, { error: { message: answer } })
      const call = body.tools && callIn(answer.text, `call_${body.messages.length}`)
      const isCut = answer.completion >= (body.max_tokens ?? usualTokens)
      const message = call
        ? { role: 'assistant', content: null, tool_calls: [call] }
        : { role: 'assistant', content: answer.text }
      const finish = call ? 'tool_calls' : isCut || body.tools ? 'length' : 'stop'
      return json(response, 200, {
        id: 'local',
        object: 'chat.completion',
        created: 0,
        model: body.model,
        choices: [{ index: 0, message, finish_reason: finish }],
        usage: {
          prompt_tokens: answer.prompt,
          completion_tokens: answer.completion,
          total_tokens: answer.prompt + answer.completion,
        },
      })
    })
  })
})
server.listen(Number(port), '127.0.0.1', () =>
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`),
)
