/**
 * The intermediate representation of a program: generated, translated, emitted as code, measured and
 * mutated. It is plain JSON with a schema version, so it can cross processes and be reviewed as a file
 * (StateGen, section III-D: initialisation block, program with at most one if/else, RESULT). Schema 2 adds
 * an if/else at the end of a branch; programs without one stay schema 1, byte for byte.
 */
import Type, { type Static } from 'typebox'
import { defineRecord } from './basics/record.ts'
import { ExecutionInput } from './execution.ts'

const Name = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
  description: 'A name that is valid in every target language',
})
const Path = Type.Array(Type.Union([Type.String({ maxLength: 200 }), Type.Integer({ minimum: 0 })]), {
  maxItems: 16,
})

/** The value of a variable, or a part of it, at run time: `response_0[1].data.title`. */
export const VariableReference = Type.Object(
  { kind: Type.Literal('reference'), variable: Name, path: Path },
  { additionalProperties: false, description: 'A variable, or the part of it at the path' },
)
// Not Literal: generated clients in Python import that from typing.
export const LiteralExpr = Type.Object(
  { kind: Type.Literal('literal'), value: Type.Unknown({ description: 'Any JSON value' }) },
  {
    additionalProperties: false,
    description: 'A constant in the program, which the instruction states',
  },
)
const Atom = Type.Union([VariableReference, LiteralExpr])
/** An argument: a value, or a list or object made of values. */
export const Expr = Type.Union([
  VariableReference,
  LiteralExpr,
  Type.Object({ kind: Type.Literal('list'), items: Type.Array(Atom) }, { additionalProperties: false }),
  Type.Object({ kind: Type.Literal('object'), entries: defineRecord(Atom) }, { additionalProperties: false }),
])
const Args = defineRecord(Expr)

export const HttpCall = Type.Object(
  {
    kind: Type.Literal('http'),
    api: Type.String({ description: 'The operation of the scenario, such as addSession' }),
    method: Type.Union([
      Type.Literal('GET'),
      Type.Literal('POST'),
      Type.Literal('PUT'),
      Type.Literal('PATCH'),
      Type.Literal('DELETE'),
    ]),
    path: Type.String({ description: 'Path template; each {name} is filled from args' }),
    query: Type.Optional(Type.Array(Type.String(), { description: 'Arguments sent in the query string' })),
    body: Type.Optional(Type.String({ description: 'The argument sent as the JSON body' })),
    args: Args,
    binds: Type.Optional(Name),
  },
  { additionalProperties: false },
)
export const FunctionCall = Type.Object(
  {
    kind: Type.Literal('function'),
    api: Type.String(),
    name: Type.String({ description: 'The qualified name of the function, such as torch.cat' }),
    args: Args,
    positional: Type.Optional(
      Type.Array(Type.String(), { description: 'Arguments passed by position, in order' }),
    ),
    binds: Type.Optional(Name),
  },
  { additionalProperties: false },
)
export const ToolCall = Type.Object(
  { kind: Type.Literal('tool'), api: Type.String(), args: Args, binds: Type.Optional(Name) },
  { additionalProperties: false },
)
/** One call of an API, independent of the language; emitters print it. */
export const Call = Type.Union([HttpCall, FunctionCall, ToolCall])
/** An edit of a variable's value, without an API call. */
export const LocalEdit = Type.Object(
  { kind: Type.Literal('edit'), target: VariableReference, value: Expr },
  { additionalProperties: false },
)
export const ProgramStep = Type.Union([Call, LocalEdit])

/** One entry of RESULT. The instruction names the key. */
export const ResultEntry = Type.Object(
  { key: Name, value: VariableReference },
  { additionalProperties: false },
)
/** `value` of the reference, or the length of the list at the reference, equals the variable. */
export const Condition = Type.Object(
  {
    variable: Name,
    path: Path,
    measure: Type.Union([Type.Literal('value'), Type.Literal('count')]),
    equals: Name,
  },
  { additionalProperties: false },
)
/** Ifs on one path, at most: an if at the end of a branch of an if at the end of a branch. */
export const maxBranchDepth = 3
/** Ifs that a generated program has, at most. */
export const maxBranches = 3
/** The least calls on each path of a generated program with nested ifs. */
export const nestedLength = 3

const defineBlock = <T extends Type.TProperties>(further: T, description: string) =>
  Type.Object(
    { steps: Type.Array(ProgramStep), result: Type.Array(ResultEntry), ...further },
    { additionalProperties: false, description },
  )
const defineBranch = <T extends Type.TSchema>(block: T) =>
  Type.Object({ condition: Condition, then: block, otherwise: block }, { additionalProperties: false })

/** The blocks by their depth: a schema without recursion, so that generated clients have plain types. */
export const InnerStepBlock = defineBlock({}, 'A branch that ends in RESULT')
export const InnerBranch = defineBranch(InnerStepBlock)
export const NestedStepBlock = defineBlock(
  { branch: Type.Optional(InnerBranch) },
  'A branch that ends in RESULT, or in an if/else; then its own result is empty',
)
export const NestedBranch = defineBranch(NestedStepBlock)
export const StepBlock = defineBlock(
  { branch: Type.Optional(NestedBranch) },
  'A branch that ends in RESULT, or, in schema 2, in an if/else; then its own result is empty',
)
export const Branch = defineBranch(StepBlock)

/**
 * A variable of the initialisation block. A placeholder has two values: the first takes `then` of the
 * condition that reads it, the second `otherwise`.
 */
export const Variable = Type.Object(
  {
    name: Name,
    role: Type.Union([Type.Literal('user'), Type.Literal('placeholder')]),
    values: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 2 }),
  },
  { additionalProperties: false },
)

export const Program = Type.Object(
  {
    schema: Type.Union([Type.Literal(1), Type.Literal(2)], {
      description: '2 if a branch contains an if/else, otherwise 1',
    }),
    id: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of the canonical form, without the id and the second worlds, which are drawn later',
    }),
    scenario: Type.String(),
    variables: Type.Array(Variable),
    world: Type.Unknown({ description: 'Initial remote items in the scenario’s form' }),
    body: Type.Array(ProgramStep),
    result: Type.Optional(Type.Array(ResultEntry)),
    branch: Type.Optional(Branch),
    secondWorlds: Type.Optional(
      Type.Array(ExecutionInput, {
        maxItems: 2 ** maxBranchDepth,
        description:
          'Further inputs, at most one for each execution path: the same variables and a different initial world, so that no call’s output in the first world can replace the call',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'A program: straight (body and result), or body and one branch, whose blocks may end in another',
  },
)

export type VariableReference = Static<typeof VariableReference>
export type Literal = Static<typeof LiteralExpr>
export type Atom = VariableReference | Literal
export type Expr = Static<typeof Expr>
export type HttpCall = Static<typeof HttpCall>
export type FunctionCall = Static<typeof FunctionCall>
export type ToolCall = Static<typeof ToolCall>
export type Call = Static<typeof Call>
export type LocalEdit = Static<typeof LocalEdit>
export type ProgramStep = Static<typeof ProgramStep>
export type ResultEntry = Static<typeof ResultEntry>
export type Condition = Static<typeof Condition>
/** Of any depth, so that what handles blocks calls itself; the schemas bound the depth. */
export interface StepBlock {
  steps: ProgramStep[]
  result: ResultEntry[]
  branch?: Branch
}
export interface Branch {
  condition: Condition
  then: StepBlock
  otherwise: StepBlock
}
export type Variable = Static<typeof Variable>
export type Program = Static<typeof Program>

export { exampleProgram } from './program-example.ts'
