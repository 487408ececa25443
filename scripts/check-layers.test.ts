import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import ts from 'typescript'
import { checkLayers } from './check-layers.ts'
import { readSources } from './imports.ts'
import { circlesIn, sayCircles, unusedExports } from './measures.ts'
import { findWideTypes } from './wide-types.ts'

/**
 * What a look at a made-up repository gives: two pure packages, the chassis, the test kit, a scenario, two
 * services.
 */
function lookAt<T>(files: Record<string, string>, look: (root: string) => T): T {
  const root = mkdtempSync(join(tmpdir(), 'stateeval-layers-'))
  const workspace = (name: string, ...dependencies: string[]) =>
    JSON.stringify({
      name: `@stateeval/${name}`,
      dependencies: Object.fromEntries(dependencies.map((one) => [one, '*'])),
      exports: { '.': './src/index.ts' },
    })
  const all: Record<string, string> = {
    'packages/contracts/package.json': workspace('contracts'),
    'packages/program/package.json': workspace('program', '@stateeval/contracts'),
    'packages/service-kit/package.json': workspace('service-kit', '@stateeval/contracts'),
    'packages/testkit/package.json': workspace('testkit'),
    'scenarios/shop/package.json': JSON.stringify({
      name: '@stateeval/scenario-shop',
      dependencies: { '@stateeval/service-kit': '*', '@stateeval/program': '*' },
      exports: { '.': './index.ts', './backend': './backend/index.ts' },
    }),
    'services/one/package.json': workspace(
      'service-one',
      '@stateeval/service-kit',
      '@stateeval/service-two',
      '@stateeval/testkit',
      '@stateeval/scenario-shop',
    ),
    'services/two/package.json': workspace('service-two'),
    ...files,
  }
  try {
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(join(root, dirname(path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return look(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

const faultsOf = (files: Record<string, string>) => lookAt(files, (root) => checkLayers(root).faults)

test('what is allowed passes', () => {
  expect(
    faultsOf({
      'packages/program/src/index.ts':
        "import type { Json } from '@stateeval/contracts'\nimport { createHash } from 'node:crypto'\nconst say = 'Date.now() and process.env are text here' // so is Math.random()\nnew Date(0)",
      'scenarios/shop/backend/index.ts':
        "import { x } from '@stateeval/service-kit'\nimport { y } from '../index.ts'\nDate.now()",
      'services/one/src/main.ts': "import { x } from '@stateeval/service-kit'\nprocess.env.X",
      'services/one/src/main.test.ts': "import { x } from '@stateeval/testkit'",
    }),
  ).toEqual([])
})

test.each([
  [
    'upwards',
    'packages/contracts/src/a.ts',
    "import { x } from '../../program/src/b.ts'",
    /contracts stand below everything/,
  ],
  [
    'a service of a service',
    'services/one/src/a.ts',
    "import { x } from '@stateeval/service-two'",
    /never another service/,
  ],
  [
    'a service past the list',
    'services/one/src/a.ts',
    "export { x } from '@stateeval/scenario-shop/backend'",
    /the two lists/,
  ],
  ['the test kit', 'services/one/src/a.ts', "import { x } from '@stateeval/testkit'", /only tests import/],
  ['a test', 'services/one/src/a.ts', "import { x } from './a.test.ts'", /only tests import/],
  [
    'its own backend',
    'scenarios/shop/index.ts',
    "import { x } from './backend/index.ts'",
    /a scenario imports world-model, program and contracts/,
  ],
  [
    'dynamically',
    'scenarios/shop/index.ts',
    "await import('@stateeval/service-kit')",
    /a scenario imports world-model, program and contracts/,
  ],
  [
    'what is not declared',
    'packages/program/src/a.ts',
    "import _ from 'lodash/fp'",
    /imports lodash, which packages\/program\/package\.json does not declare/,
  ],
  ['I/O', 'packages/program/src/a.ts', "import { readFileSync } from 'node:fs'", /this folder is pure/],
  ['the clock', 'packages/program/src/a.ts', 'const t = Date.now()', /reads the clock/],
  ['today', 'packages/program/src/a.ts', 'const t = new Date()', /reads the clock/],
  ['global random', 'scenarios/shop/index.ts', 'const t = Math.random()', /take an Rng/],
  ['the environment', 'scenarios/shop/index.ts', 'const t = process.env.HOME', /reads the environment/],
  [
    'the whole record in a part of evaluation',
    'services/evaluation/src/owners/a.ts',
    "import type { EvaluationContext } from '../context.ts'",
    /declare the few things that are needed/,
  ],
  [
    'the whole record in a route of evaluation',
    'services/evaluation/src/routes/a.ts',
    "import type { EvaluationContext } from '../context.ts'",
    /declare the few things that are needed/,
  ],
  [
    'a route in a part of evaluation',
    'services/evaluation/src/owners/a.ts',
    "import { handlers } from '../routes/index.ts'",
    /routes and jobs stand above/,
  ],
  [
    'what is stored in a flow',
    'packages/flows/src/a.ts',
    "import type { Owner } from '../../../services/evaluation/src/owners/owner.ts'",
    /flows are pure/,
  ],
  ['timers', 'packages/contracts/src/a.ts', 'setTimeout(() => {}, 1)', /does I\/O or waits/],
])('a planted violation is found: %s', (_what, path, text, sentence) => {
  const faults = faultsOf({ [path]: text })
  expect(faults).toEqual([expect.stringMatching(sentence)])
  expect(faults[0]).toMatch(new RegExp(`^${path}:1 `))
})

test('files that import each other are told with the imports between them, types and packages included', () => {
  const sources = lookAt(
    {
      'packages/program/src/index.ts': "export * from './a.ts'",
      'packages/program/src/a.ts': "import type { B } from './b.ts'\nexport const a = 1",
      'packages/program/src/b.ts': "import { c } from './c.ts'\nexport type B = typeof c",
      'packages/program/src/c.ts': "import { a } from '@stateeval/program'\nexport const c = a",
      'packages/program/src/d.ts': "import { c } from './c.ts'\nexport const d = c",
    },
    readSources,
  )
  const circles = circlesIn(sources)
  expect(circles).toEqual([['a', 'b', 'c', 'index'].map((name) => `packages/program/src/${name}.ts`)])
  expect(sayCircles(circles, sources)).toContain('packages/program/src/b.ts → packages/program/src/c.ts')
})

test('exports that no other file imports are told, except those of modules that threads load by their paths', () => {
  const sources = lookAt(
    {
      'packages/program/src/a.ts': 'export const a = 1\nexport const b = 2\nexport default a',
      'packages/program/src/b.ts':
        "import { a } from './a.ts'\nstart(new URL('./work.ts', import.meta.url), a)",
      'packages/program/src/work.ts': 'export const work = () => 1',
    },
    readSources,
  )
  expect(unusedExports(sources)).toEqual(['packages/program/src/a.ts: b'])
})

test('a long chain of imports is no circle, and a deep one is read', () => {
  const files = Array.from({ length: 3000 }, (_, n) => `f${n}`)
  const chain = new Map(
    files.map((file, n) => [file, { imports: new Set(n + 1 < 3000 ? [`f${n + 1}`] : []) }]),
  )
  expect(circlesIn(chain)).toEqual([])
  chain.get('f2999')!.imports.add('f0')
  expect(circlesIn(chain).map(({ length }) => length)).toEqual([3000])
})

test('a context with more than 15 members is told, with those that it inherits', () => {
  const members = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `m${from + at}: string`).join('\n')
  const read = (text: string) =>
    findWideTypes([ts.createSourceFile('packages/a/src/context.ts', text, ts.ScriptTarget.Latest, true)])
  const parts = `type Parts = { ${members(0, 9)} } & Pick<Other, 'm9' | 'm10'>`
  expect(read(`${parts}\nexport interface SomeContext extends Parts { ${members(8, 15)} }`)).toEqual([])
  expect(read(`${parts}\nexport interface SomeContext extends Parts { ${members(8, 16)} }`)).toEqual([
    'packages/a/src/context.ts: SomeContext has 16 members and may have 15; group them into parts.',
  ])
})
