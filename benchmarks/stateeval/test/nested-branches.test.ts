/** Cases whose programs have ifs in branches: an input for each path, in code, tools mode and causes. */
import { expect, test } from '@jest/globals'
import type { JsonObject, JsonValue } from '@stateeval/contracts'
import {
  buildProgramCandidate,
  emit,
  isCall,
  listExecutionPaths,
  listIfs,
  listPathConditions,
  listResultKeys,
  listSides,
} from '@stateeval/program'
import { listExpectedPaths } from '../expected-calls.ts'
import { createResultTool, resultTool } from '../tools/result-tool.ts'
import { listNextCalls, type ScriptAnswer } from '../tools/script.ts'
import { benchmark, cases, predict, scenario } from './cases.ts'

const length = 5
const some = cases(6, 1, { branches: 2.5, length })

test('a case has an input for each path, and its reference passes on all', () => {
  for (const c of some) {
    expect(c.oracles).toHaveLength(listIfs(c.program).length + 1)
    const code = emit(c.program, 'javascript') as string
    const observations = c.oracles.map(({ input }) => predict(c.program, input))
    const candidate = buildProgramCandidate({ answer: code, code, observations })
    expect(benchmark.score({ case: c, candidate })).toMatchObject({ passed: true })
  }
})

test('in tools mode, the script takes the path of each input, and submits its RESULT', () => {
  for (const c of some) {
    const tool = createResultTool(c)
    expect(Object.keys((tool.parameters as { properties: object }).properties)).toEqual(
      listResultKeys(c.program),
    )
    for (const { input, result } of c.oracles) {
      const variables = input.variables as Record<string, JsonValue>
      let world = scenario.open(input.world as JsonValue)
      const answers: ScriptAnswer[] = []
      for (let submitted: unknown; submitted === undefined;) {
        const next = listNextCalls(c.program, scenario, structuredClone(variables), answers)
        if ('stopped' in next) throw new Error(next.stopped)
        for (const { name, arguments: text } of next.calls) {
          const args = JSON.parse(text) as JsonObject
          if (name === resultTool) submitted = args
          else {
            const transition = scenario.operations.find(({ id }) => id === name)!.apply(world, args)
            if (!transition.ok) throw new Error(transition.error.message)
            world = transition.world
            answers.push({ ok: true, value: structuredClone(transition.output ?? null) })
          }
        }
        if (submitted !== undefined) expect(submitted).toEqual(result)
      }
      expect(answers).toHaveLength(length)
    }
  }
})

test('a cause is looked for beside the other branch of each if on the path', () => {
  for (const c of some)
    for (const [input, { branch: end, blocks }] of listExecutionPaths(c.program).entries()) {
      const paths = listExpectedPaths(c, input, scenario)
      expect(paths.map(({ branching }) => branching?.conditionPath)).toEqual(
        listPathConditions(c.program, end).map(({ path }) => path),
      )
      expect(paths).toHaveLength(listSides(end).length)
      let shared = 0
      for (const [depth, { expectedCalls, otherCalls = [] }] of paths.entries()) {
        shared += blocks[depth]![1].steps.filter(isCall).length
        expect([expectedCalls, otherCalls].map((calls) => calls.length)).toEqual([length, length])
        expect(otherCalls.slice(0, shared)).toEqual(expectedCalls.slice(0, shared))
        expect(otherCalls).not.toEqual(expectedCalls)
      }
    }
})
