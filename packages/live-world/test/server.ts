/** A small stateful API with habits that documents don't tell of, and its document. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

type Fields = Record<string, unknown>
interface ServerHabits {
  /** Lists show the newest first. */
  newestFirst?: boolean
  /** The fate of stories whose writer is gone; without it, they lose the writer. */
  orphans?: 'delete' | 'sweep'
}

const text = { type: 'string' }
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const writer = {
  type: 'object',
  required: ['name'],
  properties: { name: text, bio: text, rank: { type: 'integer' } },
}
const story = {
  type: 'object',
  required: ['title'],
  properties: { title: text, writer_id: { type: 'integer' } },
}
const shown = (schema: typeof writer | typeof story, more: Fields) => ({
  type: 'object',
  properties: { id: { type: 'integer' }, ...schema.properties, ...more },
})
const listed = (schema: unknown) => ({
  type: 'object',
  properties: { items: { type: 'array', items: schema }, total: { type: 'integer' } },
})
const shownWriter = shown(writer, { created_at: text, updated_at: text, kind: text })
const shownStory = shown(story, { slug: text })
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const writerId = { ...id, name: 'writer_id' }
const note = { type: 'object', properties: { id: { type: 'integer' }, text, owner: { type: 'integer' } } }

export const document = {
  openapi: '3.1.0',
  info: { title: 'Stories' },
  paths: {
    '/writers': {
      get: { responses: { 200: json(listed(shownWriter)) } },
      post: { requestBody: json(writer), responses: { 201: json(shownWriter) } },
    },
    '/writers/{id}': {
      parameters: [id],
      get: { responses: { 200: json(shownWriter) } },
      patch: { requestBody: json(writer), responses: { 200: json(shownWriter) } },
      delete: { responses: { 204: {} } },
    },
    '/writers/{writer_id}/notes': {
      parameters: [writerId],
      get: { responses: { 200: json({ type: 'array', items: note }) } },
      post: {
        requestBody: json({ type: 'object', required: ['text'], properties: { text } }),
        responses: { 201: json(note) },
      },
    },
    '/writers/{writer_id}/notes/{id}': {
      parameters: [writerId, id],
      get: { responses: { 200: json(note) } },
      put: { requestBody: json({ type: 'object', properties: { text } }), responses: { 200: json(note) } },
    },
    '/stories': {
      get: { responses: { 200: json(listed(shownStory)) } },
      post: { requestBody: json(story), responses: { 201: json(shownStory) } },
    },
    '/stories/{id}': {
      parameters: [id],
      get: { responses: { 200: json(shownStory) } },
      delete: { responses: { 200: json(shownStory) } },
    },
  },
}

/** Serves the API; `reset` is POST /reset. */
export async function startServer(
  habits: ServerHabits = {},
): Promise<Server & { url: string; habits: ServerHabits }> {
  const world = { writers: [] as Fields[], stories: [] as Fields[], notes: [] as Fields[], next: 1, ticks: 0 }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = parts.length > 0 ? (JSON.parse(Buffer.concat(parts).toString()) as Fields) : {}
      const [status, answer] = handle(request.method ?? '', (request.url ?? '').split('?')[0]!, body)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(answer === undefined ? '' : JSON.stringify(answer))
    })
  })
  const now = () => new Date(Date.UTC(2026, 0, 1) + world.ticks++ * 1000).toISOString()
  const list = (items: readonly Fields[]) => {
    const sorted = habits.newestFirst ? items.toReversed() : items
    return { items: sorted, total: items.length }
  }
  const find = (items: readonly Fields[], key: string | undefined) =>
    items.find((item) => String(item.id) === key)
  const sweep = () => {
    if (habits.orphans === 'sweep')
      world.stories = world.stories.filter(
        ({ writer_id: id }) => id === undefined || id === null || find(world.writers, String(id)),
      )
  }
  const gone: [number, unknown] = [404, { error: 'not found' }]
  const handle = (method: string, path: string, body: Fields): [number, unknown?] => {
    const [, group = '', key, part, inner] = path.split('/')
    const kind = `${method} ${group}${key === undefined ? '' : '/id'}${part === undefined ? '' : `/${part}`}${inner === undefined ? '' : '/id'}`
    const writer = find(world.writers, key)
    if (part !== undefined && !writer) return gone
    const notes = world.notes.filter(({ owner }) => owner === writer?.id)
    switch (kind) {
      case 'POST reset':
        Object.assign(world, { writers: [], stories: [], notes: [] })
        return [204]
      case 'GET writers':
        return [200, list(world.writers)]
      case 'POST writers': {
        if (typeof body.name !== 'string') return [422, { error: 'name is required' }]
        if (world.writers.some(({ name }) => name === body.name)) return [409, { error: 'name is taken' }]
        const at = now()
        const made = { rank: 1, ...body, id: world.next++, created_at: at, updated_at: at, kind: 'writer' }
        world.writers.push(made)
        return [201, made]
      }
      case 'GET writers/id':
        return writer ? [200, writer] : gone
      case 'PATCH writers/id':
        return writer ? [200, Object.assign(writer, body, { updated_at: now() })] : gone
      case 'DELETE writers/id':
        if (!writer) return gone
        world.writers = world.writers.filter((one) => one !== writer)
        world.notes = world.notes.filter(({ owner }) => owner !== writer.id)
        // Side effects that no document tells of.
        if (habits.orphans === 'delete')
          world.stories = world.stories.filter((one) => one.writer_id !== writer.id)
        else if (habits.orphans === undefined)
          for (const one of world.stories) if (one.writer_id === writer.id) one.writer_id = null
        sweep()
        return [204]
      case 'GET writers/id/notes':
        return [200, notes]
      case 'POST writers/id/notes': {
        const made = { id: world.next++, text: body.text, owner: writer!.id }
        world.notes.push(made)
        return [201, made]
      }
      case 'GET writers/id/notes/id':
        return find(notes, inner) ? [200, find(notes, inner)] : gone
      case 'PUT writers/id/notes/id':
        return find(notes, inner) ? [200, Object.assign(find(notes, inner)!, { text: body.text })] : gone
      case 'GET stories':
        return [200, list(world.stories)]
      case 'POST stories': {
        if (typeof body.title !== 'string') return [422, { error: 'title is required' }]
        if (body.id !== undefined && find(world.stories, String(body.id)))
          return [409, { error: 'id is taken' }]
        const made = { id: world.next++, ...body, slug: body.title }
        world.stories.push(made)
        return [201, made]
      }
      case 'GET stories/id':
        return find(world.stories, key) ? [200, find(world.stories, key)] : gone
      case 'DELETE stories/id': {
        const story = find(world.stories, key)
        if (!story) return gone
        world.stories = world.stories.filter((one) => one !== story)
        sweep()
        return [200, story]
      }
      default:
        return [405, { error: 'not allowed' }]
    }
  }
  // A replay may hold this process for longer than idle connections usually live.
  server.keepAliveTimeout = 0
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, habits })
}
