/**
 * Hostile programs in the real worlds of sessions, functions and tensors: each ends as it must, never as our
 * failure, and the next program is right. PyTorch takes seconds to start: Python’s are run for tensors in a
 * long run only.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ExecutionInput, Language, Observation } from '@stateeval/contracts'
import { createElevenLabsWorld } from '@stateeval/scenario-elevenlabs-mcp/backend'
import { createSessionWorld } from '@stateeval/scenario-session-service/backend'
import { createTensorWorld } from '@stateeval/scenario-tensor-operation/backend'
import { isLong, namespace, type Servers, startServers } from '@stateeval/testkit'
import { completeLimits, createLocalSandbox, type LocalSandbox, type SandboxWorld } from '@stateeval/sandbox'
import { type AttackProgram, isMet, withTime, worldAttacks } from '@stateeval/attacks'
import { comparable } from './comparable.ts'
import { hasGvisor } from './gvisor.ts'
import { thinned } from './thinned.ts'

type SuiteLevel = 'warm-jail' | 'process-jail' | 'gvisor'
const levels: readonly SuiteLevel[] = [
  'warm-jail',
  'process-jail',
  ...(hasGvisor ? (['gvisor'] as const) : []),
]

interface Suite {
  world: (servers: Servers) => SandboxWorld
  /** One in so many attacks is met in a default run. */
  oneIn: number
  attacks: readonly AttackProgram[]
  /** Ordinary programs that use what attacks change. */
  victims: Partial<Record<Language, string>>
  input: ExecutionInput
  languages: readonly Language[]
}
const tensor = { $tensor: { dtype: 'float32', shape: [2, 2], data: 'AACAPwAAAEAAAEBAAACAQA==' } }
const suites: Record<string, Suite> = {
  tensors: {
    world: () => createTensorWorld(),
    oneIn: 6,
    attacks: worldAttacks['tensor-operation'],
    input: { variables: { a: tensor, b: tensor }, world: {} },
    languages: isLong ? ['javascript', 'python'] : ['javascript'],
    victims: {
      javascript: `const torch = require('torch'); const product = torch.matmul(a, b); RESULT = { product, sum: product.sum().item(), list: torch.cat([a, b], 1).tolist(), shape: a.shape, relu: torch.nn.functional.relu(a.sub(2)), names: Object.keys(torch).length, leak: [torch.leak, globalThis.leak, {}.data, {}.polluted].map((mark) => mark ?? null) }`,
      python: `import torch\nproduct = torch.matmul(a, b)\nRESULT = {"product": product, "sum": product.sum().item(), "list": torch.cat([a, b], 1).tolist(), "random": torch.rand(2).tolist(), "dtype": torch.get_default_dtype(), "threads": torch.get_num_threads(), "leak": hasattr(torch, "leak")}`,
    },
  },
  sessions: {
    world: ({ mongoUri }) => createSessionWorld({ mongodb: mongoUri, prefix: namespace(), poolSize: 1 }),
    oneIn: 3,
    attacks: worldAttacks['session-service'],
    input: {
      variables: {},
      world: { items: [{ source: 'web', type: 'settings', data: { theme: 'dark' } }] },
    },
    languages: ['javascript', 'python'],
    victims: {
      javascript: `const axios = require('axios'); const all = \`\${BASE_URL}/api/sessions/web/settings\`; const { id } = (await axios.post(all, { theme: 'light' })).data; await axios.put(all + '/' + id, { theme: 'blue' }); RESULT = { all: (await axios.get(all)).data.map(({ data }) => data), found: (await axios.get(all + '/query', { params: { field: 'theme', value: 'blue' } })).data.length, polluted: {}.polluted ?? null }`,
      python: `import requests\nall = f"{BASE_URL}/api/sessions/web/settings"\nid = requests.post(all, json={"theme": "light"}).json()["id"]\nrequests.put(f"{all}/{id}", json={"theme": "blue"})\nRESULT = {"all": [item["data"] for item in requests.get(all).json()]}`,
    },
  },
  voices: {
    world: () => createElevenLabsWorld(),
    oneIn: 6,
    attacks: worldAttacks['elevenlabs-mcp'],
    input: {
      variables: {},
      world: { voices: [{ voice_name: 'Emma', category: 'narration', gender: 'female' }] },
    },
    languages: ['javascript', 'python'],
    victims: {
      javascript: `const speech = await text_to_speech({ text: 'hello', voice_name: 'Emma' }); const found = await search_voice_library({ search_gender: 'female' }); await make_outbound_call(speech); RESULT = { found, said: await speech_to_text(speech), wrong: await text_to_speech({ text: 7 }).catch(({ name }) => name), leak: [{}.polluted, {}.then].map((mark) => mark ?? null) }`,
      python: `speech = text_to_speech("hello", voice_name="Emma")\nfound = search_voice_library(search_gender="female")\nmake_outbound_call(speech)\ntry:\n    wrong = text_to_speech(7)\nexcept Exception as error:\n    wrong = type(error).__name__\nRESULT = {"found": found, "said": speech_to_text(speech), "wrong": wrong}`,
    },
  },
}

