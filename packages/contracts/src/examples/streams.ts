/** A held-out stream before and after its seed is revealed, and one of its tasks. */
import type { StreamReference, StreamRequest, StreamResource, StreamTask } from '../evaluation/index.ts'

const id = 'str_0mwrxttlp1d0b3fb3c1'
const self = `/v1/streams/${id}`

export const exampleStreamRequest: StreamRequest = {
  options: { scenario: 'session-service', length: { min: 3, max: 6 }, pathDepth: { max: 2 } },
  purpose: 'held-out',
}

export const sealedStream: StreamResource = {
  id,
  status: 'sealed',
  purpose: 'held-out',
  kind: 'stateeval',
  options: { scenario: 'session-service', length: { min: 3, max: 6 }, pathDepth: { max: 2 } },
  versions: { generator: '5', 'scenario session-service': '4' },
  blockSize: 64,
  commitment: '5fbf8ed5e1b5b0e2c5f6cf5f9e8a6c6fdc0b2a7c6f2f0d8b9f6e8a1c3d5e7f90',
  createdAt: '2026-11-24T10:12:30.114Z',
  links: { self, tasks: `${self}/tasks/{index}`, reveal: `${self}/reveal` },
}

export const revealedStream: StreamResource = {
  ...sealedStream,
  status: 'revealed',
  seed: '9f1c2b7a4d5e6f708192a3b4c5d6e7f8',
  salt: '00112233445566778899aabbccddeeff',
  revealedAt: '2026-12-24T10:12:30.114Z',
}

export const exampleStreamTask: StreamTask = {
  stream: id,
  index: 1000,
  block: 15,
  task: 'session-service-6c1d0e2f4a5b',
  digest: '0b2a7c6f2f0d8b9f6e8a1c3d5e7f905fbf8ed5e1b5b0e2c5f6cf5f9e8a6c6fdc',
  scenario: 'session-service',
  instruction: 'List the settings of web, and return how many there are as count.',
  variables: [{ name: 'user_variable_0', type: 'string' }],
}

export const exampleStreamReference: StreamReference = {
  stream: id,
  index: 1000,
  task: 'session-service-6c1d0e2f4a5b',
  instruction: 'List the settings of web, and return how many there are as count.',
  answer:
    "```javascript\nconst { data } = await axios.get(BASE_URL + '/api/sessions/web/settings')\nRESULT = { count: data.length }\n```",
}
