/**
 * The programs of the bench: what each way of running them gets is the same code, with what that way has to
 * put around it.
 */
import type { ExecutionRequest, Language } from '@stateeval/contracts'

type Kind = 'empty' | 'captured' | 'five calls' | 'voice' | 'tensor' | 'ten lines'
export interface BenchProgram {
  kind: Kind
  language: Language
  code: string
  world: string
  initial: unknown
  variables?: Record<string, unknown>
  /** What a process of its own gets in place of the world, before the code. */
  instead?: string
  /** Without a jail there is nothing to compare with: the reason. */
  alone?: string
}

const empty = { kind: 'empty', initial: {} } as const
const items = [
  { source: 'web', type: 'settings', data: { theme: 'dark' } },
  { source: 'web', type: 'settings', data: { theme: 'light' } },
]

const post = `await axios.post('https://app.asana.com/api/1.0/tasks', { data: { name: 'Buy milk', due_on: '2026-01-01' } }, { params: { opt_fields: 'name' }, headers: { Authorization: 'Bearer t' } })`
/** The peers' service is one for all of them: each program has a session of its own. */
const calls = `const url = \`\${BASE_URL}/api/sessions/web/settings\`
const theme = 'new ' + Math.random()
const before = (await axios.get(url)).data
const { id } = (await axios.post(url, { theme })).data
const found = (await axios.get(\`\${url}/query\`, { params: { field: 'theme', value: theme } })).data
await axios.put(\`\${url}/\${id}\`, { theme, size: 2 })
await axios.delete(\`\${url}/\${id}\`)
RESULT = { before: before.length, found: found.length }`

/** Python has nothing that captures: the program brings an adapter of its own, the same everywhere. */
const pythonCapture = `import json, requests
from requests.adapters import BaseAdapter
class Capture(BaseAdapter):
    def send(self, request, **_):
        self.seen = [request.method, request.url, dict(request.headers), request.body.decode()]
        response = requests.Response()
        response.status_code, response._content, response.request, response.url = 200, b"", request, request.url
        return response
    def close(self):
        pass
session, capture = requests.Session(), Capture()
session.mount("https://", capture)
session.post("https://app.asana.com/api/1.0/tasks", json={"data": {"name": "Buy milk"}}, params={"opt_fields": "name"}, headers={"Authorization": "Bearer t"})
RESULT = capture.seen[:2]`
const pythonCalls = `import requests, uuid
url = BASE_URL + "/api/sessions/web/settings"
theme = str(uuid.uuid4())
before = requests.get(url).json()
id = requests.post(url, json={"theme": theme}).json()["id"]
found = requests.get(url + "/query", params={"field": "theme", "value": theme}).json()
requests.put(url + "/" + id, json={"theme": theme, "size": 2})
requests.delete(url + "/" + id)
RESULT = {"before": len(before), "found": len(found)}`

/** Outside of a world, tools that answer at once in the same process. */
const voices = {
  world: 'elevenlabs-mcp',
  initial: { voices: [{ voice_name: 'Emma', category: 'narration', gender: 'female' }] },
}
const voice = `const speech = await text_to_speech({ text: 'hello', voice_name: 'Emma' })
RESULT = await speech_to_text(speech)`
const voiceTools =
  'const text_to_speech = async (speech) => speech, speech_to_text = async ({ text }) => text;'
const pythonVoice = `speech = text_to_speech("hello", voice_name="Emma")
RESULT = speech_to_text(speech)`
const pythonVoiceTools = `def text_to_speech(text, voice_name): return {"text": text}
def speech_to_text(speech): return speech["text"]`

const a = { $tensor: { dtype: 'float32', shape: [2, 2], data: 'AACAPwAAAEAAAEBAAACAQA==' } }
const tensors = { world: 'tensor-operation', initial: {}, variables: { a } }
const tensor = `const torch = require('torch')
const product = torch.matmul(a, a).add(1)
RESULT = { product, sum: product.sum().item() }`
const pythonTensor = `import torch
product = torch.matmul(a, a) + 1
RESULT = {"product": product, "sum": product.sum().item()}`
const pythonTensors = 'import torch\na = torch.tensor([[1.0, 2.0], [3.0, 4.0]])'

const axios = "const axios = require('axios')\n"
const sessions = { world: 'session-service', initial: { items } }
export const programs: readonly BenchProgram[] = [
  { ...empty, language: 'javascript', world: 'axios-capture', code: 'RESULT = 1' },
  {
    kind: 'captured',
    language: 'javascript',
    world: 'axios-capture',
    initial: {},
    code: `${axios}${post}\nRESULT = 1`,
  },
  { kind: 'five calls', language: 'javascript', ...sessions, code: `${axios}${calls}` },
  { kind: 'voice', language: 'javascript', ...voices, code: voice, instead: voiceTools },
  { kind: 'tensor', language: 'javascript', ...tensors, code: tensor, alone: 'Node has no torch' },
  { ...empty, language: 'python', world: 'none', code: 'RESULT = 1' },
  { kind: 'captured', language: 'python', world: 'none', initial: {}, code: pythonCapture },
  { kind: 'five calls', language: 'python', ...sessions, code: pythonCalls },
  { kind: 'voice', language: 'python', ...voices, code: pythonVoice, instead: pythonVoiceTools },
  { kind: 'tensor', language: 'python', ...tensors, code: pythonTensor, instead: pythonTensors },
]

const tenLines = `const axios = require('axios')
const url = \`\${BASE_URL}/api/sessions/web/settings\`
const before = (await axios.get(url)).data
const themes = before.map(({ data }) => data.theme)
const counts = new Map()
for (const theme of themes) counts.set(theme, (counts.get(theme) ?? 0) + 1)
const { id } = (await axios.post(url, { theme: 'new', seen: themes.length })).data
const after = (await axios.get(url)).data
console.log('added a', typeof id)
RESULT = { before: before.length, after: after.length, counts: [...counts] }`
const pythonTenLines = `import requests
from collections import Counter
url = f"{BASE_URL}/api/sessions/web/settings"
before = requests.get(url).json()
themes = [item["data"]["theme"] for item in before]
counts = Counter(themes)
id = requests.post(url, json={"theme": "new", "seen": len(themes)}).json()["id"]
after = requests.get(url).json()
print("added a", type(id).__name__)
RESULT = {"before": len(before), "after": len(after), "counts": dict(counts)}`
/** What somebody tries by hand: how long until the answer is there. */
export const byHand: readonly BenchProgram[] = [
  { kind: 'ten lines', language: 'javascript', ...sessions, code: tenLines },
  { kind: 'ten lines', language: 'python', ...sessions, code: pythonTenLines },
]

export const requestOf = ({
  language,
  code,
  world,
  initial,
  variables = {},
}: BenchProgram): ExecutionRequest => ({
  language,
  code,
  world,
  inputs: [{ variables, world: initial }],
})

/**
 * For one fresh process, without a jail: JavaScript as WAPIIBench runs it, with axios-mock-adapter before the
 * code.
 */
export function freshText({ kind, language, code, instead = '' }: BenchProgram, baseUrl: string): string {
  if (language === 'python') return `BASE_URL = ${JSON.stringify(baseUrl)}\n${instead}\n${code}\n`
  const mock = `{ const Mock = require('axios-mock-adapter'); const seen = []; new Mock(require('axios')).onAny().reply((config) => { seen.push(JSON.stringify(config)); return [200] }) }\n`
  return `const BASE_URL = ${JSON.stringify(baseUrl)}; let RESULT;\n${kind === 'captured' ? mock : instead}\n;(async () => {\n${code}\n})()`
}
