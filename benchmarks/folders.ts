/**
 * The list of kinds of benchmarks, in the order in which they are shown: a kind is a folder and a line here.
 * Folders are named by the kind.
 */
export const folders = [
  'stateeval',
  'stateeval-published',
  'wapiibench',
  'llm-only',
  'complexfuncbench',
  'nestful',
] as const
