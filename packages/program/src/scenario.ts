/**
 * A scenario: an API world as a pure state machine (StateGen, section III-C). States are values; every
 * random draw comes from the given Rng. Generation, translation, the interpreter and the emitters take a
 * scenario as an argument and know none by name.
 */
import type {
  Call,
  ExecutionInput,
  JsonValue,
  Language,
  ExecutionLimits,
  LocalEdit,
  ModelTool,
  Program,
  Variable,
  WorldState,
} from '@stateeval/contracts'
import type { DifficultyLevels } from './difficulty.ts'
import type { ValuePath } from './expr.ts'
import type { CallPhrase, Vocabulary } from './phrase.ts'
import type { RandomSource } from './rng.ts'
import type { ArtifactBytes } from './tensor/artifacts.ts'

/** A variable in scope during generation, with its tracked properties. */
export interface ScopeBinding {
  name: string
  /** The value now, as the state machine predicts it; ids are the model's own. */
  value: JsonValue
  /** The API whose output it is; absent for a variable of the initialisation block. */
  api?: string
  /** The call whose output it is. */
  call?: Call
  /** How many steps (calls and edits) came before it was bound. */
  createdAt: number
  /** True if a later step or the condition refers to it. */
  used: boolean
}

/** The information from which an operation finds the currently valid calls. */
export interface TraceScope<W> {
  world: W
  /** In order of creation. */
  bindings: readonly ScopeBinding[]
  /** Ids of the APIs called so far on this path, oldest first. */
  history: readonly string[]
}

/**
 * A currently valid call, not yet bound to a variable, with the remote items (not variables) whose state it
 * consumes.
 */
export interface PossibleCall {
  call: Call
  consumes: readonly string[]
  /**
   * Variables that the call needs and that join the initialisation block, such as fresh weights. The call
   * refers to each by its stem; where the call is taken, stem and references become `<stem>_<n>`, numbered
   * through the whole program.
   */
  introduces?: readonly { stem: string; value: JsonValue }[]
}

/** The effect of a call with evaluated arguments: the next world and the output, or the API's error. */
export type CallTransition<W> =
  | {
      ok: true
      world: W
      output?: JsonValue
      /**
       * The remote states that the call changed, and those that it consumed: producers and consumers are
       * paired by them.
       */
      affects: readonly string[]
      reads: readonly string[]
    }
  | { ok: false; error: { status: number; message: string } }

/** One API of a scenario: the possible calls in a state, their effect, and their phrase. */
export interface ScenarioOperation<W> {
  id: string
  /** Left out unless a generation asks for it. */
  optIn?: boolean
  /**
   * The valid parametrisations now; none means that the call is not possible. Every yielded call succeeds.
   */
  solve(scope: TraceScope<W>, rng: RandomSource): Iterable<PossibleCall>
  /** The transition δ (equation 1). Never changes the world that it is given. */
  apply(world: W, args: Readonly<Record<string, JsonValue>>): CallTransition<W>
  /**
   * Arguments of which another value, or another element of a list, gives another output, or an error, in any
   * world, while the other arguments stay: that it shows needs no run.
   */
  tells?: readonly string[]
  /**
   * The place of an unreferenced output in RESULT: its key there, and the part that is given. Absent where
   * there is none.
   */
  gathers?: { key: string; path: ValuePath }
  /**
   * True if calls send whole objects of the program, so that a program may edit a part of one for a call;
   * otherwise none is tried.
   */
  sendsObjects?: boolean
  say: CallPhrase
}

/** A property of a value that an if may test, with a placeholder's other value for the flipped input. */
export interface TestableProperty {
  path: ValuePath
  measure: 'value' | 'count'
  /** The property's value now, and another of the same type. */
  value: JsonValue
  other: JsonValue
}

/** A whole number that a generation may set for a scenario. */
interface ScenarioOption {
  about: string
  minimum: number
  maximum: number
  default: number
}

/** An initialisation block's user variables and its initial remote items. */
export interface ScenarioStart {
  variables: Variable[]
  world: JsonValue
}