/** A share of each language and world, unless there is time; one where each starts a process. */
const chosenAt = (level: SuiteLevel, name: string, language: Language) =>
  thinned(
    suites[name]!.attacks.filter((attack) => attack.language === language),
    isLong ? 1 : level === 'warm-jail' ? suites[name]!.oneIn : 100,
    () => name,
  )

let sandbox: LocalSandbox
let servers: Servers
let worlds: Record<string, SandboxWorld>
const signal = new AbortController().signal
beforeAll(async () => {
  servers = await startServers()
  worlds = Object.fromEntries(Object.entries(suites).map(([name, { world }]) => [name, world(servers)]))
  sandbox = await createLocalSandbox({})
})
afterAll(async () => {
  await sandbox.close()
  await Promise.all(Object.values(worlds).map((world) => world.close()))
  await servers.stop()
})

test('are enough', () => {
  const all = Object.values(suites).flatMap(({ attacks }) => attacks)
  expect(all.length).toBeGreaterThanOrEqual(60)
  for (const { attacks } of Object.values(suites))
    expect(new Set(attacks.map(({ name, language }) => `${language} ${name}`)).size).toBe(attacks.length)
})

describe.each(Object.keys(suites))('%s', (name) => {
  const { input, victims, languages } = suites[name]!
  describe.each(levels)('at %s', (level) => {
    describe.each(languages)('in %s', (language) => {
      let alone: Observation | undefined
      const run = async (code: string, limits: AttackProgram['limits']) => {
        const world = worlds[name]!
        const request = {
          language,
          code,
          // Ids come from the seed: the same in each.
          inputs: [{ ...structuredClone(input), seed: '0'.repeat(32) }],
          world,
          limits: completeLimits(limits),
          level,
        }
        return (await sandbox.run(request, signal))[0]!
      }
      const victim = () => run(victims[language]!, { wallMs: 60_000 })
      const has = () => sandbox.languages.includes(language) && !(language in sandbox.missing(worlds[name]!))
      beforeAll(async () => {
        if (has()) alone = await victim()
      })

      test.each(chosenAt(level, name, language).map((attack) => [attack.name, attack] as const))(
        '%s',
        async (_, { code, limits, expected }) => {
          if (!alone) return console.log(`not run: this machine has no ${language} for ${name}`)
          expect(alone.ending.status).toBe('completed')
          let { ending } = await run(code, limits)
          const more = withTime({ expected, limits }, ending)
          if (more) ({ ending } = await run(code, more))
          expect(isMet(ending, expected) || { ending, expected }).toBe(true)
          expect(comparable(await victim(), '')).toEqual(comparable(alone, ''))
        },
      )
    })
  })
})
