/**
 * Goals for names and comments (CONTRIBUTING.md, Rules that checks enforce): shares over all sources that
 * are not tests. A share that misses its goal is a fault, with some of the names behind it.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface NamedDeclaration {
  name: string
  file: string
}

/** Names of types and top-level functions, and the first lines of comments. */
interface SourceNames {
  types: NamedDeclaration[]
  functions: NamedDeclaration[]
  comments: NamedDeclaration[]
}

const isIgnored = (file: string) =>
  /(^|\/)(node_modules|dist|test|fixtures|golden)\/|\.(test|d|gen)\.tsx?$|^packages\/(testkit|sandbox-suites)\//.test(
    file,
  )

/** Reads the names of all sources below the root. */
export function readNames(root: string): SourceNames {
  const files = globSync('{packages,scenarios,benchmarks,services,apps}/**/*.{ts,tsx}', { cwd: root })
  return collectNames(
    files.filter((file) => !isIgnored(file)).map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  )
}

const typeDeclaration = /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm
const functionDeclaration =
  /^(?:export )?(?:async )?(?:function\*? (\w+)|const (\w+) = (?:async )?(?:<[^>]{0,200}>)?\()/gm
const commentStart = /^[ \t]*(?:\/\/|\/\*\*?)[ \t]*(?:\n[ \t]*\*[ \t]*)?(\S[^\n]*)/gm

/** Collects the names of files, given as pairs of path and text. */
export function collectNames(files: readonly (readonly [file: string, text: string])[]): SourceNames {
  const list = (pattern: RegExp) =>
    files.flatMap(([file, text]) =>
      [...text.matchAll(pattern)].map(([, name, other]) => ({ name: name ?? other ?? '', file })),
    )
  return {
    types: list(typeDeclaration),
    functions: list(functionDeclaration),
    comments: list(commentStart),
  }
}

/** Verbs with which functions may begin; a new one is added here. */
const verbs =
  'accept acquire add admit advance aggregate align allow announce answer append apply ask assemble assert assign attach attempt audit await backUp become begin bind book bound build bulkWrite call can cancel capture change check choose claim clamp classify clear clone close collect combine commit compare compile complete compress compute conclude concatenate connect consume continue convert copy count cover create cut decide declare decode deep defer define delete deliver deny derive describe detach detect determine disable discard disconnect divide document download draw drop dump emit enable encode encrypt end ensure enter escape estimate evaluate examine exchange exclude execute exit expand expect expire explain export extend extract fail fetch fill filter find finish fit flip flush fold follow forget fork format forward freeze gather generalise generate get give grade group guard handle has hash hear hide hold identify ignore import improve indent index infer inherit insert inspect install interpolate interpret intersect invent invert is issue iterate join judge keep kill label launch lead learn lease leave let limit link linger list listen load locate lock log look lower make map mark mask match may measure meet memoise memoize merge mix mock move multiply mutate must name negate normalise normalize note observe offer open order pack pad page pair park parse pass pause perform permute pick pin pipe place plan play poison pool post prefer prepare print probe process produce project prompt protect prove publish pull purge push put quantize query queue quote raise rank rate reach read rebuild receive recommend record recover redact redo redrive reduce refine refresh refund refuse register rehearse reject rejudge release remember remove rename render renew repair repeat replace replay reply report request require reread resample rescore reset resize resolve respond restart restore restrict resume retire retry return reveal reverse revert revive revoke rewrite rotate round run sample save say scale schedule score seal search see select send separate serialize serve set settle should show shorten sign simplify simulate skip slice solve sort spawn spell split spoil stage start state steer stop store straighten stream strip subscribe subtract sum summarise summarize supply surround swap sweep synthesise synthesize take talk tally tell terminate test throw tidy time to toggle total trace track transform translate trim truncate try turn undo unescape unify unite unlock unpack unwrap update upload use validate vary verify visit wait walk warm warn was watch weigh widen wire with withdraw wrap write yield'
const verb = new RegExp(`^(?:${verbs.split(' ').join('|')})(?![a-z])`)
const preposition = /(?:Of|In|At|From|For|With|On|By|To)$/
const participle =
  /^(?:[A-Z][a-z]+ed|Known|Held|Left|Kept|Taken|Written|Shown|Given|Told|Drawn|Made|Said|Sent|Seen|Found)$/
const oddComment = /^(?:What|Who|Whose|Where|Whether|Of|As|By|Such|Those|These|So that)\b/

interface NamingGoal {
  what: string
  of: keyof SourceNames
  holds: (name: string, files: number) => boolean
  /** The allowed share in percent: at most, or at least. */
  atMost?: number
  atLeast?: number
}

const goals: readonly NamingGoal[] = [
  {
    what: 'types with a name of one word',
    of: 'types',
    holds: (name) => /^[A-Z][a-z]+$/.test(name),
    atMost: 20,
  },
  { what: 'types named by a participle', of: 'types', holds: (name) => participle.test(name), atMost: 1 },
  { what: 'types with a name of several files', of: 'types', holds: (_, files) => files > 1, atMost: 12 },
  {
    what: 'functions that begin with a verb',
    of: 'functions',
    holds: (name) => verb.test(name),
    atLeast: 50,
  },
  {
    what: 'functions that end in a preposition',
    of: 'functions',
    holds: (name) => preposition.test(name),
    atMost: 4,
  },
  {
    what: 'functions with a name of several files',
    of: 'functions',
    holds: (_, files) => files > 1,
    atMost: 15,
  },
  {
    what: 'comments that begin with What, Who, Of, As …',
    of: 'comments',
    holds: (line) => oddComment.test(line),
    atMost: 2,
  },
]

interface NamingMeasure {
  what: string
  /** In percent. */
  share: number
  goal: string
  isMet: boolean
  /** Names behind the share, the most frequent first. */
  names: string[]
}

/** Measures each goal. */
export function measureNames(names: SourceNames): NamingMeasure[] {
  return goals.map(({ what, of, holds, atMost, atLeast }) => {
    const filesByName = new Map<string, Set<string>>()
    for (const { name, file } of names[of])
      filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file))
    const hits = names[of].filter(({ name }) => holds(name, filesByName.get(name)!.size))
    const share = (100 * hits.length) / (names[of].length || 1)
    const isMet = share <= (atMost ?? 100) && share >= (atLeast ?? 0)
    const goal = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`
    return { what, share, goal, isMet, names: [...new Set(hits.map(({ name }) => name))] }
  })
}

/** Faults of the measures: one sentence for each goal that is missed. */
export const findNamingFaults = (names: SourceNames): string[] =>
  measureNames(names)
    .filter(({ isMet }) => !isMet)
    .map(
      ({ what, share, goal, names: some }) =>
        `${share.toFixed(1)} % ${what} (goal ${goal} %), such as ${some.slice(0, 8).join(', ')}.`,
    )

/**
 * Faults of the glossary: a type that a row names must be declared, and in one file only, as a word has one
 * meaning.
 */
export function findGlossaryFaults(glossary: string, { types }: SourceNames): string[] {
  const terms = glossary.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  const named = terms.flatMap((line) =>
    [...line.matchAll(/`([A-Z][a-z]+(?:[A-Z][a-z]+)*)`/g)].map(([, name]) => name!),
  )
  return [...new Set(named)].flatMap((name) => {
    const files = [...new Set(types.filter((type) => type.name === name).map(({ file }) => file))]
    if (files.length === 1) return []
    return files.length === 0
      ? [`docs/glossary.md names the type ${name}, which no source declares.`]
      : [
          `${name} is a word of docs/glossary.md and is declared by ${files.join(' and ')}: name one of them otherwise.`,
        ]
  })
}

/** Formats the measures as a table. */
export const formatMeasures = (measures: readonly NamingMeasure[]): string =>
  measures.map(({ what, share, goal }) => `${share.toFixed(1).padStart(5)} %  (${goal})  ${what}`).join('\n')
