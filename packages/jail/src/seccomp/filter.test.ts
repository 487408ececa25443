/**
 * The filter against the policy: golden files, and every number through the test’s own interpreter of
 * classic BPF.
 */
import { describe, expect, test } from '@jest/globals'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { formatInstructions, encode, returnAction, matchAnyValue, splitAtValue } from './bpf.ts'
import { buildAddition, buildFilter } from './filter.ts'
import {
  childPolicy,
  forkerPolicy,
  forkingJailPolicy,
  jailPolicy,
  type SyscallPolicy,
  listRules,
  selfMark,
} from './policy.ts'
import { decideRule, errnos, type SyscallRule } from './rule.ts'
import { type CpuArchitecture, auditArch, syscalls, x32Bit } from './syscalls.ts'

const arches: CpuArchitecture[] = ['x64', 'arm64']
const policies: Record<string, SyscallPolicy> = {
  jail: jailPolicy,
  'forking-jail': forkingJailPolicy,
  forker: forkerPolicy,
  child: childPolicy,
  none: { ...jailPolicy, network: 'none' },
}
const combinations = arches.flatMap((arch) =>
  Object.entries(policies).map(([name, policy]) => ({ arch, name, policy })),
)

/**
 * What the kernel would answer, after its net/core/filter.c: 'allow', 'kill', or an errno. Throws on anything
 * it doesn’t know.
 */
function simulate(bytes: Uint8Array, call: { nr: number; arch: number; words: readonly number[] }): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const data = new DataView(new ArrayBuffer(64))
  data.setUint32(0, call.nr, true)
  data.setUint32(4, call.arch, true)
  call.words.forEach((word, index) => data.setUint32(16 + 8 * index, word, true))
  let accumulator = 0
  for (let pc = 0; pc < bytes.length / 8; pc++) {
    const at = pc * 8
    const [code, jt, jf, k] = [
      view.getUint16(at, true),
      view.getUint8(at + 2),
      view.getUint8(at + 3),
      view.getUint32(at + 4, true),
    ]
    if (code === 0x06) return k === 0x7fff0000 ? 'allow' : k === 0x80000000 ? 'kill' : `errno ${k & 0xffff}`
    if (code === 0x20) accumulator = data.getUint32(k, true)
    else if (code === 0x54) accumulator = (accumulator & k) >>> 0
    else if (code === 0x05) pc += k
    else if (code === 0x15) pc += accumulator === k ? jt : jf
    else if (code === 0x35) pc += accumulator >= k ? jt : jf
    else throw new Error(`The kernel takes no instruction ${code.toString(16)}`)
  }
  throw new Error('The program ends without a return')
}

/**
 * What is worth trying in one place: every constant that the rule compares that argument with, and its
 * neighbours.
 */
function wordsFor(rule: SyscallRule, argument: number): number[] {
  const near = constants(rule, argument).flatMap((value) => [
    value,
    value + 1,
    value - 1,
    value ^ 0x800,
    value | 0x80000000,
  ])
  return [...new Set([0, 1, 0xffffffff, ...near].map((value) => value >>> 0))]
}
function constants(rule: SyscallRule, argument: number): number[] {
  if (typeof rule === 'string') return []
  const ruleConstants =
    rule.argument === argument ? [rule.mask ?? 0, ...rule.cases.flatMap(({ values }) => values)] : []
  return [
    ...ruleConstants,
    ...rule.cases.flatMap(({ rule }) => constants(rule, argument)),
    ...constants(rule.otherwise, argument),
  ]
}

