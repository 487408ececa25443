/** Control groups: the files written for version 2, and real groups if this user may create them. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { patience } from '@stateeval/testkit/patience'
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCgroup, type ControlGroup, type CgroupLimits } from './cgroup.ts'
import { findOwnLocations } from './locations.ts'

const limits: CgroupLimits = { memoryMiB: 64, pids: 16 }
const python = '/usr/bin/python3'

describe('version 2, in a folder that stands for it', () => {
  const roots: string[] = []
  afterAll(() => roots.forEach((root) => rmSync(root, { recursive: true })))
  function container(files: Record<string, string> = {}) {
    const root = mkdtempSync(join(tmpdir(), 'stateeval-cgroup-'))
    roots.push(root)
    const top = join(root, 'sys/fs/cgroup')
    mkdirSync(top, { recursive: true })
    mkdirSync(join(root, 'proc/self'), { recursive: true })
    writeFileSync(join(root, 'proc/self/mountinfo'), '29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n')
    writeFileSync(join(root, 'proc/self/cgroup'), '0::/\n')
    const all = {
      'cgroup.controllers': 'cpu io memory pids\n',
      'cgroup.subtree_control': '',
      'cgroup.procs': '1\n7\n',
      ...files,
    }
    for (const [name, contents] of Object.entries(all)) writeFileSync(join(top, name), contents)
    return { root, top, text: (path: string) => readFileSync(join(top, path), 'utf8') }
  }

  test('limits on memory without swap, processes and cores', () => {
    const { root, top, text } = container()
    const group = openCgroup('runner 1/../x', { ...limits, cpuQuota: 1.5 }, root) as ControlGroup
    expect(text('cgroup.subtree_control')).toBe('+memory +pids +cpu')
    const [name, ...others] = readdirSync(top).filter((name) => name.startsWith('stateeval-'))
    expect(others).toEqual([])
    expect(name).toMatch(new RegExp(`^stateeval-${process.pid}-gone-\\d+-runner-1----x$`))
    const read = (file: string) => text(`${name}/${file}`)
    expect(read('memory.max')).toBe(String(64 * 1024 * 1024))
    expect(['memory.swap.max', 'memory.oom.group', 'pids.max', 'cpu.max'].map(read)).toEqual([
      '0',
      '1',
      '16',
      '150000 100000',
    ])
    expect(group.entering.at(-1)).toBe(join(top, name!, 'cgroup.procs'))
  })

  test('what is counted', () => {
    const { root, top } = container()
    const group = openCgroup('counted', limits, root) as ControlGroup
    const folder = join(
      top,
      readdirSync(top).find((name) => name.startsWith('stateeval-'))!,
    )
    const contents = {
      'cpu.stat': 'usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\n',
      'memory.current': '1000\n',
      'memory.peak': '5000\n',
      'memory.events': 'low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 1\n',
      'pids.events': 'max 5\n',
      'cgroup.procs': '',
    }
    for (const [file, text] of Object.entries(contents)) writeFileSync(join(folder, file), text)
    expect([
      group.cpuMs(),
      group.memory(),
      group.memoryPeak(),
      group.oomKills(),
      group.forksDenied(),
      group.pids(),
    ]).toEqual([1234.567, 1000, 5000, 2, 5, []])
    rmSync(join(folder, 'memory.peak'))
    writeFileSync(join(folder, 'memory.current'), '7000\n')
    group.memoryPeak()
    writeFileSync(join(folder, 'memory.current'), '10\n')
    expect(group.memoryPeak()).toBe(7000)
    group.kill()
    expect(readFileSync(join(folder, 'cgroup.kill'), 'utf8')).toBe('1')
    expect(readFileSync(join(folder, 'pids.max'), 'utf8')).toBe('0')
  })

  test('groups of processes that are no more are removed at the first use, others stay', () => {
    const { root, top } = container({ 'cgroup.subtree_control': 'cpu memory pids\n' })
    mkdirSync(join(root, 'proc/4242'))
    writeFileSync(
      join(root, 'proc/4242/stat'),
      `4242 (a) b) S ${Array.from({ length: 18 }, (_, index) => index).join(' ')} 999 0\n`,
    )
    for (const name of [
      'stateeval-4242-999-1-alive',
      'stateeval-4242-5-1-another',
      'stateeval-77-5-1-gone',
      'stateeval-host',
      'others',
    ])
      mkdirSync(join(top, name))
    openCgroup('x', limits, root)
    const left = readdirSync(top, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    const others = left.filter((name) => !name.startsWith(`stateeval-${process.pid}-`))
    expect(others.sort()).toEqual(['others', 'stateeval-4242-999-1-alive', 'stateeval-host'])
    expect(left.length).toBe(4)
  })

  test('what is missing is said', () => {
    const { root } = container({ 'cgroup.controllers': 'cpu io\n' })
    expect(openCgroup('x', limits, root)).toEqual({
      unavailable: 'no control groups are mounted for memory, pids, cpuacct',
    })
    const another = container({ 'cgroup.subtree_control': 'memory pids cpu' })
    rmSync(another.top, { recursive: true })
    mkdirSync(another.top)
    writeFileSync(join(another.top, 'cgroup.controllers'), 'memory pids')
    mkdirSync(join(another.top, 'cgroup.subtree_control'))
    expect(openCgroup('x', limits, another.root)).toMatchObject({
      unavailable: expect.stringContaining('control groups cannot be changed by this user'),
    })
  })
})

const real = openCgroup('tests', limits)
if ('unavailable' in real) console.warn(`Real control groups are not tested: ${real.unavailable}`)
else await real.close()
const it = 'unavailable' in real || !existsSync(python) ? test.skip : test

describe('real control groups', () => {
  const places = Object.values(findOwnLocations()).map(({ folder }) => folder)
  const left = () =>
    places.flatMap((place) =>
      readdirSync(place).filter((name) => name.startsWith(`stateeval-${process.pid}-`)),
    )
  afterAll(() => expect('unavailable' in real ? [] : left()).toEqual([]))
  async function inside<T>(
    code: string,
    use: (group: ControlGroup, run: () => ReturnType<typeof spawnSync>) => T | Promise<T>,
    more: Partial<CgroupLimits> = {},
  ) {
    const group = openCgroup('test', { ...limits, ...more }) as ControlGroup
    try {
      return await use(group, () =>
        spawnSync(group.entering[0]!, [...group.entering.slice(1), python, '-c', code], {
          encoding: 'utf8',
          timeout: patience(60_000),
        }),
      )
    } finally {
      expect(await group.close()).toBe(true)
    }
  }

  it('a memory bomb ends, and is told from a crash', () =>
    inside('x = b"a" * 200_000_000', (group, run) => {
      expect(run().signal).toBe('SIGKILL')
      expect(group.oomKills()).toBe(1)
      expect(group.memoryPeak()).toBe(64 * 1024 * 1024)
    }))

  it('files in memory count as memory', () =>
    inside(
      'import mmap\nfiles = [open("/dev/shm/stateeval-%d" % i, "w+b") for i in range(9)]\nimport os\n[os.unlink(f.name) for f in files]\n[f.write(b"a" * 10_000_000) for f in files]',
      (group, run) => {
        expect(run().signal).toBe('SIGKILL')
        expect(group.oomKills()).toBe(1)
      },
    ))

  it('a fork bomb gets no further than its limit, and ends with the group', () =>
    inside(
      'import os, time\nn = 0\ntry:\n  while True:\n    if os.fork() == 0: os.close(1), os.close(2), time.sleep(60)\n    n += 1\nexcept OSError as e: print(n, e.errno, flush=True)\nos._exit(0)',
      (group, run) => {
        expect(run().stdout).toBe('15 11\n')
        expect(group.pids().length).toBe(15)
        expect(group.forksDenied()).toBe(1)
      },
    ))

  it('CPU time counts what has ended, children too', () =>
    inside(
      // Ten times as much as starting Python takes: what else is in the group is little beside it.
      'import os, time\nenough = 10 * time.process_time()\nif os.fork() == 0:\n  while time.process_time() < enough: pass\n  os._exit(0)\nos.wait()\nprint(sum(os.times()[:4]))',
      (group, run) => {
        const usedMs = 1000 * Number(run().stdout)
        expect(group.cpuMs()).toBeGreaterThan(0.95 * usedMs)
        expect(group.cpuMs()).toBeLessThan(1.5 * usedMs)
      },
    ))

  it('half a core is half a core', () =>
    inside(
      'import time\nt = time.monotonic()\nwhile time.process_time() < 0.4: pass\nprint(time.monotonic() - t)',
      (_, run) => expect(Number(run().stdout)).toBeGreaterThan(0.6),
      { cpuQuota: 0.5 },
    ))

  it('a quota that can’t be had takes no other limit along', () =>
    inside('print(1)', (group, run) => expect([run().stdout, group.forksDenied()]).toEqual(['1\n', 0]), {
      cpuQuota: 1e12,
    }))

  it('a running process can be taken in, and is ended by kill', () =>
    inside('', async (group) => {
      const child = spawn('sleep', ['60'], { stdio: 'ignore' })
      const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)))
      await group.add(child.pid!)
      expect(group.pids()).toEqual([child.pid])
      group.kill()
      expect(await ended).toBe('SIGKILL')
    }))

  it('what a process left behind is swept by the next', () => {
    const script = `import { openCgroup } from ${JSON.stringify(new URL('cgroup.ts', import.meta.url).pathname)}; openCgroup('left', { memoryMiB: 64, pids: 16 }); process.kill(process.pid, 'SIGKILL')`
    const next = script.replace("'SIGKILL'", '0')
    const start = (code: string) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', code], { env: {}, encoding: 'utf8' })
    const named = (pid: number) =>
      places.flatMap((place) => readdirSync(place).filter((name) => name.startsWith(`stateeval-${pid}-`)))
    const { pid } = start(script)
    expect(named(pid).length).toBeGreaterThan(0)
    const after = start(next).pid
    expect(named(pid)).toEqual([])
    for (const place of places)
      for (const name of readdirSync(place))
        if (name.startsWith(`stateeval-${after}-`)) rmdirSync(join(place, name))
  })
})
