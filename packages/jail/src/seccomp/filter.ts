/** Compiles the policy into the program that the kernel runs at each system call of a jail. */
import {
  actions,
  type BpfBlock,
  encode,
  returnAction,
  load,
  maskWord,
  offsets,
  matchAnyValue,
  splitAtValue,
} from './bpf.ts'
import { type SyscallPolicy, jailPolicy, listRules } from './policy.ts'
import { errnos, type ErrnoName, type SyscallRule } from './rule.ts'
import { type CpuArchitecture, auditArch, syscalls, x32Bit } from './syscalls.ts'

/** The answer to a call that the policy doesn’t name. */
const unknown: ErrnoName = 'ENOSYS'

/** The architecture of this process. Throws if there is no table for it. */
export function getArchitecture(arch: string = process.arch): CpuArchitecture {
  if (arch === 'x64' || arch === 'arm64') return arch
  throw new Error(`No system call table for ${arch}: the filter is made for x64 and arm64`)
}

/**
 * The filter as bytes for bubblewrap’s --seccomp or prctl(PR_SET_SECCOMP). A call by another convention
 * (32-bit on x64) kills the process: its numbers mean other calls. x32 calls are unknown, as is every number
 * that no rule names.
 */
export function buildFilter(arch: CpuArchitecture, policy: SyscallPolicy = jailPolicy): Uint8Array {
  return buildProgram(arch, listRules(policy), unknown)
}

/**
 * The additional filter that turns a process under `installed` into one under `policy`, which must allow
 * nothing that `installed` refuses: of two filters, the stricter result counts. It is small, because the
 * kernel compiles it for each process that installs it.
 */
export function buildAddition(
  arch: CpuArchitecture,
  policy: SyscallPolicy,
  installed: SyscallPolicy,
): Uint8Array {
  const already = listRules(installed)
  const addedRules = [...listRules(policy)].filter(
    ([name, rule]) => JSON.stringify(already.get(name)) !== JSON.stringify(rule),
  )
  return buildProgram(arch, new Map(addedRules), 'allow')
}

function buildProgram(
  arch: CpuArchitecture,
  rulesByName: ReadonlyMap<string, SyscallRule>,
  otherwise: SyscallRule,
): Uint8Array {
  const ofNumber = new Map<number, SyscallRule>()
  for (const [name, rule] of rulesByName) {
    const numbers = syscalls.get(name)
    if (!numbers) throw new Error(`${name} is in no system call table`)
    const number = numbers[arch]
    if (number !== undefined) ofNumber.set(number, rule)
  }
  const decision: BpfBlock = [load(offsets.nr), ...search(buildRanges(ofNumber, otherwise))]
  return encode([
    load(offsets.arch),
    ...matchAnyValue([auditArch[arch]], decision, returnAction(actions.killProcess)),
  ])
}

interface SyscallRange {
  first: number
  rule: SyscallRule
}

/** Numbers from one first to the next have the same rule; the last range has no end, so x32’s are in it. */
function buildRanges(ofNumber: ReadonlyMap<number, SyscallRule>, otherwise: SyscallRule): SyscallRange[] {
  const rangeList: SyscallRange[] = []
  const end = Math.max(...ofNumber.keys()) + 1
  if (end > x32Bit) throw new RangeError('A number of the x32 convention')
  for (let number = 0; number <= end; number++) {
    const rule = ofNumber.get(number) ?? otherwise
    if (rangeList.at(-1)?.rule !== rule) rangeList.push({ first: number, rule })
  }
  return rangeList
}

/**
 * A binary search: ten comparisons for any call. Where no argument counts, the kernel keeps the answer and
 * skips them.
 */
function search(among: readonly SyscallRange[]): BpfBlock {
  if (among.length === 1) return compileRule(among[0]!.rule)
  const middle = among.length >> 1
  return splitAtValue(among[middle]!.first, search(among.slice(0, middle)), search(among.slice(middle)))
}

function compileRule(rule: SyscallRule): BpfBlock {
  if (rule === 'allow') return returnAction(actions.allow)
  if (rule === 'kill') return returnAction(actions.killProcess)
  if (typeof rule === 'string') return returnAction(actions.errno | errnos[rule])
  const { argument, cases, otherwise } = rule
  const tests = cases.reduceRight<BpfBlock>(
    (miss, { values, rule }) => matchAnyValue(values, compileRule(rule), miss),
    compileRule(otherwise),
  )
  return [
    load(offsets.argument(argument)),
    ...(rule.mask === undefined ? [] : [maskWord(rule.mask)]),
    ...tests,
  ]
}
