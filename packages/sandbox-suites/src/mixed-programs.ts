/**
 * Programs of all kinds, in both languages and in all worlds: some wait, some compute, some time out or
 * throw. For laws about sets of them.
 */
import type { ExecutionInput, Language, ExecutionLimits } from '@stateeval/contracts'

export interface MixedProgram {
  name: string
  world: 'session-service' | 'axios-capture' | 'elevenlabs-mcp' | 'tensor-operation' | 'none'
  language: Language
  code: string
  inputs: ExecutionInput[]
  limits: Partial<ExecutionLimits>
}
type Kind = Omit<MixedProgram, 'inputs' | 'limits'> & {
  input: (n: number) => ExecutionInput
  limits?: Partial<ExecutionLimits>
}

const sessions = (n: number): ExecutionInput => ({
  variables: { n },
  world: { items: [{ source: 'web', type: 'settings', data: { theme: 'dark', n } }] },
})
const nothing = (n: number): ExecutionInput => ({ variables: { n }, world: {} })
const voices = (n: number): ExecutionInput => ({
  variables: { n },
  world: { voices: [{ voice_name: 'Emma', category: 'narration', gender: 'female' }] },
})
const tensor = { $tensor: { dtype: 'float32', shape: [2, 2], data: 'AACAPwAAAEAAAEBAAACAQA==' } }
const tensors = (n: number): ExecutionInput => ({ variables: { n, a: tensor }, world: {} })

const axios = "const axios = require('axios'); const url = `${BASE_URL}/api/sessions/web/settings`;"
const requests = 'import requests\nurl = f"{BASE_URL}/api/sessions/web/settings"\n'
/** Time goes by; nothing is computed. */
const brief = { wallMs: 500 }
/** Most of what the wall allows: computed in time on a quiet machine, whoever else computes. */
const tight = { wallMs: 2500, cpuSeconds: 10 }
const endless = { cpuSeconds: 1, wallMs: 60_000 }

const js = (
  world: MixedProgram['world'],
  input: Kind['input'],
  name: string,
  code: string,
  more: Partial<Kind> = {},
): Kind => ({
  ...{ world, input, name, code, language: 'javascript' as const },
  ...more,
})
const py = (...[world, input, name, code, more]: Parameters<typeof js>): Kind => ({
  ...js(world, input, name, code, more),
  language: 'python',
})