export interface Scenario<W = unknown> {
  id: string
  version: string
  title: string
  /** The world that executions run against; see the sandbox's World. */
  world: string
  /** True if that world computes tensors: only replicas with a GPU may be able to run its programs. */
  tensors?: true
  operations: readonly ScenarioOperation<W>[]
  /** The fields of its things, for instructions; without it every field is named by its whole path. */
  vocabulary?: Vocabulary
  /**
   * RandomInit (Algorithm 1, line 2): the initialisation block's user variables and the initial remote items.
   */
  start(rng: RandomSource): ScenarioStart
  /**
   * Variables that look relevant and that no program of this start reads, and its world with remote items
   * that go with them; absent where there are none.
   */
  distract?(start: ScenarioStart, count: number, rng: RandomSource): ScenarioStart
  /** What programs of each level of difficulty are like; absent: levels of length alone. */
  difficulty?: DifficultyLevels
  /** The model's world with its initial items. */
  open(initial: JsonValue): W
  /** Everything in the model's world, in the form in which the real world is observed. */
  observe(world: W): WorldState
  /** Local edits that make sense now, drawn as they are asked for; none where the scenario has none. */
  edits(scope: TraceScope<W>, rng: RandomSource): Iterable<LocalEdit>
  /** The properties of a variable that an if may test, best first; never a server-assigned id. */
  conditions(binding: ScopeBinding, rng: RandomSource): TestableProperty[]
  /**
   * Another input for the same program: a fresh initial world, and variables of the same shape. A `wide` one
   * lies further off: more items that match and more that don't, other values, other lengths and shapes,
   * wherever the program succeeds. Of a draft it is a draft, too.
   */
  vary(program: Program, rng: RandomSource, wide?: boolean): ExecutionInput
  compare: ComparisonRules
  /** Documents the usual APIs and these opt-in ones; a scenario without opt-in APIs ignores the names. */
  documentation(language: Language, optIn?: readonly string[]): string
  /**
   * The call that reads an item again which a call returned; null for what is no such item. Absent where no
   * items are kept.
   */
  reread?(value: JsonValue): Call | null
  /** Its APIs as tools that are called one by one, as its world has them; absent where it has none yet. */
  tools?: readonly ModelTool[]
  /** How values are shown that are too large to be read; absent where all are shown as they are. */
  handles?: HandleRules
  /**
   * Makes the values that a draft of a program only describes (large ones, such as tensors, cost more than
   * drawing a program does, and most drafts are dropped), in all of its inputs: the program as it is kept,
   * whose id comes after, and the artifacts that it refers to, by their SHA-256; null where no values suit
   * its condition. Absent where drafts hold their values themselves.
   */
  settle?(draft: Program): { program: Program; artifacts: ArtifactBytes } | null
  /** Options of a generation, by name; absent where there are none. */
  options?: Readonly<Record<string, ScenarioOption>>
  /**
   * The scenario with some of them set, within their bounds; there where `options` are. Programs of either
   * are understood by both.
   */
  withOptions?(options: Readonly<Record<string, number>>): Scenario<W>
  /** How RESULT and state of one program compare, where that depends on the program; else `compare` does. */
  compareFor?(program: Program): ComparisonRules
  /** Limits of the program's runs in this language, where the defaults are too low. */
  limitsFor?(program: Program, language: Language): Partial<ExecutionLimits> | undefined
}

/** Values that the calls of a tool session refer to by name, and that a caller sees by name. */
export interface HandleRules {
  /** How they are shown and passed, as a caller is told. */
  about: string
  /** A session's variables as its world shows them. */
  show(variables: Readonly<Record<string, JsonValue>>): Readonly<Record<string, JsonValue>>
}

/** The parts of RESULT and the world that count. */
export interface ComparisonRules {
  /** Relative tolerance of numbers that are not integers. */
  relativeTolerance: number
  /** Lists of the world state whose order says nothing, by path from the state's root. */
  unordered: readonly ValuePath[]
  /** Places in RESULT whose values no two runs share, such as times. */
  masked?: readonly ValuePath[]
  /** The name of an element of these lists in messages, in the singular: 'session'. 'item' by default. */
  noun?: string
  /**
   * How many terms are summed up, one after the other, on the longest way to an element of a tensor: what its
   * tolerance follows from.
   */
  reduction?: number
}
