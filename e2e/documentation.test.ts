/**
 * Runs the commands of the documentation, page by page, on a suite that `npx stateeval up` started. Names
 * and addresses in the pages stand for those of the suite (`substituted`). Blocks that need what no test
 * has, such as a cluster, say so in a comment above them and are not run.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { type Block, blocks, isShell } from '../scripts/snippets/blocks.ts'

jest.setTimeout(1_800_000)
const isLong = process.env['STATEEVAL_LONG'] === '1'
const root = join(import.meta.dirname, '..')
const isRun = (block: Block) =>
  (isShell(block) || block.language === 'python') &&
  block.notRun === null &&
  !block.page.startsWith('clients/')
// The examples of --help are checked by scripts/snippets only.
const ofHelp = 'docs/commands.md'
const pages = Map.groupBy(
  blocks().filter((block) => isRun(block) && block.page !== ofHelp),
  ({ page }) => page,
)

let scratch = ''
/** An endpoint that answers every question with the same program, and takes webhooks. */
let endpoint: Server
const port = (server: Server) => (server.address() as AddressInfo).port
let ids: Record<
  | 'benchmark'
  | 'reference'
  | 'mutant'
  | 'stopped'
  | 'asked'
  | 'disposable'
  | 'case'
  | 'key'
  | 'secret'
  | 'webhook',
  string
>
let urls: Record<string, string> = {}

interface Ran {
  code: number | null
  out: string
  err: string
}
/** `npx` without its search; a gate that fails is a result, too. */
const shim = `#!/usr/bin/env bash
shift_name=$1; shift
[ "$shift_name" = node ] && exec "${process.execPath}" "$@"
[ "$shift_name" = stateeval ] || exit 127
if [[ " $* " == *" --answers answers.jsonl "* && ! -e answers.jsonl ]]; then
  jq -c '{case, answer: "RESULT = {}"}' prompts.jsonl > answers.jsonl
fi
"${process.execPath}" "${join(root, 'apps/cli/src/main.ts')}" "$@"
status=$?
[[ $status = 1 && " $* " == *" --gate "* ]] && exit 0
exit $status
`
async function bash(script: string, cwd: string, input = ''): Promise<Ran> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    env: {
      ...env,
      PATH: `${join(scratch, 'bin')}:${process.env['PATH']}`,
      STATEEVAL_HOME: join(scratch, 'home'),
    },
  })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  )
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}
const command = async (line: string, cwd = scratch) => {
  const ran = await bash(`npx stateeval ${line} --json`, cwd)
  if (ran.code !== 0) throw new Error(`stateeval ${line}: ${ran.err}`)
  return JSON.parse(ran.out) as Record<string, unknown>
}

/** An evaluation that used up its budget, although some of its requests were on their way already. */
async function stoppedEvaluation(benchmark: string): Promise<string> {
  await bash(
    `npx stateeval evaluate --benchmark ${benchmark} --model other --samples 20 --budget-tokens 1 || true`,
    scratch,
  )
  const all = (await command('list evaluations')) as unknown as { id: string; status: string }[]
  return all.find(({ status }) => status === 'cancelled')!.id
}

async function up(): Promise<void> {
  const { parts } = (await command('up --timeout 300')) as { parts: { name: string; url: string }[] }
  urls = Object.fromEntries(parts.map(({ name, url }) => [name, url]))
}

if (isLong) {
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'stateeval-documentation-'))
    await mkdir(join(scratch, 'bin'))
    await writeFile(join(scratch, 'bin/npx'), shim, { mode: 0o755 })
    endpoint = createServer((request, response) => {
      request.resume()
      const message = { role: 'assistant', content: '```javascript\nRESULT = {}\n```' }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices, usage: { prompt_tokens: 10, completion_tokens: 5 } }))
    })
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
    await up()
    const built = await command(
      'build --scenario session-service --programs 12 --keep 6 --length 3 --out benchmark',
    )
    for (const name of ['mine', 'other', 'qwen', 'first', 'second', 'judge', 'NAME'])
      await command(`model ${name} --base-url http://127.0.0.1:${port(endpoint)}/v1 --model-id scripted`)
    const evaluated = async (model: string) =>
      (await command(`evaluate --benchmark ${String(built['id'])} --model ${model}`))['evaluation'] as string
    const [first] = (await readFile(join(scratch, 'benchmark/cases.jsonl'), 'utf8')).split('\n')
    const key = async (name: string) => command(`keys create --name ${name} --scope admin`)
    const webhook = await command(`webhooks create --url http://127.0.0.1:${port(endpoint)}/hooks`)
    ids = {
      benchmark: built['id'] as string,
      reference: await evaluated('reference'),
      mutant: await evaluated('mutant'),
      case: (JSON.parse(first!) as { id: string }).id,
      stopped: await stoppedEvaluation(String(built['id'])),
      asked: await evaluated('other'),
      disposable: await evaluated('reference --fresh'),
      key: (await key('revoked'))['id'] as string,
      secret: (await key('used'))['key'] as string,
      webhook: webhook['id'] as string,
    }
  })
  afterAll(async () => {
    if (scratch) await bash('npx stateeval down --purge', scratch)
    endpoint?.close()
    await rm(scratch, { recursive: true, force: true })
  })
}