const kinds: readonly Kind[] = [
  js(
    'session-service',
    sessions,
    'adds and reads',
    `${axios} await axios.post(url, { n }); RESULT = (await axios.get(url)).data.map(({ data }) => data)`,
  ),
  py(
    'session-service',
    sessions,
    'adds and reads',
    `${requests}requests.post(url, json={"n": n})\nRESULT = [item["data"] for item in requests.get(url).json()]`,
  ),
  js(
    'session-service',
    sessions,
    'deletes',
    `${axios} for (const { id } of (await axios.get(url)).data) await axios.delete(\`\${url}/\${id}\`); RESULT = (await axios.get(url)).data`,
  ),
  py(
    'session-service',
    sessions,
    'waits',
    `import time\n${requests}time.sleep(0.3)\nRESULT = len(requests.get(url).json()) + n`,
  ),
  js(
    'session-service',
    sessions,
    'throws',
    `${axios}\nawait axios.post(url, { n })\nawait axios.get(BASE_URL + '/nowhere/' + n)`,
  ),
  py(
    'session-service',
    sessions,
    'throws',
    `${requests}requests.post(url, json={"n": n})\nrequests.get(BASE_URL + "/nowhere").raise_for_status()`,
  ),
  js(
    'session-service',
    sessions,
    'asks at once',
    `${axios} RESULT = (await Promise.all([1, 2, 3, 4].map(() => axios.get(url)))).map(({ data }) => data.length)`,
  ),
  js(
    'axios-capture',
    nothing,
    'is captured',
    `const axios = require('axios'); await axios.post('https://a.example/x', { n }, { params: { a: 1 } })`,
  ),
  js(
    'axios-capture',
    nothing,
    'throws',
    `const axios = require('axios');\nawait axios.get('https://a.example/' + n)\nnull.x`,
  ),
  js(
    'elevenlabs-mcp',
    voices,
    'calls',
    `const speech = await text_to_speech({ text: 'hello ' + n, voice_name: 'Emma' }); await make_outbound_call(speech); RESULT = await speech_to_text(speech)`,
  ),
  py(
    'elevenlabs-mcp',
    voices,
    'calls',
    `speech = text_to_speech(f"hello {n}", voice_name="Emma")\nmake_outbound_call(speech)\nRESULT = speech_to_text(speech)`,
  ),
  py('elevenlabs-mcp', voices, 'throws', `make_outbound_call(text_to_speech("x"))\n\ntext_to_speech(n)`),
  js(
    'elevenlabs-mcp',
    voices,
    'waits in between',
    `const speech = await text_to_speech({ text: 'x' }); await new Promise((go) => setTimeout(go, 250)); RESULT = await speech_to_text(speech)`,
  ),
  js(
    'tensor-operation',
    tensors,
    'multiplies',
    `const torch = require('torch'); const product = torch.matmul(a, a).add(n); RESULT = { product, sum: product.sum().item() }`,
  ),
  js('tensor-operation', tensors, 'throws', `torch.matmul(a, torch.zeros(3, n + 1))`),
  js(
    'none',
    nothing,
    'computes',
    `let x = n; for (let i = 0; i < 5e6; i++) x = (x * 1103515245 + 12345) % 2147483648; RESULT = x`,
  ),
  py(
    'none',
    nothing,
    'computes',
    `x = n\nfor i in range(300000):\n    x = (x * 1103515245 + 12345) % 2147483648\nRESULT = x`,
  ),
  js(
    'none',
    nothing,
    'computes for most of its time',
    `let x = n; for (let i = 0; i < 4e7; i++) x = (x * 1103515245 + 12345) % 2147483648; RESULT = x`,
    { limits: tight },
  ),
  py(
    'none',
    nothing,
    'computes for most of its time',
    `x = n\nfor i in range(2500000):\n    x = (x * 1103515245 + 12345) % 2147483648\nRESULT = x`,
    { limits: tight },
  ),
  js('none', nothing, 'is no result', `console.log('n is', n); RESULT = { a: NaN }`),
  py('none', nothing, 'is no result', `print("n is", n)\nRESULT = {"a": float("nan")}`),
  js('none', nothing, 'is no program', 'const = 1'),
  py('none', nothing, 'is no program', 'x ='),
  js('none', nothing, 'is too much', `RESULT = 'x'.repeat(3000)`, { limits: { resultKiB: 2 } }),
  py('none', nothing, 'exits', `import sys\nRESULT = n\nsys.exit(3)`),
  js('none', nothing, 'waits for ever', 'setInterval(() => {}, 50)', { limits: brief }),
  py('none', nothing, 'waits for ever', 'import time\ntime.sleep(60)', { limits: brief }),
  js('none', nothing, 'loops', `RESULT = 1; while (true);`, { limits: endless }),
  py('none', nothing, 'loops', `while True:\n    pass`, { limits: endless }),
  js('none', nothing, 'needs a process', `RESULT = [require('path').join('a', 'b'), n]`),
  py('none', nothing, 'fills memory', `x = []\nwhile True:\n    x.append("x" * 1000000)`, {
    limits: { memoryMiB: 64 },
  }),
]

/**
 * The first `count` of an endless list that goes through all kinds in turn, each time with another number.
 */
export const mixedPrograms = (count: number): MixedProgram[] =>
  Array.from({ length: count }, (_, n) => {
    const { input, limits = {}, ...kind } = kinds[n % kinds.length]!
    return {
      ...kind,
      name: `${kind.language} in ${kind.world}: ${kind.name} ${n}`,
      inputs: [input(n)],
      limits,
    }
  })
