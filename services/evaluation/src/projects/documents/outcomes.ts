/** The stored forms of ended items: their outcomes, and the records that scoring them again takes. */
import {
  BenchmarkCase,
  Consultation,
  type EpisodeEvent,
  ExecutionResult,
  GenerationStatistics,
  Message,
  Program,
  PromptRefusal,
  defineRecord,
  Review,
  ScoredSample,
  SecondOpinion,
  Sha256,
  Speaker,
  TaskCase,
  Transcript,
  Usage,
} from '@stateeval/contracts'
import type {
  EpisodeEntry,
  GenerationOutcome,
  OpinionOutcome,
  ProgramOutcome,
  SampleOutcome,
  SampleRecord,
  WritingOutcome,
} from '@stateeval/flows'
import Type from 'typebox'
import { closedObject, Count, formOf, defineRange } from '@stateeval/administration/form'

/** Key of a model's stored answer: its question's hash, within a recording, or for one asker alone. */
const StoreKey = Type.String({ pattern: '^(rec_[0-9a-f]{64}/)?[0-9a-f]{64}(~[0-9a-z_]{1,80}){0,2}$' })
const StoreKeys = Type.Array(StoreKey)
/** Why a question has no answer. */
export const silence = {
  refused: Type.Boolean(),
  refusal: Type.Optional(PromptRefusal),
  reason: Type.String(),
  unrecorded: Type.Optional(Type.Literal(true)),
}
const Unanswered = Type.Array(Type.Object({ key: Sha256, ...silence }, closedObject))

const of = { key: Type.Optional(Type.String()) }
/** Members of an event beyond its kind are the benchmark's to read, as in answers that come over HTTP. */
const Event = Type.Unsafe<EpisodeEvent>(Type.Object({ kind: Type.String() }))
export const Entries = Type.Array(
  formOf<EpisodeEntry>()(
    Type.Union([
      Type.Object(
        {
          transcript: defineRange(0, 127),
          role: Speaker,
          messages: Type.Array(Message, { maxItems: 10_000 }),
          input: Type.Optional(Count),
          tools: Transcript.properties.tools,
          replied: Type.Optional(
            Type.Object(
              { key: Type.String(), usage: Type.Optional(Usage), ms: Type.Optional(Count) },
              closedObject,
            ),
          ),
        },
        closedObject,
      ),
      Type.Object({ run: ExecutionResult, ...of }, closedObject),
      Type.Object({ consultation: Consultation, ...of }, closedObject),
      Type.Object({ event: Event, key: Type.String() }, closedObject),
    ]),
  ),
)
const Log = Type.Object({ stored: Type.Array(Sha256, { maxItems: 10_000 }), entries: Entries }, closedObject)

const Counts = defineRecord(Count)
const effort = {
  retries: Count,
  runtimes: Type.Array(Type.String()),
  sandboxes: Type.Optional(Counts),
  canaries: Type.Optional(Counts),
  tensorProviders: Type.Optional(Counts),
  usage: Usage,
  parties: Type.Optional(defineRecord(Usage)),
  seeds: Type.Optional(defineRecord(Type.String())),
  storeKeys: Type.Optional(StoreKeys),
  kept: Type.Optional(Count),
  repeated: Type.Optional(Count),
  cut: Type.Optional(Count),
  finish: Type.Optional(Type.String()),
  refused: Type.Optional(Type.Array(Type.Object({ transcript: Count, reason: Type.String() }, closedObject))),
  endings: Type.Optional(Type.Object({ answers: Count, unusual: Counts }, closedObject)),
  unanswered: Type.Optional(Unanswered),
}
const Flag = Type.Optional(Type.Literal(true))
export const SampleForm = formOf<Omit<SampleOutcome, 'record'>>()(
  Type.Object(
    {
      ...effort,
      scored: ScoredSample,
      passing: Flag,
      unanswerable: Flag,
      answer: Type.Union([Type.String(), Type.Null()]),
      log: Type.Optional(Log),
    },
    closedObject,
  ),
)
const { observations } = ExecutionResult.properties
export const RecordForm = formOf<SampleRecord>()(
  Type.Object(
    {
      log: Type.Optional(Log),
      further: Type.Optional(Type.Object({ reference: observations, mutant: observations }, closedObject)),
    },
    closedObject,
  ),
)

export const OpinionForm = formOf<OpinionOutcome>()(
  Type.Object(
    {
      opinion: SecondOpinion,
      usage: Usage,
      retries: Count,
      kept: Count,
      repeated: Count,
      storeKeys: Type.Optional(StoreKeys),
      unanswered: Type.Optional(Unanswered),
    },
    closedObject,
  ),
)

const { dialogue, tries, status, reason } = Review.properties
const ofProgram = {
  retries: Count,
  review: Type.Optional(Type.Object({ dialogue, tries, status, reason, case: BenchmarkCase }, closedObject)),
  usage: Type.Optional(Usage),
  asking: Type.Optional(
    Type.Object(
      {
        usage: Usage,
        by: defineRecord(Usage),
        storeKeys: StoreKeys,
        unanswered: Type.Optional(Unanswered),
      },
      closedObject,
    ),
  ),
}
export const ProgramForm = formOf<ProgramOutcome>()(
  Type.Union([
    Type.Object(
      {
        ...ofProgram,
        status: Type.Literal('passed'),
        case: BenchmarkCase,
        runtimes: Type.Array(Type.String()),
      },
      closedObject,
    ),
    Type.Object(
      {
        ...ofProgram,
        status: Type.Literal('dropped'),
        phase: Type.Union([Type.Literal('oracle'), Type.Literal('translate'), Type.Literal('review')]),
        reason: Type.String(),
        detail: Type.String(),
      },
      closedObject,
    ),
  ]),
)

export const GenerationForm = formOf<GenerationOutcome>()(
  Type.Union([
    Type.Object(
      {
        ok: Type.Literal(true),
        result: Type.Object(
          {
            programs: Type.Array(Program),
            flags: defineRecord(Type.Array(Type.String())),
            statistics: GenerationStatistics,
          },
          closedObject,
        ),
      },
      closedObject,
    ),
    Type.Object({ ok: Type.Literal(false), reason: Type.String() }, closedObject),
  ]),
)

const ofTask = { index: defineRange(0, 1_000_000), dialogue }
export const WritingForm = formOf<WritingOutcome>()(
  Type.Object(
    {
      retries: Count,
      usage: Usage,
      storeKeys: StoreKeys,
      kept: Count,
      written: Type.Array(
        Type.Union([
          Type.Object({ ...ofTask, status: Type.Literal('written'), case: TaskCase }, closedObject),
          Type.Object(
            { ...ofTask, status: Type.Literal('rejected'), reason: Type.String(), detail: Type.String() },
            closedObject,
          ),
        ]),
      ),
      unanswered: Type.Optional(Unanswered),
    },
    closedObject,
  ),
)