describe.each(combinations)('the filter for $arch, $name', ({ arch, name, policy }) => {
  const bytes = buildFilter(arch, policy)
  const named = new Map([...listRules(policy)].map(([call, rule]) => [syscalls.get(call)![arch], rule]))
  const verdictOf = (rule: SyscallRule, args: readonly number[]) => {
    const verdict = decideRule(rule, args)
    return verdict === 'allow' || verdict === 'kill' ? verdict : `errno ${errnos[verdict]}`
  }

  test('is the one in the golden file, bytes and meaning', () => {
    const hex = (index: number) => Buffer.from(bytes.subarray(index * 8, index * 8 + 8)).toString('hex')
    const text = formatInstructions(bytes)
      .map((line, index) => `${hex(index)}  ${line}\n`)
      .join('')
    const file = new URL(`golden/${name}-${arch}.txt`, import.meta.url)
    if (process.env['STATEEVAL_UPDATE_GOLDEN']) writeFileSync(file, text)
    expect(text).toBe(readFileSync(file, 'utf8'))
  })

  test('says of every number and of every argument that counts what the policy says', () => {
    for (let nr = 0; nr < 1024; nr++) {
      const rule = named.get(nr) ?? 'ENOSYS'
      const [first, second, third] = [0, 1, 2].map((argument) => wordsFor(rule, argument))
      for (const a of first!)
        for (const b of second!)
          for (const c of third!) {
            const args = [a, b, c, 0, 0, 0]
            const verdict = simulate(bytes, {
              nr,
              arch: auditArch[arch],
              words: args,
            })
            if (verdict !== verdictOf(rule, args))
              throw new Error(`number ${nr} (${args.join()}): ${verdict}`)
          }
    }
  })

  test('kills what comes by another convention, and knows no number beyond the table', () => {
    const at = (nr: number, arch: number) => simulate(bytes, { nr, arch, words: [] })
    for (const other of [0x40000003, 0x40000028, 0, 0xffffffff, auditArch[arch === 'x64' ? 'arm64' : 'x64']])
      expect(
        Array.from({ length: 512 }, (_, nr) => at(nr, other)).every((verdict) => verdict === 'kill'),
      ).toBe(true)
    const x32 = Array.from({ length: 1024 }, (_, nr) => at((x32Bit | nr) >>> 0, auditArch[arch]))
    expect(x32.every((verdict) => verdict === 'errno 38')).toBe(true)
    for (const nr of [0x7fffffff, 0x80000000, 0xffffffff, 4096, 65536])
      expect(at(nr, auditArch[arch])).toBe('errno 38')
  })
})

describe('what may never be allowed', () => {
  // Written down once more, apart from the policy: a slip there must not pass for a decision.
  const never =
    `ptrace process_vm_readv process_vm_writev bpf perf_event_open add_key request_key keyctl userfaultfd io_uring_setup
    io_uring_enter io_uring_register mount umount2 move_mount fsopen fsmount open_tree mount_setattr pivot_root chroot unshare setns
    kexec_load kexec_file_load init_module finit_module delete_module swapon swapoff reboot quotactl name_to_handle_at open_by_handle_at
    acct settimeofday clock_settime clock_adjtime iopl ioperm lookup_dcookie shmget msgget semget mq_open memfd_secret memfd_create
    pidfd_getfd kcmp fanotify_init modify_ldt vmsplice splice setxattr sync process_madvise`.split(/\s+/)
  test.each(combinations)('$arch, $name', ({ arch, policy }) => {
    const bytes = buildFilter(arch, policy)
    const verdicts = never.map((call) => {
      const nr = syscalls.get(call)![arch]
      return [call, nr === undefined ? 'errno 1' : simulate(bytes, { nr, arch: auditArch[arch], words: [] })]
    })
    expect(verdicts).toEqual(never.map((call) => [call, 'errno 1']))
    const unshare = (flags: number) =>
      simulate(bytes, { nr: syscalls.get('unshare')![arch]!, arch: auditArch[arch], words: [flags] })
    for (const flags of [0x10000000, 0x40000000, 0x50020000, 0x58000000, 0x50000001, 0x7e020000])
      expect(unshare(flags)).toBe('errno 1')
    expect(unshare(0x50000000)).toBe(policy.isolation === 'before' ? 'allow' : 'errno 1')
    const clone = (flags: number) =>
      simulate(bytes, {
        nr: syscalls.get('clone')![arch]!,
        arch: auditArch[arch],
        words: [flags],
      })
    for (const flag of [0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000])
      for (const others of [0, 17, 0x00010000, 0x01200011])
        expect(clone((flag | others) >>> 0)).toBe('errno 1')
    expect(clone(0x3d0f00)).toBe('allow') // pthread_create
    expect(clone(0x01200011)).toBe(policy.fork ? 'allow' : policy.refusal === 'kill' ? 'kill' : 'errno 1') // fork
  })
})

