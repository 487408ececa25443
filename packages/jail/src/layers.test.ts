/**
 * Each layer alone: the same attack succeeds without it and is stopped by it, with no other layer involved.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { until } from '@stateeval/testkit/until'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAlone, runPlainly, toolPath, dropRootCommand } from './alone.ts'
import { describeLayers, layerNames, minimum, listMissingLayers, probeLayers } from './layers.ts'
import { listDescendants } from './process-tree.ts'
import { buildRlimits } from './rlimits.ts'
import { buildFilter, getArchitecture } from './seccomp/filter.ts'

const python = '/usr/bin/python3'
const root = process.getuid?.() === 0
const possible = new Map(probeLayers().map((layer) => [layer.layer, layer]))
const works = possible.get('user namespace')!.inForce && existsSync(python)
if (!works)
  console.warn(`Layers are not tested: ${possible.get('user namespace')!.detail || `there is no ${python}`}`)
const it = works ? test : test.skip
const itAsRoot = works && root ? test : test.skip
const py = (code: string) => [python, '-c', code]

let folder: string
let server: Server
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stateeval-layers-'))
  chmodSync(folder, 0o755)
  server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

describe('each layer alone', () => {
  it('network namespace: a port of the host is out of reach', () => {
    const { port } = server.address() as { port: number }
    const connect = py(`import socket; socket.create_connection(('127.0.0.1', ${port}), 2)`)
    expect(runAlone([], connect).ok).toBe(true)
    expect(runAlone(['--unshare-net'], connect).reason).toMatch(/refused/)
  })
  it('network namespace: nor are abstract sockets, which no file system hides', () => {
    const name = `stateeval-${process.pid}`
    const script = `import socket, subprocess, sys
s = socket.socket(socket.AF_UNIX); s.bind('\\0${name}'); s.listen()
flags = sys.argv[1:]
code = "import socket; socket.socket(socket.AF_UNIX).connect('\\\\0${name}')"
print(subprocess.run(['bwrap', '--ro-bind', '/', '/', *flags, '--', '${python}', '-c', code], capture_output=True, text=True).stderr[-200:])`
    expect(runPlainly([...py(script)]).output.trim()).toBe('')
    expect(runPlainly([...py(script), '--unshare-net']).output).toMatch(/refused/)
  })
  it('pid namespace: no process of the host can be signalled', () => {
    const kill = py(`import os; os.kill(${process.pid}, 0)`)
    // Of another user, but there.
    expect(runAlone([], kill).reason).toMatch(root ? /PermissionError/ : /^$/)
    expect(runAlone(['--unshare-pid'], kill).reason).toMatch(/ProcessLookupError/)
  })
  it('no processes in /proc: no process, nor where the files of a jail come from, can be seen', () => {
    const list = ['sh', '-c', 'ls /proc | grep -c "^[0-9]"; cat /proc/self/mountinfo']
    expect(Number.parseInt(runAlone(['--unshare-pid'], list).output)).toBeGreaterThan(3)
    const bind = ['--tmpfs', '/tmp', '--ro-bind', folder, '/tmp/inside']
    expect(runAlone(['--unshare-pid', ...bind, '--proc', '/proc'], list).output).toContain(folder)
    const hidden = runAlone(
      ['--unshare-pid', ...bind, '--tmpfs', '/proc', '--ro-bind', '/proc/cpuinfo', '/proc/cpuinfo'],
      list,
    )
    expect([hidden.output, hidden.reason]).toEqual(['0\n', expect.stringMatching(/No such file/)])
  })
  it('ipc namespace: shared memory of the host is not there', () => {
    const ipcmk = spawnSync('ipcmk', ['-M', '4096', '-p', '0666'], {
      encoding: 'utf8',
      env: { PATH: toolPath },
    })
    const id = /\d+/.exec(ipcmk.stdout)![0]
    try {
      const countCommand = ['sh', '-c', `ipcs -m | grep -c " ${id} "`]
      expect(runAlone([], countCommand).output.trim()).toBe('1')
      expect(runAlone(['--unshare-ipc'], countCommand).output.trim()).toBe('0')
    } finally {
      spawnSync('ipcrm', ['-m', id], { env: { PATH: toolPath } })
    }
  })
  it('uts namespace: the host’s name is not told', () => {
    const name = runAlone([], ['uname', '-n']).output.trim()
    expect(runAlone(['--unshare-uts', '--hostname', 'jail'], ['uname', '-n']).output.trim()).toBe('jail')
    expect(runAlone([], ['uname', '-n']).output.trim()).toBe(name)
  })
  it('cgroup namespace: where the service runs is not told', () => {
    const paths = runAlone(['--unshare-cgroup'], ['cat', '/proc/self/cgroup']).output.trim().split('\n')
    expect(paths.every((line) => line.endsWith(':/'))).toBe(true)
  })
  it('mount namespace: what is mounted inside is not outside', () => {
    expect(
      runAlone(
        ['--tmpfs', folder],
        ['sh', '-c', `echo x > ${folder}/inside && cat ${folder}/inside`],
      ).output.trim(),
    ).toBe('x')
    expect(existsSync(join(folder, 'inside'))).toBe(false)
  })
  it('read-only root: what belongs to the very user can’t be changed', () => {
    const file = join(folder, 'anyone’s')
    writeFileSync(file, '')
    chmodSync(file, 0o666)
    expect(runAlone(['--bind', folder, folder], ['sh', '-c', `echo x >> "${file}"`]).ok).toBe(true)
    expect(runAlone([], ['sh', '-c', `echo x >> "${file}"`]).reason).toMatch(/Read-only/)
  })
  itAsRoot('unprivileged user: a file of root can’t be read, though bubblewrap alone would let it', () => {
    const secret = join(folder, 'secret')
    writeFileSync(secret, 'secret', { mode: 0o600 })
    const mapped = spawnSync(
      'bwrap',
      ['--unshare-user', '--uid', '65534', '--ro-bind', '/', '/', 'cat', secret],
      {
        encoding: 'utf8',
        env: { PATH: toolPath },
      },
    )
    expect(mapped.stdout).toBe('secret')
    expect(runAlone([], ['cat', secret]).reason).toMatch(/Permission denied/)
  })
  itAsRoot('no new privileges: a program that takes root’s rights for itself gets none', () => {
    const tool = join(folder, 'id')
    copyFileSync('/usr/bin/id', tool)
    chmodSync(tool, 0o4755)
    const without = spawnSync('setpriv', ['--reuid=65534', '--clear-groups', tool, '-u'], {
      encoding: 'utf8',
      env: { PATH: toolPath },
    })
    expect(without.stdout.trim()).toBe('0')
    expect(runPlainly([tool, '-u']).output.trim()).toBe('65534')
  })
  it('no capabilities: root inside can mount nothing', () => {
    const mount = ['unshare', '--mount', 'true']
    const inside = ['--unshare-user', '--uid', '0', '--gid', '0']
    expect(runAlone([...inside, '--cap-add', 'ALL'], mount).ok).toBe(true)
    expect(runAlone([...inside, '--cap-drop', 'ALL'], mount).reason).toMatch(/not permitted/)
  })
  it('seccomp: no namespaces of one’s own', () => {
    expect(runAlone([], ['unshare', '--user', 'true']).ok).toBe(true)
    expect(runAlone([], ['unshare', '--user', 'true'], buildFilter(getArchitecture())).reason).toMatch(
      /not permitted/,
    )
  })

  describe('process limits', () => {
    const limited = (code: string, cpuSeconds?: number) =>
      runPlainly([...buildRlimits({ fileBytes: 4096, ...(cpuSeconds && { cpuSeconds }) }), ...py(code)])
    it.each([
      [
        'a file',
        'import signal, tempfile; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); f = tempfile.TemporaryFile(); f.write(b"a" * 10000); f.flush()',
        /File too large/,
      ],
      ['descriptors', 'x = [open("/dev/null") for _ in range(5000)]', /Too many open files/],
      [
        'locked memory',
        'import ctypes; c = ctypes.CDLL(None, use_errno=True); r = c.mlockall(3); assert r == 0, ctypes.get_errno()',
        /AssertionError: (12|1)/,
      ],
      ['priority', 'import os; os.nice(-5)', /not permitted|denied/],
    ])('%s', (_, code, error) => {
      expect(limited(code).reason).toMatch(error)
    })
    it('core files and CPU time', () => {
      expect(
        limited(
          'import resource as r; print(r.getrlimit(r.RLIMIT_CORE), r.getrlimit(r.RLIMIT_MSGQUEUE))',
        ).output.trim(),
      ).toBe('(0, 0) (0, 0)')
      expect(limited('while True: pass', 1)).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/SIGXCPU|SIGKILL/),
      })
    })
  })
})

describe('what is said of a jail', () => {
  const jails: ChildProcess[] = []
  afterAll(() => jails.forEach((jail) => jail.kill('SIGKILL')))
  /** The layers around a process that sleeps behind these words. */
  async function around(words: readonly string[]) {
    const jail = spawn(words[0]!, [...words.slice(1), 'sleep', '60'], {
      env: { PATH: toolPath },
      stdio: 'ignore',
      cwd: '/',
    })
    jails.push(jail)
    const sleeps = await until(() => {
      const pid = listDescendants(jail.pid!).at(-1)
      const name = spawnSync('cat', [`/proc/${pid}/comm`]).stdout.toString()
      return name === 'sleep\n' ? pid : undefined
    })
    return describeLayers(sleeps)
  }
  const inForce = (layers: Awaited<ReturnType<typeof around>>) =>
    layers.filter(({ inForce }) => inForce).map(({ layer }) => layer)
  const content = [
    '--ro-bind',
    '/usr',
    '/usr',
    '--symlink',
    'usr/lib',
    '/lib',
    '--symlink',
    'usr/lib64',
    '/lib64',
    '--symlink',
    'usr/bin',
    '/bin',
  ]

  it('all that a jail has', async () => {
    const layers = await around([
      ...buildRlimits({ fileBytes: 1024 }),
      ...dropRootCommand(),
      ...['bwrap', '--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', ...content],
      ...['--size', '1048576', '--tmpfs', '/tmp', '--remount-ro', '/', '--'],
    ])
    const all = layerNames.filter((name) => !['seccomp', 'control group'].includes(name))
    expect(layers.map(({ layer }) => layer).sort()).toEqual([...layerNames].sort())
    expect(inForce(layers).sort()).toEqual([...all].sort())
    expect(listMissingLayers(layers)).toMatchObject([{ layer: 'seccomp', inForce: false }])
    expect(layers.find(({ layer }) => layer === 'read-only root')!.detail).toBe(
      'writable, in memory and bounded: /tmp',
    )
  })
  it('a temporary folder without a bound is none of a read-only root', async () => {
    const layers = await around([
      ...dropRootCommand(),
      ...[
        'bwrap',
        '--unshare-all',
        '--die-with-parent',
        '--cap-drop',
        'ALL',
        ...content,
        '--dev',
        '/dev',
        '--remount-ro',
        '/',
        '--',
      ],
    ])
    expect(layers.find(({ layer }) => layer === 'read-only root')).toEqual({
      layer: 'read-only root',
      inForce: false,
      detail: 'writable without a bound: /dev (this machine supports it)',
    })
  })
  it('a plain process has none, and each missing layer of the minimum is named', async () => {
    const layers = await around(['env'])
    expect(inForce(layers)).toEqual(
      root ? [] : expect.not.arrayContaining(['user namespace', 'seccomp', 'read-only root']),
    )
    expect(listMissingLayers(layers).map(({ layer }) => layer)).toEqual(
      expect.arrayContaining(['user namespace', 'network namespace', 'seccomp', 'read-only root']),
    )
    expect(listMissingLayers([]).map(({ layer }) => layer)).toEqual(minimum)
  })
})
