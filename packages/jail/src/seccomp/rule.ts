/** The decision on one system call: unconditional, or by its arguments. */

/** include/uapi/asm-generic/errno-base.h and errno.h. */
export const errnos = {
  EPERM: 1,
  EACCES: 13,
  EINVAL: 22,
  ENOTTY: 25,
  ENOSYS: 38,
  ENOPROTOOPT: 92,
  EAFNOSUPPORT: 97,
}
export type ErrnoName = keyof typeof errnos

/** `kill` ends the process: a program that needs another cell is run there from the start. */
export type SyscallRefusal = ErrnoName | 'kill'
export type SyscallRule = 'allow' | SyscallRefusal | ArgumentRule

/**
 * Reads the low 32 bits of an argument. Only for arguments of which the kernel itself reads no more (int,
 * unsigned, pid_t, and clone’s flags): otherwise the other half could hide something.
 */
export interface ArgumentRule {
  argument: number
  mask?: number
  cases: readonly { values: readonly number[]; rule: SyscallRule }[]
  otherwise: SyscallRule
}

/** `allow` if the argument, after the mask, is one of the values. */
export const allowOnlyIf = (
  argument: number,
  values: readonly number[],
  otherwise: SyscallRefusal,
  mask?: number,
): ArgumentRule => ({
  argument,
  ...(mask !== undefined && { mask }),
  cases: [{ values, rule: 'allow' }],
  otherwise,
})
/** The rule if the argument is one of the values, otherwise `allow`. */
export const allowUnless = (
  argument: number,
  values: readonly number[],
  refusal: SyscallRefusal,
): ArgumentRule => ({
  argument,
  cases: [{ values, rule: refusal }],
  otherwise: 'allow',
})

/** The decision of a rule for these arguments. */
export function decideRule(rule: SyscallRule, words: readonly number[]): 'allow' | SyscallRefusal {
  if (typeof rule === 'string') return rule
  const word = ((words[rule.argument] ?? 0) & (rule.mask ?? 0xffffffff)) >>> 0
  return decideRule(rule.cases.find(({ values }) => values.includes(word))?.rule ?? rule.otherwise, words)
}
