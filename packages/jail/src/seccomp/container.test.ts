/** The profile of the execution service's containers: as strict as possible, and a jail starts in it. */
import { describe, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { runAlone, toolPath, dropRootCommand } from '../alone.ts'
import { actions, encode, returnAction, load, offsets, matchAnyValue } from './bpf.ts'
import { jailPolicy, listRules } from './policy.ts'
import { syscalls } from './syscalls.ts'

interface Profile {
  defaultAction: string
  architectures: string[]
  syscalls: { names: string[]; action: string; errnoRet: number }[]
}
const profile = JSON.parse(
  readFileSync(new URL('../../../../deploy/seccomp/execution.json', import.meta.url), 'utf8'),
) as Profile
const denied = new Set(profile.syscalls.flatMap(({ names }) => names))
const refused = [...listRules(jailPolicy)].filter(([, rule]) => rule === 'EPERM').map(([name]) => name)

describe('the container’s profile', () => {
  test('denies by name, with EPERM, and kills what comes by a convention of 32 bits', () => {
    expect(profile.defaultAction).toBe('SCMP_ACT_ALLOW')
    expect(profile.syscalls.map(({ action, errnoRet }) => [action, errnoRet])).toEqual([
      ['SCMP_ACT_ERRNO', 1],
    ])
    expect(profile.architectures).toEqual(['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'])
  })

  test('denies what the jail’s filter refuses, but for what services and bubblewrap may need', () => {
    const needed = {
      bubblewrap: [
        'mount',
        'umount2',
        'pivot_root',
        'unshare',
        'chroot',
        'sethostname',
        'capset',
        'setuid',
        'setgid',
        'setgroups',
        'setresuid',
        'setresgid',
      ],
      'the container’s start': [
        'seccomp',
        'setreuid',
        'setregid',
        'setfsuid',
        'setfsgid',
        'setdomainname',
        'execveat',
        'memfd_create',
      ],
      // Files, queues and priorities of the container’s own, which nobody shares with it.
      harmless:
        `splice tee sync syncfs setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr shmget shmat shmctl shmdt msgget msgsnd
        msgrcv msgctl semget semop semtimedop semctl mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr setpriority
        sched_setscheduler sched_setparam sched_setattr ioprio_set inotify_init inotify_init1 inotify_add_watch inotify_rm_watch`.split(
          /\s+/,
        ),
    }
    expect(refused.filter((name) => !denied.has(name)).sort()).toEqual(Object.values(needed).flat().sort())
  })

  const works = process.arch === 'x64' && existsSync('/usr/bin/python3') && runAlone([], ['true']).ok
  ;(works ? test : test.skip)('a jail starts under it (x64 with bubblewrap and python3)', () => {
    const numbers = [...denied].flatMap((name) => syscalls.get(name)?.x64 ?? [])
    const filter = encode([
      load(offsets.nr),
      ...matchAnyValue(numbers, returnAction(actions.errno | 1), returnAction(actions.allow)),
    ])
    // No new privileges first: without them anybody may install a filter.
    const install = `
import ctypes, os, sys
code = bytes.fromhex('${Buffer.from(filter).toString('hex')}')
buffer = ctypes.create_string_buffer(code, len(code))
class Program(ctypes.Structure): _fields_ = [('len', ctypes.c_ushort), ('filter', ctypes.c_void_p)]
assert ctypes.CDLL(None, use_errno=True).prctl(22, 2, ctypes.byref(Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))), 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])`
    const jail = `bwrap --unshare-all --die-with-parent --new-session --as-pid-1 --cap-drop ALL --hostname jail --ro-bind /usr /usr --symlink usr/lib /lib
      --symlink usr/lib64 /lib64 --symlink usr/bin /bin --dev /dev --size 65536 --tmpfs /dev/shm --remount-ro /dev --size 65536 --tmpfs /tmp --remount-ro / --`
    const words = [
      ...dropRootCommand(),
      '/usr/bin/python3',
      '-c',
      install,
      ...jail.split(/\s+/),
      'sh',
      '-c',
      'echo started; mount -t tmpfs x /tmp',
    ]
    const end = spawnSync(words[0]!, words.slice(1), { env: { PATH: toolPath }, cwd: '/', encoding: 'utf8' })
    expect(end.stdout).toBe('started\n')
    expect(end.stderr).toMatch(/permission denied|must be superuser|not permitted/i)
  })
})
