/** Functions that the tests of threads call. */
import { ProblemError } from '@stateeval/contracts'
import { JobRefusal } from '../src/refusal.ts'

export const same = (value: unknown) => value
export const repeatMember = ({ count, member }: { count: number; member: unknown }) =>
  Array.from({ length: count }, () => structuredClone(member))
export const problem = () => {
  throw new ProblemError('unprocessable', 'it is wrong', '/field')
}
export const refusal = () => {
  throw new JobRefusal('never')
}
export const fault = () => {
  throw new TypeError('a fault of ours')
}
export const endless = () => {
  for (;;);
}
/** Native code is not interrupted between its allocations. */
export const parseGreedily = () => {
  const text = `[${'{"a":[1,2,3]},'.repeat(200_000)}1]`
  const all: unknown[] = []
  for (;;) all.push(JSON.parse(text))
}
export const greedy = () => {
  const all: unknown[] = []
  for (;;) all.push(Array.from({ length: 1000 }, (_, n) => ({ n })))
}
