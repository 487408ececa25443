/**
 * Programs for the tests: drawn by the generator, and a small world of functions and tools with phrases only.
 */
import type { Call, Expr, Program, ResultEntry, ProgramStep } from '@stateeval/contracts'
import { defaultOptions, generate, type GenerateOptions } from '@stateeval/generate'
import { type ScenarioOperation, createLiteral, type Scenario, withId } from '@stateeval/program'
import { sessionService } from '@stateeval/scenario-session-service'

export const scenario = sessionService as Scenario

/** Programs of the session service, drawn at random. */
export const randomPrograms = (count: number, options: Partial<GenerateOptions> = {}): Program[] =>
  [...generate(scenario, { ...defaultOptions, strategy: 'random', ...options, count })].map(
    ({ program }) => program,
  )

type Speech = Pick<Scenario, 'operations' | 'open' | 'observe'>
const operation = (id: string, say: ScenarioOperation<unknown>['say']): ScenarioOperation<unknown> => ({
  id,
  solve: () => [],
  apply: (world) => ({ ok: true, world, affects: [], reads: [] }),
  say,
})

/**
 * A world of which only phrases are known: a function with a list, a tool with arguments that may be left
 * out.
 */
export const studio: Speech = {
  open: (world) => world,
  observe: () => ({ state: null, ids: { initial: [], created: [] }, gone: [] }),
  operations: [
    operation('cat', {
      call: { kind: 'function', name: 'torch.cat' },
      forms: [
        {
          says: ['concatenate {tensors} along dimension {dim}'],
          args: { tensors: { slot: 'tensors' }, dim: { slot: 'dim' } },
          slots: { tensors: 'list', dim: 'literal' },
        },
      ],
      output: { any: ['{which} concatenation'] },
    }),
    operation('speak', {
      call: { kind: 'tool' },
      forms: [
        {
          says: ['read {text} aloud'],
          args: { text: { slot: 'text' } },
          slots: { text: 'value' },
          tails: [
            { says: 'in the voice {voice}', args: { voice: { slot: 'voice' } }, slots: { voice: 'value' } },
            {
              says: 'with a stability of {stability}',
              args: { stability: { slot: 'stability' } },
              slots: { stability: 'literal' },
            },
          ],
        },
      ],
      output: { any: ['{which} recording'], just: ['what you just recorded'] },
    }),
  ],
}

export const cat = (binds: string, tensors: Expr, dim: number): Call => ({
  kind: 'function',
  api: 'cat',
  name: 'torch.cat',
  args: { tensors, dim: createLiteral(dim) },
  binds,
})
export const aloud = (binds: string, args: Record<string, Expr>): Call => ({
  kind: 'tool',
  api: 'speak',
  args,
  binds,
})

/** A straight program over variables `user_variable_0`, `user_variable_1`, without a world. */
export const straight = (body: ProgramStep[], result: ResultEntry[] = []): Program =>
  withId({
    schema: 1,
    scenario: 'studio',
    variables: [
      { name: 'user_variable_0', role: 'user', values: [null] },
      { name: 'user_variable_1', role: 'user', values: [null] },
    ],
    world: null,
    body,
    result,
  })
