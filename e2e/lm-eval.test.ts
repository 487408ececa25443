/**
 * lm-evaluation-harness from PyPI asks a model about a benchmark of a running suite, which scores the
 * answers. With STATEEVAL_LONG, as the package is installed first.
 */
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Report } from '@stateeval/contracts'
import { type CommandLine, startCommandLine, startScriptedModel, stateeval } from '@stateeval/testkit'
import { longPythonTools } from '../scripts/python-tools.ts'

const tools = longPythonTools('harness')
if (!tools.ok) console.log(`skipped: lm-evaluation-harness: ${tools.reason}`)
const withHarness = tools.ok ? test : test.skip

let line: CommandLine
let folder = ''
beforeAll(async () => {
  if (!tools.ok) return
  line = await startCommandLine()
  folder = mkdtempSync(join(tmpdir(), 'stateeval-lm-eval-'))
})
afterAll(async () => {
  await line?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

/** The reference's answers, by the instructions of their cases. */
async function answersOf(benchmark: string): Promise<Map<string, string>> {
  const base = `${line.suite.urls['evaluation']!}/v1/benchmarks/${benchmark}`
  const { items } = (await (await fetch(`${base}/cases`)).json()) as {
    items: { id: string; instruction: string }[]
  }
  const pairs = await Promise.all(
    items.map(async ({ id, instruction }) => {
      const { answer } = (await (await fetch(`${base}/cases/${id}/reference`)).json()) as { answer: string }
      return [instruction.trim(), answer] as const
    }),
  )
  return new Map(pairs)
}

withHarness('the harness asks, the suite scores, and both have one pass rate', async () => {
  const sample = join(import.meta.dirname, '../benchmarks/stateeval/sample')
  await stateeval('evaluate', '--benchmark', sample, '--model', 'reference')
  const listed = await stateeval('list', 'benchmarks', '--json')
  const [{ id: benchmark }] = listed.value as [{ id: string }]
  const answers = [...(await answersOf(benchmark))]
  const endpoint = await startScriptedModel(({ messages }) => {
    const prompt = messages.map(({ content }) => content).join('\n')
    const at = answers.findIndex(([instruction]) => prompt.includes(instruction))
    expect(at).toBeGreaterThanOrEqual(0)
    return { say: at === 0 ? 'I do not know.' : answers[at]![1] }
  })
  const source = join(import.meta.dirname, '../clients/python/src')
  const out = join(folder, 'out')
  const args = [
    ...['run', '--model', 'local-chat-completions', '--apply_chat_template'],
    ...['--model_args', `base_url=${endpoint.baseUrl}/chat/completions,model=scripted,max_retries=1`],
    ...['--include_path', join(source, 'stateeval/lm_eval'), '--tasks', 'stateeval'],
    ...['--metadata', JSON.stringify({ benchmark, label: 'harness' })],
    ...['--output_path', out, '--log_samples'],
  ]
  if (!tools.ok) throw new Error(tools.reason)
  const { stdout, stderr } = await promisify(execFile)(tools.bin('lm_eval'), args, {
    cwd: folder,
    maxBuffer: 2 ** 26,
    env: {
      ...process.env,
      ...{ PYTHONPATH: source, PYTHONDONTWRITEBYTECODE: '1', STATEEVAL_URL: line.suite.urls['evaluation'] },
      ...{ OPENAI_API_KEY: 'none', HF_HUB_OFFLINE: '1', HF_HOME: folder },
    },
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`lm_eval failed: ${error.stdout}${error.stderr}`.slice(-4000))
  })
  await endpoint.close()
  const [file] = globSync(join(out, '**/results_*.json'))
  const { results } = JSON.parse(readFileSync(file!, 'utf8')) as {
    results: { stateeval: Record<string, number> }
  }
  const [evaluation] = /ev_\w+/.exec(`${stdout}${stderr}`) ?? []
  const response = await fetch(`${line.suite.urls['evaluation']!}/v1/evaluations/${evaluation}/report`)
  const { result } = (await response.json()) as Report
  expect(result.model).toBe('harness')
  expect(result.overall).toMatchObject({ passed: answers.length - 1, scored: answers.length })
  expect(results.stateeval['pass_rate,none']).toBe(result.overall.rate)
})
