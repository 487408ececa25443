/**
 * Dataset creation: a model writes tasks for a specification, mechanical checks compare each with it, and
 * failures are returned with a diagnosis. Pure: the host provides prompts and answers.
 */
import type {
  WritingOptions as Contract,
  ConformanceResult,
  DialogueTurn,
  JsonValue,
  Language,
  Message,
  Observation,
  SpecificationPlan,
  TaskCase,
} from '@stateeval/contracts'
import type { DatasetSet } from './benchmark.ts'
import type { PromptFile } from './prompt-slots.ts'

/** All options except the seed, which the host sets. */
export type WritingOptions = Omit<Contract, 'seed'>

/** A task as a model wrote it, or why there is none. */
export type WrittenTask = {
  /** Its place among the targets. */
  index: number
  dialogue: DialogueTurn[]
} & ({ status: 'written'; case: TaskCase } | { status: 'rejected'; reason: string; detail: string })

/** Messages follow from a state, so they are not stored with it: they contain the specification. */
export type WritingTurn = { state: JsonValue } | { done: WrittenTask[] }

/** The plan of each target, in order; `promptCharacters` counts the first questions together. */
export interface TaskPlan {
  endpoints: Pick<SpecificationPlan['endpoints'][number], 'arguments' | 'security'>[]
  promptCharacters: number
}

/** The outcome of a target, including people's decisions. */
export type TaskEnd =
  | { status: 'kept'; case: TaskCase }
  | { status: 'dropped'; phase: string; reason: string }

/** A document for which tasks are written. */
export interface TaskSource {
  /**
   * Everything that may have a task, in order, with the id of its case; `skipped` says why one can't have
   * any, in few words by which they are counted; `detail` says more.
   */
  targets: readonly { name: string; case: string; skipped?: string; detail?: string }[]
  /** Plans the tasks, where a kind can say more than the names: needs no model. */
  plan?(): TaskPlan
  /** Groups of targets that are asked for together, by place in `targets`. */
  parts: readonly (readonly number[])[]
  /** Bytes to which cases refer, by SHA-256. */
  artifacts: Readonly<Record<string, Uint8Array>>
  start(part: number): JsonValue
  ask(part: number, state: JsonValue): Message[]
  resume(part: number, state: JsonValue, answer: string): WritingTurn
  /** A task that a person wrote or changed; the fault names the field. */
  check(index: number, task: { instruction: string; task: unknown }): { case: TaskCase } | { fault: string }
  /** Shows a case to a person: the solution as a program, and the part that may be edited. */
  show(c: TaskCase): { code: string; task: JsonValue }
  /** The set, by the ends of all targets, in order. */
  set(
    ends: readonly TaskEnd[],
    about: { seed: number | string; options: Record<string, unknown>; versions: Record<string, string> },
  ): DatasetSet
}

export interface PromptWriting {
  /** Prompts by name. */
  prompts: Readonly<Record<string, PromptFile>>
  /** Questions to a person about each task before it is accepted. */
  questions: readonly { id: string; asks: string }[]
  /** The part of a task that solves it. */
  solution: {
    /** Name of the part that a person edits, such as "a request configuration". */
    name: string
    /** Why a task is dropped whose own solution does not pass. */
    unproved: string
    /** The language that it is proved in, where solutions are programs. */
    language?: Language
  }
  /**
   * Holds the requests of runs against a document; absent where programs of the kind make none. Throws as
   * `open` does.
   */
  conformance?(
    document: string,
    options: { server?: string },
    observations: readonly Observation[],
  ): ConformanceResult['programs']
  /** Throws a ProblemError that names what is wrong with the document or an option. */
  open(document: string, options: WritingOptions, prompts: Readonly<Record<string, string>>): TaskSource
}
