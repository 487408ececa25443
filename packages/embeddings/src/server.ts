/** OpenAI's POST /v1/embeddings for a model on this machine. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TextEmbedder } from './embedder.ts'

export interface EmbeddingServer {
  /** The base URL that a model’s settings name. */
  baseUrl: string
  close(): Promise<void>
}

const maxBody = 4 * 2 ** 20
const maxTexts = 256

class BadRequest extends Error {}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBody) throw new BadRequest(`the body exceeds ${maxBody} bytes; send fewer texts`)
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    throw new BadRequest('the body is not JSON; send {"model": …, "input": …}')
  }
}

function listTexts(body: unknown): string[] {
  const { input } = (body ?? {}) as { input?: unknown }
  const texts: unknown[] = Array.isArray(input) ? input : [input]
  if (texts.length === 0 || texts.length > maxTexts || !texts.every((one) => typeof one === 'string'))
    throw new BadRequest(`input should be a string, or a list of 1 to ${maxTexts} strings`)
  return texts
}

const send = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** @param name the model's name in responses */
export async function startEmbeddingServer(
  embedder: TextEmbedder,
  { name, host = '127.0.0.1', port = 0 }: { name: string; host?: string; port?: number },
): Promise<EmbeddingServer> {
  async function answer(incoming: IncomingMessage, response: ServerResponse) {
    if (incoming.method !== 'POST' || incoming.url !== '/v1/embeddings')
      return send(response, 404, {
        error: { message: 'the only route is /v1/embeddings; use POST' },
      })
    const texts = listTexts(await readBody(incoming))
    const data: object[] = []
    let tokens = 0
    // One after the other: the model has one thread.
    for (const [index, text] of texts.entries()) {
      const { vector, tokens: read } = await embedder.embed(text)
      tokens += read
      data.push({ object: 'embedding', index, embedding: vector })
    }
    return send(response, 200, {
      object: 'list',
      model: name,
      data,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    })
  }
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      const isBad = error instanceof BadRequest
      const message = error instanceof Error ? error.message : String(error)
      if (!response.headersSent) send(response, isBad ? 400 : 500, { error: { message } })
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    baseUrl: `http://${host}:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
