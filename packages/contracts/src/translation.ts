/** Translations: programs as verified instructions (StateGen, section III-E). */
import Type, { type Static } from 'typebox'
import { defineRecord } from './basics/record.ts'
import { Seed } from './basics/seed.ts'
import { jobFields } from './job.ts'
import { ModelName, ModelSettings, Usage } from './model.ts'
import { Program } from './program.ts'
import { DialogueTurn } from './review.ts'

const closedObject = { additionalProperties: false } as const

const Translator = Type.String({
  minLength: 1,
  maxLength: 100,
  default: 'template',
  description:
    'Who translates: `template`, the deterministic translator (the same program and seed give the same bytes), or `agents`, two models that negotiate',
})
const AgentModel = Type.Object({ name: ModelName, settings: ModelSettings }, closedObject)
/** The negotiating models. The request contains them; their keys are in the environment of translation. */
export const TranslationAgents = Type.Object(
  {
    generator: AgentModel,
    evaluator: Type.Optional(AgentModel),
    rounds: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: '3 by default' })),
  },
  closedObject,
)
export type TranslationAgents = Static<typeof TranslationAgents>
const SeedOption = Type.Union(Seed.anyOf, { default: 1, description: 'Varies the wording' })

/** Most programs in one translation. */
const maxTranslatedPrograms = 500
const Options = {
  translator: Type.Optional(Translator),
  seed: Type.Optional(SeedOption),
  agents: Type.Optional(TranslationAgents),
}
export const TranslationRequest = Type.Union([
  Type.Object({ program: Program, ...Options }, closedObject),
  Type.Object(
    { programs: Type.Array(Program, { minItems: 1, maxItems: maxTranslatedPrograms }), ...Options },
    closedObject,
  ),
])
export type TranslationRequest = Static<typeof TranslationRequest>

/** Members that agents leave: their dialogue and its usage. */
const Negotiated = { dialogue: Type.Optional(Type.Array(DialogueTurn)), usage: Type.Optional(Usage) }
/** The translation of a program: an instruction whose only reading is the program; or why there is none. */
export const ProgramTranslation = Type.Union([
  Type.Object(
    {
      program: Type.String({ description: 'The id of the program' }),
      status: Type.Literal('verified'),
      instruction: Type.String(),
      readings: Type.Literal(1, { description: 'Number of programs that the instruction can mean' }),
    },
    closedObject,
  ),
  Type.Object(
    { program: Type.String(), status: Type.Literal('rejected'), reason: Type.String(), ...Negotiated },
    closedObject,
  ),
  Type.Object(
    {
      program: Type.String(),
      status: Type.Union([Type.Literal('agreed'), Type.Literal('needs_review')], {
        description:
          'With agents: agreed on an instruction without initial values, which must still be proved by code written from it alone; or still disagreeing after the last round',
      }),
      instruction: Type.String(),
      reason: Type.Optional(Type.String()),
      ...Negotiated,
    },
    closedObject,
  ),
])
export type ProgramTranslation = Static<typeof ProgramTranslation>

export const Translation = Type.Object(
  {
    ...jobFields,
    translator: Type.String(),
    seed: Seed,
    versions: defineRecord(Type.String(), {
      description: 'Versions of the translator and of the scenarios whose phrases it uses',
    }),
    translations: Type.Array(ProgramTranslation, {
      description: 'Translations in the order of the programs; partial while the job is running',
    }),
  },
  { $id: 'Translation', ...closedObject },
)
export type Translation = Static<typeof Translation>

/** The payload of jobs.translation.translate: one program, or a stored translation. */
export const TranslateJob = Type.Union([
  Type.Object({ program: Program, ...Options }, closedObject),
  Type.Object({ translation: Type.String({ minLength: 1, maxLength: 200 }) }, closedObject),
])
export type TranslateJob = Static<typeof TranslateJob>
/**
 * Its result: the program's translation, or how many of the stored translation's programs were verified.
 */
export type TranslateResult = ProgramTranslation | { translation: string; verified: number; rejected: number }

export const VerifyRequest = Type.Object(
  { program: Program, instruction: Type.String({ minLength: 1, maxLength: 100_000 }) },
  closedObject,
)
export type VerifyRequest = Static<typeof VerifyRequest>
export const VerifyResult = Type.Object(
  {
    readings: Type.Integer({
      minimum: 0,
      description: 'Number of different programs that the instruction can mean',
    }),
    verified: Type.Boolean({ description: 'Whether the instruction can only mean this program' }),
    reason: Type.Optional(Type.String({ description: 'Why the instruction is not verified' })),
  },
  closedObject,
)
export type VerifyResult = Static<typeof VerifyResult>
