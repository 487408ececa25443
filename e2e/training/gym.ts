/** NeMo Gym: its head server, an agent, a model server, and the resources server of the client for Python. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freePort } from '@stateeval/testkit'
import { binOf, environmentOf, inPython, type Tools } from './python.ts'

interface Setup {
  url: string
  folder: string
  benchmark: string
  /** The model that judges, where the benchmark asks one. */
  judge?: string
  agent: 'simple' | 'gymnasium'
  /** Base URL of an OpenAI-compatible endpoint. */
  model: string
}
interface Gym extends Setup {
  tools: Tools
  /** Where its head server is. */
  head: string
  stop(): Promise<void>
}

/** Writes the project and its dataset. */
const prepare = (tools: Tools, { url, folder, benchmark, judge, agent }: Setup, ...args: string[]) =>
  inPython(tools, url, folder, 'python', [
    ...['-m', 'stateeval.nemo_gym', benchmark, '--agent', agent],
    ...(judge === undefined ? [] : ['--judge', judge]),
    ...args,
  ])

/**
 * Starts all its servers. Each would install its packages into an environment of its own; here they share
 * the one that is there.
 */
export async function startGym(tools: Tools, setup: Setup): Promise<Gym> {
  const { url, folder, model } = setup
  const bin = binOf(tools)
  mkdirSync(folder, { recursive: true })
  await prepare(tools, setup)
  const agent = `responses_api_agents/${setup.agent}_agent`
  for (const server of [agent, 'responses_api_models/vllm_model', 'resources_servers/stateeval']) {
    mkdirSync(join(folder, 'environments', server), { recursive: true })
    symlinkSync(resolve(bin, '..'), join(folder, 'environments', server, '.venv'))
  }
  const head = `+head_server={host: 127.0.0.1, port: ${await freePort()}}`
  const args = [
    ...['env', 'start', '--resources-server', 'stateeval', '--model-type', 'vllm_model'],
    ...['--model', 'scripted', '--model-url', model, '--model-api-key', 'none', head],
    ...['+skip_venv_if_present=true', `+uv_venv_dir=${join(folder, 'environments')}`],
  ]
  const gym = spawn(join(bin, 'gym'), args, { cwd: folder, env: environmentOf(url, bin), detached: true })
  await isReady(gym)
  return { ...setup, tools, head, stop: () => stopped(gym) }
}

function isReady(gym: ChildProcess): Promise<void> {
  let text = ''
  return new Promise((done, fail) => {
    const take = (data: Buffer) => {
      text = (text + data.toString()).slice(-8000)
      if (text.includes('servers ready!')) done()
    }
    gym.stdout!.on('data', take)
    gym.stderr!.on('data', take)
    gym.once('error', fail)
    gym.once('close', (code) => fail(new Error(`gym env start ended with ${code}: ${text}`)))
  })
}

/** An interrupt ends its servers, too; what does not end is killed with its group. */
function stopped(gym: ChildProcess): Promise<void> {
  return new Promise((done) => {
    const kill = setTimeout(() => process.kill(-gym.pid!, 'SIGKILL'), 60_000)
    gym.once('close', () => {
      clearTimeout(kill)
      done()
    })
    gym.kill('SIGINT')
  })
}

interface Row {
  reward: number
  verdict?: string
  episode?: { case: string }
  info?: { case: string; verdict: string }
}
/** Collects a rollout of each case, in the benchmark's own mode by default; gives the rewards by case. */
export async function runGym(gym: Gym, mode?: 'program' | 'tools'): Promise<Record<string, number[]>> {
  const { tools, url, folder, head } = gym
  if (mode) await prepare(tools, gym, '--mode', mode)
  const [input, output] = ['resources_servers/stateeval/data/train.jsonl', `${mode ?? 'default'}.jsonl`]
  const args = ['eval', 'run', '--no-serve', '--input', input, '--output', output, head]
  await inPython(tools, url, folder, 'gym', args)
  const rewards: Record<string, number[]> = {}
  for (const line of readFileSync(join(folder, output), 'utf8').trim().split('\n')) {
    const { reward, verdict, episode, info } = JSON.parse(line) as Row
    if ((reward === 1) !== ((verdict ?? info?.verdict) === 'passed'))
      throw new Error(`The reward ${reward} does not fit the verdict: ${line.slice(0, 500)}`)
    ;(rewards[(episode ?? info)!.case] ??= []).push(reward)
  }
  return rewards
}
