/** Mutation operators on programs of every scenario: none lacks a site, and each site gives a program. */
import { expect, test } from '@jest/globals'
import { defaultOptions, generate } from '@stateeval/generate'
import { collectKnownAnswers, createRng, emit, mutationOperators, withId } from '@stateeval/program'
import { pickForRun } from '@stateeval/testkit/run-length'
import { parse } from 'acorn'
import { scenarios } from '../index.ts'

test('every site of every operator changes the program into one that can be written', () => {
  const used = new Set<string>()
  for (const scenario of scenarios)
    for (const { program } of generate(scenario, {
      ...defaultOptions,
      count: pickForRun(8, 40),
      length: 6,
      branches: 1.5,
    })) {
      const facts = collectKnownAnswers(program, scenario)
      for (const operator of mutationOperators) {
        const sites = operator.sites(program, facts)
        for (const site of sites.slice(0, pickForRun(2, 1000))) {
          const changed = site.change(createRng(site.where))
          used.add(operator.id)
          expect([operator.id, site.where, withId(changed).id]).not.toContain(program.id)
          const code = emit(changed, 'javascript') as string
          const options = { ecmaVersion: 'latest', sourceType: 'module' } as const
          expect(() => parse(code, options)).not.toThrow()
        }
        const names = sites.map(({ where }) => where)
        expect([operator.id, names]).toEqual([operator.id, [...new Set(names)]])
      }
    }
  expect(mutationOperators.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([])
})
