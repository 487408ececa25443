/** What a bench gives: ratios over 1 mean that we are ahead of the peer, or better than the aim. */
export interface BenchPart {
  name: string
  unit: string
  ours: number
  /** What it is held against: another system, another method, a bound. */
  peer?: number
  ratio?: number
  spread?: number
  /** The least ratio that the part has to reach. */
  aim?: number
}

export interface Bench {
  /** The sentence above the table. */
  about: string
  parts: BenchPart[]
  /** More files to write beside the result, by name. */
  files?: Record<string, string>
  /** Text for the terminal and for docs/performance.md, in Markdown. */
  notes?: string
  /** Only a part was asked for: it is printed, and the stored result stays. */
  partial?: true
}

export interface BenchResult {
  name: string
  commit: string
  /** Of the programs that were measured: a result of another version than the code's says nothing of it. */
  generatorVersion?: string
  machine: string
  /** That of the worst part with an aim. */
  ratio: number
  about: string
  parts: BenchPart[]
  notes?: string
}

/** The ratio of the part that does worst against its own aim. */
export function worstRatio(parts: readonly BenchPart[]): number {
  const aimed = parts.filter((part) => part.aim !== undefined && part.ratio !== undefined)
  const [worst] = aimed.sort(
    (a, b) => (a.ratio as number) / (a.aim as number) - (b.ratio as number) / (b.aim as number),
  )
  return worst?.ratio ?? 1
}
