/** A local suite with what the pages' commands name: a benchmark, evaluations, models, a project, keys. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@stateeval/client'
import { evaluationOperations, type EvaluationRequest, executionOperations } from '@stateeval/contracts'
import { type ScriptedModel, startScriptedModel, until } from '@stateeval/testkit'
import { answerTo, vectorsModel } from './endpoint.ts'
import { bash, type Ran } from './typing.ts'

const root = join(import.meta.dirname, '../..')

/** What stands in the suite for the names in the pages. */
interface Names {
  benchmark: string
  reference: string
  mutant: string
  /** An evaluation that stopped at its budget. */
  stopped: string
  /** One whose model was asked. */
  asked: string
  /** One that may be deleted. */
  disposable: string
  case: string
  key: string
  secret: string
  webhook: string
  execution: string
  episode: string
}
export interface DocumentedSuite {
  scratch: string
  bin: string
  names: Names
  /** Of an OpenAI-compatible endpoint, without http://. */
  model: string
  /** Of a place that takes webhooks, without http://. */
  hooks: string
  /** Of a database server, with mongodb://. */
  mongodb: string
  /** Of a service, without http://. */
  url: (part: string) => string
  environment: Record<string, string>
  /** Starts it again after a page has ended it. */
  up: () => Promise<void>
  command: (line: string) => Promise<Record<string, unknown>>
  stop: () => Promise<void>
}

/** `npx` without its search; a gate that fails is a result, too. */
const npx = `#!/usr/bin/env bash
name=$1; shift
[ "$name" = node ] && exec "${process.execPath}" "$@"
[ "$name" = stateeval ] || { echo "npx $name is not known here" >&2; exit 127; }
if [[ " $* " == *" --answers answers.jsonl "* && ! -e answers.jsonl ]]; then
  jq -c '{case, answer: "RESULT = {}"}' prompts.jsonl > answers.jsonl
fi
command=("${process.execPath}" "${join(root, 'apps/cli/bin/stateeval.js')}" "$@")
[[ $1 = serve ]] && exec "\${command[@]}"
# The machine may be busy with other tests.
[[ $1 = up ]] && command+=(--timeout 600)
said=$(mktemp)
for try in 1 2 3 4 5; do
  "\${command[@]}" 2> "$said"
  status=$?
  [[ $status != 0 ]] && grep -q 'try again in a moment' "$said" || break
  sleep 3
done
cat "$said" >&2
rm -f "$said"
[[ $status = 1 && " $* " == *" --gate "* ]] && exit 0
exit $status
`
/** An answer with an error fails its command. */
const curl = `#!/usr/bin/env bash
PATH=\${PATH#*:} exec /usr/bin/env curl --fail-with-body "$@"
`

const listening = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function startDocumentedSuite(): Promise<DocumentedSuite> {
  const scratch = await mkdtemp(join(tmpdir(), 'stateeval-documentation-'))
  const bin = join(scratch, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'npx'), npx, { mode: 0o755 })
  await writeFile(join(bin, 'curl'), curl, { mode: 0o755 })
  const environment = { STATEEVAL_HOME: join(scratch, 'home'), WANDB_MODE: 'offline', WANDB_SILENT: 'true' }
  const place = { folder: scratch, path: [bin], environment }
  const endpoint: ScriptedModel = await startScriptedModel(answerTo)
  const taker = createServer((request, response) => request.resume().once('end', () => response.end()))
  const hooks = await listening(taker)
  let urls: Record<string, string> = {}

  const run = (line: string): Promise<Ran> => bash(`npx stateeval ${line} --json`, place)
  async function command(line: string): Promise<Record<string, unknown>> {
    const ran = await run(line)
    if (ran.code !== 0) throw new Error(`stateeval ${line}: ${ran.err}`)
    return JSON.parse(ran.out) as Record<string, unknown>
  }
  async function up(): Promise<void> {
    const { parts } = (await command('up')) as { parts: { name: string; url: string }[] }
    urls = Object.fromEntries(parts.map(({ name, url }) => [name, url]))
  }
  /** The end of an evaluation that is begun here. */
  async function evaluated(request: EvaluationRequest): Promise<string> {
    const client = createClient(evaluationOperations, { baseUrl: urls['evaluation']! })
    const { id } = await client.createEvaluation({ body: request })
    const hasEnded = async () =>
      !['queued', 'running'].includes((await client.getEvaluation({ params: { id } })).status)
    await until(hasEnded, { withinMs: 600_000, everyMs: 500 })
    return id
  }

  async function namesOf(): Promise<Names> {
    const built = await command(
      'build --scenario session-service --programs 12 --keep 6 --length 3 --out benchmark',
    )
    const benchmark = String(built['id'])
    // Not by commands, which would take longer.
    const client = createClient(evaluationOperations, { baseUrl: urls['evaluation']! })
    const { baseUrl } = endpoint
    for (const name of [
      'mine',
      'other',
      'qwen',
      'first',
      'second',
      'judge',
      'writer',
      'coder',
      'NAME',
      'JUDGE',
    ])
      await client.putModel({ params: { name }, body: { baseUrl, model: 'scripted' } })
    const vectors = { baseUrl, model: vectorsModel, api: 'embeddings' } as const
    await client.putModel({ params: { name: 'VECTORS' }, body: vectors })
    await client.createProject({ body: { id: 'speech-team' } })
    const [first] = (await readFile(join(scratch, 'benchmark/cases.jsonl'), 'utf8')).split('\n')
    const key = async (name: string) => client.createKey({ body: { name, scopes: ['admin'] } })
    const execution = createClient(executionOperations, { baseUrl: urls['execution']! })
    const program = { language: 'javascript', world: 'session-service', code: 'RESULT = 1' } as const
    const inputs = [{ variables: {}, world: { items: [] } }]
    return {
      benchmark,
      case: (JSON.parse(first!) as { id: string }).id,
      reference: await evaluated({ benchmark, model: 'reference' }),
      mutant: await evaluated({ benchmark, model: 'mutant' }),
      // Although some of its requests may be on their way when the budget is spent.
      stopped: await evaluated({ benchmark, model: 'other', samples: 20, budget: { tokens: 1 } }),
      asked: await evaluated({ benchmark, model: 'other' }),
      disposable: await evaluated({ benchmark, model: 'reference', fresh: true }),
      key: (await key('revoked')).id,
      secret: (await key('used')).key,
      webhook: (await client.createWebhook({ body: { url: `http://${hooks}/stateeval` } })).id,
      execution: (await execution.createExecution({ query: { wait: 60 }, body: { ...program, inputs } })).id,
      episode: (await client.createEpisode({ body: { benchmark, seed: 1, mode: 'tools' } })).id,
    }
  }

  const stop = async () => {
    await bash('npx stateeval down --purge', place)
    await endpoint.close()
    taker.close()
    await rm(scratch, { recursive: true, force: true })
  }
  try {
    await up()
    const names = await namesOf()
    return {
      ...{ scratch, bin, names, hooks, environment, up, command, stop },
      model: endpoint.baseUrl.replace(/^http:\/\/|\/v1$/g, ''),
      mongodb: urls['embedded-servers']!.split(' ')[0]!,
      url: (part) => urls[part]!.replace('http://', ''),
    }
  } catch (error) {
    await stop()
    throw error
  }
}