test.each(arches)(
  'what a child adds to the filter that it has already makes it the child’s own, %s',
  (arch) => {
    const [forker, child] = [forkerPolicy, childPolicy]
    const [whole, first, second] = [
      buildFilter(arch, child),
      buildFilter(arch, forker),
      buildAddition(arch, child, forker),
    ]
    const named = new Map([...listRules(child)].map(([call, rule]) => [syscalls.get(call)![arch], rule]))
    for (let nr = 0; nr < 1024; nr++) {
      const rule = named.get(nr) ?? 'ENOSYS'
      const [a, b, c] = [0, 1, 2].map((argument) => wordsFor(rule, argument))
      for (const words of a!.flatMap((a) => b!.flatMap((b) => c!.map((c) => [a, b, c])))) {
        const says = (bytes: Uint8Array) => simulate(bytes, { nr, arch: auditArch[arch], words })
        // Of several filters the strictest answer counts; of equal ones, the one that was installed last.
        const together = says(second) === 'allow' ? says(first) : says(second)
        if (together !== says(whole))
          throw new Error(`number ${nr} (${words.join()}): ${together}, not ${says(whole)}`)
      }
    }
    expect(second.length).toBeLessThan(whole.length / 3)
  },
)

test('a child’s filter names its process once, so that the pid can be written over the mark', () => {
  for (const arch of arches) {
    const bytes = Buffer.from(buildAddition(arch, childPolicy, forkerPolicy))
    const mark = Buffer.alloc(4)
    mark.writeUInt32LE(selfMark)
    const places = Array.from({ length: bytes.length - 3 }, (_, index) => index).filter((index) =>
      bytes.subarray(index, index + 4).equals(mark),
    )
    // On both kill and tgkill.
    expect(places.length).toBe(2)
    expect(places.every((place) => place % 8 === 4)).toBe(true)
  }
})

test('jumps that are too far for a byte are made in two steps', () => {
  const long = Array.from({ length: 300 }, () => returnAction(0x7fff0000)[0]!)
  const run = (program: Parameters<typeof encode>[0], nr: number) =>
    simulate(encode([{ code: 0x20, ifTrue: 0, ifFalse: 0, k: 0 }, ...program]), { nr, arch: 0, words: [] })
  expect([4, 5, 6].map((nr) => run(splitAtValue(5, long, returnAction(0x00050001)), nr))).toEqual([
    'allow',
    'errno 1',
    'errno 1',
  ])
  expect([4, 5, 6].map((nr) => run(matchAnyValue([4, 5], long, returnAction(0x00050001)), nr))).toEqual([
    'allow',
    'allow',
    'errno 1',
  ])
  expect(() => matchAnyValue([1], long, long)).toThrow('out of a jump’s reach')
  expect(() => encode(Array.from({ length: 4097 }, () => returnAction(0)[0]!))).toThrow('4096')
})

const headers = '/usr/include/x86_64-linux-gnu/asm/unistd_64.h'
;(existsSync(headers) ? test : test.skip)(
  'numbers are those of this machine’s kernel headers (skipped where there are none)',
  () => {
    const defined = [...readFileSync(headers, 'utf8').matchAll(/#define __NR_(\w+) (\d+)/g)].map(
      ([, name, number]) => [name!, Number(number)] as const,
    )
    const wrong = defined.filter(([name, number]) => syscalls.has(name) && syscalls.get(name)!.x64 !== number)
    expect(defined.length).toBeGreaterThan(300)
    expect(wrong).toEqual([])
  },
)
