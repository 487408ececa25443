import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { root } from '../generated.ts'
import { type Contract, httpPage } from '../site/http-reference.ts'
import { deadLinks } from './links.ts'
import { messageFaults } from './messages.ts'
import { pageFindings } from './prose.ts'
import { anchorOf, scan } from './scan.ts'

const whenLong = process.env['STATEEVAL_LONG'] === '1' ? test : test.skip

const page = scan(`# A page

See [nothing](nowhere.md), [here](#a-page), [not here](#another) and \`[code](nowhere.md)\`.

<!-- not run: an example -->
\`\`\`sh
echo [no](link.md)
\`\`\`

## \`run\`: it’s done

## Twice

## Twice

| a | b |
| --- | --- |
| \`x | y\` | cell |

- one
  two
`)

test('a page is scanned into links, headings, blocks and prose', () => {
  expect(page.links.map(({ target }) => target)).toEqual(['nowhere.md', '#a-page', '#another'])
  expect(page.headings.map(({ anchor }) => anchor)).toEqual(['a-page', 'run-its-done', 'twice', 'twice-1'])
  expect(page.fences).toEqual([
    {
      language: 'sh',
      text: 'echo [no](link.md)',
      line: 6,
      notRun: 'an example',
      runWith: null,
      serves: null,
    },
  ])
  expect(page.prose.filter(({ kind }) => kind === 'cell').map(({ text }) => text)).toEqual([
    'a',
    'b',
    '`x | y`',
    'cell',
  ])
  expect(page.prose.at(-1)).toEqual({ kind: 'item', text: 'one two', line: 20 })
  expect(anchorOf('Delivery: at least once, effect exactly once')).toBe(
    'delivery-at-least-once-effect-exactly-once',
  )
})

test('a link to a file or a heading that does not exist is found', () => {
  expect(deadLinks(new Map([['README.md', page]]), root)).toEqual([
    'README.md:3: nowhere.md: There is no such file.',
    'README.md:3: #another: The page has no such heading.',
  ])
})

test('long sentences, paragraphs, cells and lines are found, and phrases of ours', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')
  const found = (text: string) => pageFindings(scan(text))
  expect(found(`${words(36)}.`).faults.map(({ text }) => text)).toEqual([
    'A sentence has 36 words: “word word word word word word …”',
    'The line has 180 characters; wrap it at 120.',
  ])
  expect(found(`${words(26)}.`.replace(' ', '\n')).warnings).toHaveLength(1)
  expect(found('One. Two. Three. Four. Five. Six.').faults).toHaveLength(1)
  expect(found(`| a |\n| --- |\n| ${words(20)}. ${words(6)} |`).faults).toHaveLength(1)
  expect(found('It has a file of its own.').faults[0]?.text).toContain('of its own')
  expect(found('The body is no object.').faults[0]?.text).toContain('is not a')
  expect(found('There is no object.').faults).toEqual([])
  expect(found('Version 1.2 of `a b c. D` is there.')).toEqual({ faults: [], warnings: [] })
})

test('errors, help texts and descriptions have plain words', () => {
  expect(messageFaults()).toEqual([])
})

test('the reference of HTTP has every operation with its errors, and every schema that it names', () => {
  const contract = parse(readFileSync(join(root, 'openapi/scoring.yaml'), 'utf8')) as Contract
  const text = httpPage(contract)
  for (const [path, item] of Object.entries(contract.paths))
    for (const method of Object.keys(item)) expect(text).toContain(`\`${method.toUpperCase()} ${path}\``)
  const named = [...text.matchAll(/\(#(schema-[^)]+)\)/g)].map(([, anchor]) => anchor!)
  expect(named.length).toBeGreaterThan(10)
  for (const anchor of named) expect(text).toContain(`<a id="${anchor}">`)
  expect(text).toMatch(/\| 422 \| .+ \| `application\/problem\+json`/)
})

whenLong('the site is built without the network, with every page', async () => {
  await promisify(execFile)(process.execPath, ['scripts/site/build.ts'], { cwd: root })
  const dist = join(root, '.site/dist')
  for (const path of ['index', 'docs/commands', 'benchmarks/nestful/index', 'reference/http/evaluation'])
    expect([path, existsSync(join(dist, `${path}.html`))]).toEqual([path, true])
  for (const file of globSync('**/*.{html,css}', { cwd: dist })) {
    const text = readFileSync(join(dist, file), 'utf8')
    expect([file, /(?:src="|url\(["']?|<link[^>]*href=")https?:/.exec(text)?.[0]]).toEqual([file, undefined])
  }
})