/** The names and addresses of a page, as those of the suite. */
function substituted(block: string): string {
  const model = `127.0.0.1:${port(endpoint)}`
  const url = (name: string) => urls[name]!.replace('http://', '')
  const services = ['evaluation', 'trace-generation', 'translation', 'execution', 'scoring']
  let script = block
  services.forEach((name, at) => {
    for (const host of ['127.0.0.1', 'localhost'])
      script = script.replaceAll(`${host}:${7400 + at}`, url(name))
  })
  const names: [string | RegExp, string][] = [
    [/https:\/\/(?:api\.example\.com|models\.example)(?=\/v1)/g, `http://${model}`],
    [/_HOSTS=\S+/g, `_HOSTS=${model}`],
    ['http://127.0.0.1:8000', `http://${model}`],
    ['https://hooks.example.com', `http://${model}`],
    ['https://stateeval.example.com', urls['evaluation']!],
    ['EVALUATION EVALUATION', `${ids.reference} ${ids.mutant}`],
    // Pages that follow need the evaluations, and the suite ends with --purge.
    [/(?<=stateeval delete )ev_\w+/g, ids.disposable],
    ['down --purge', 'down'],
    [/(?<=stateeval recording {1,4})(?:EVALUATION|ev_…)/g, ids.asked],
    [/(?<=stateeval resume {1,4})EVALUATION/g, ids.stopped],
    [/\bev_(?:…|0123456789abcdef)/g, ids.reference],
    [/\bev_fedcba9876543210/g, ids.mutant],
    [/\bEVALUATION\b/g, ids.reference],
    [/\bbm_(?:…|0123456789abcdef)/g, ids.benchmark],
    [/\b(?:BENCHMARK|ID)\b/g, ids.benchmark],
    [/\bCASE\b/g, ids.case],
    ['wh_mkf4j2q10a7c1f2b', ids.webhook],
    ['mkf4j2q10a7c1f2b', ids.key],
    ['stateeval_…', ids.secret],
    [/=…/g, '=placeholder'],
  ]
  for (const [name, value] of names) script = script.replaceAll(name, value)
  return script
}

/** What a page's commands find in their folder: the checkout, and files that a reader has. */
async function folderFor(page: string): Promise<string> {
  const folder = join(scratch, page.replaceAll('/', '-'))
  await mkdir(folder)
  for (const name of await readdir(root))
    if (!name.startsWith('.') && !name.startsWith('isolate'))
      await symlink(join(root, name), join(folder, name))
  await symlink(join(scratch, 'benchmark'), join(folder, 'benchmark'))
  if (page !== 'README.md') await symlink(join(scratch, 'benchmark'), join(folder, 'my-benchmark'))
  const model = { baseUrl: `http://127.0.0.1:${port(endpoint)}/v1`, model: 'scripted' }
  const files: Record<string, string> = {
    'program.py': 'RESULT = {}\n',
    'program.js': 'RESULT = {}\n',
    'input.json': '{"variables": {}, "world": {"items": []}}',
    'model.json': JSON.stringify(model),
    'mine.json': JSON.stringify(model),
    'key.pem': '',
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

test('pages have commands to run', () => {
  expect(pages.size).toBeGreaterThan(15)
})

const each = isLong ? test.each([...pages.keys()]) : test.skip.each([...pages.keys()])
each('%s: its commands run', async (page) => {
  await up()
  const folder = await folderFor(page)
  const failed: unknown[] = []
  for (const block of pages.get(page)!) {
    // A reader types all blocks of a page in one shell: what one exports, the next ones have.
    const script = substituted(block.text)
    const typed = `if [ -e .exported ]; then . ./.exported; fi\n${script}\nexport -p > .exported`
    const { code, out, err } =
      block.language === 'python'
        ? await bash(`STATEEVAL_URL=${urls['evaluation']} python3 -`, folder, script)
        : await bash(typed, folder)
    if (/stateeval down/.test(script)) await up()
    if (code !== 0)
      failed.push({ line: block.line, code, script, out: out.slice(-500), err: err.slice(-1500) })
  }
  expect(failed).toEqual([])
})
