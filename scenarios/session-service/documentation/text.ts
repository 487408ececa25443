/**
 * Documentation for the model under test: the session service's APIs, by API, so that the parts which a task
 * needs can be cut out. It says what the service does, no more and no less; the backend's tests check that.
 * Each client has a file for its own parts.
 */

/** Text about the library with which a language calls HTTP APIs. */
interface ClientText {
  /** The word after a fence. */
  fence: string
  use: string
  errors: string
  examples: Readonly<Record<SessionServiceApi, string>>
}

const writeServiceIntroduction = (client: ClientText) => `# Session Service

A REST service that stores sessions. A session has four fields:

| field | meaning |
| --- | --- |
| \`id\` | made by the service when the session is added; 24 hexadecimal digits |
| \`source\` | who the session belongs to: a text of at least 3 characters, case-sensitive |
| \`type\` | one of \`main_session\`, \`virtual_study\`, \`group\`, \`comparison_session\`, \`settings\`, \`custom_data\`, \`genomic_chart\`, \`custom_gene_list\` |
| \`data\` | any JSON object |

The service's address is in the global variable \`BASE_URL\` (without a trailing slash). ${client.use} Request and answer bodies are JSON.

A session is found only under its own source and type, which are part of every path. Path parts are URL-encoded where they hold special characters. Lists of sessions are in the order in which the sessions were added, oldest first; an update doesn't move a session.

Errors have the body \`{"timestamp", "status", "error", "path"}\`: 400 for an unknown type, a missing parameter or a malformed body, 404 for an id that doesn't exist under this source and type. ${client.errors}`

export const apis = {
  listSessions: {
    title: 'list the sessions of a source and type',
    request: `\`GET /api/sessions/{source}/{type}\``,
    says: `Answers 200 with a list of sessions, \`[{"id", "data", "source", "type"}, …]\`; an empty list where there are none.`,
  },
  addSession: {
    title: 'add a session',
    request: `\`POST /api/sessions/{source}/{type}\`, body: the session's \`data\``,
    says: `The body is the data itself, not the whole session. Answers 200 with the id only: \`{"id": "…"}\`. Where this source and type already have a session with equal data, nothing is added and the id of that session is answered.`,
  },
  querySessions: {
    title: 'find sessions by the value of a field',
    request: `\`GET /api/sessions/{source}/{type}/query?field={field}&value={value}\``,
    says: `| parameter | meaning |
| --- | --- |
| \`field\` | path of the field in the session. Fields of the data begin with \`data.\`: \`data.title\`, \`data.filters.stage\` |
| \`value\` | the text to look for. Values are compared as strings, exactly and case-sensitively: a number or boolean in the data never matches. A list matches where one of its elements equals the value |

Both are required. Answers 200 with the list of the matching sessions, in the form of listSessions; an empty list where none matches.`,
  },
  updateSession: {
    title: 'replace the data of a session',
    request: `\`PUT /api/sessions/{source}/{type}/{id}\`, body: the new \`data\``,
    says: `Replaces all of the data; id, source and type stay. Answers 200 with an empty body. 404 where the id doesn't exist under this source and type; 500 (and nothing changes) where another session of this source and type already has equal data.`,
  },
  deleteSession: {
    title: 'delete a session',
    request: `\`DELETE /api/sessions/{source}/{type}/{id}\``,
    says: `Answers 200 with an empty body. 404 where the id doesn't exist under this source and type.`,
  },
  getSession: {
    title: 'get a session by its id',
    request: `\`GET /api/sessions/{source}/{type}/{id}\``,
    says: `Answers 200 with the session, \`{"id", "data", "source", "type"}\`; 404 where the id doesn't exist under this source and type.`,
  },
  fetchSessions: {
    title: 'find sessions by a filter',
    request: `\`POST /api/sessions/{source}/{type}/query/fetch\`, body: the filter`,
    says: `A filter is an object of field paths and values or operators, as in MongoDB: \`$eq\`, \`$ne\`, \`$gt\`, \`$gte\`, \`$lt\`, \`$lte\`, \`$in\`, \`$nin\`, \`$exists\`, \`$regex\`, \`$and\`, \`$or\`, \`$nor\`, \`$not\`. Fields of the data begin with \`data.\`. Unlike in querySessions, values keep their JSON type. \`{}\` matches all. Answers 200 with the list of the matching sessions, in the form of listSessions.`,
  },
} as const

export type SessionServiceApi = keyof typeof apis
const writeApiSection = (api: SessionServiceApi) => {
  const { title, request, says } = apis[api]
  return `## ${api}: ${title}\n\n${request}\n\n${says}`
}
const all = Object.keys(apis) as SessionServiceApi[]

/** The paper's five APIs: what a model reads where a program calls no others. */
export const usual: readonly SessionServiceApi[] = [
  'listSessions',
  'addSession',
  'querySessions',
  'updateSession',
  'deleteSession',
]

export interface ApiDocumentation {
  /** The introduction and the parts of the APIs, each a section of markdown. */
  parts: { readonly introduction: string; readonly apis: Readonly<Record<SessionServiceApi, string>> }
  /** The introduction and these APIs' parts, in the order of the documentation. */
  of(names: readonly string[]): string
  /** Documentation of the usual APIs. */
  whole: string
}

export function writeServiceDocumentation(client: ClientText): ApiDocumentation {
  const part = (api: SessionServiceApi) =>
    `${writeApiSection(api)}\n\n\`\`\`${client.fence}\n${client.examples[api]}\n\`\`\``
  const introduction = writeServiceIntroduction(client)
  const of = (names: readonly string[]) =>
    [introduction, ...all.filter((api) => names.includes(api)).map(part)].join('\n\n') + '\n'
  const parts = {
    introduction,
    apis: Object.fromEntries(all.map((api) => [api, part(api)])) as Record<SessionServiceApi, string>,
  }
  return { parts, of, whole: of(usual) }
}
