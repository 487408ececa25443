/** The warm runner’s two texts: the content of every isolate, and the process that creates isolates. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundler } from '../bundle.ts'
import { inputsOf } from '../../disk-cache.ts'
import { lean } from './lean.ts'

const here = createRequire(import.meta.url)
const inside = join(import.meta.dirname, 'inside')
const shim = (name: string) => join(inside, `shims/${name}.ts`)

/** Node’s modules as axios finds them in an isolate. */
const shims = {
  http: 'http',
  https: 'http',
  'follow-redirects': 'follow-redirects',
  stream: 'stream',
  zlib: 'zlib',
  url: 'url',
  events: 'events',
  'form-data': 'unused',
  'https-proxy-agent': 'unused',
  crypto: 'unused',
  http2: 'unused',
  util: 'unused',
  path: 'unused',
}

/**
 * Isolates with axios, and isolates for programs that do not mention it, which take two thirds of the time
 * to create.
 */
export const snapshotKinds = ['axios', 'bare'] as const
export type SnapshotKind = (typeof snapshotKinds)[number]

export interface WarmBundle {
  /** For the snapshots. */
  inside: Record<SnapshotKind, string>
  main: string
  boot: string
  /** The files that it was made of. */
  inputs: string[]
}

/** V8 isolates for Node, built for this machine. */
export const isolatesAddon = (): string =>
  (createRequire(here.resolve('isolated-vm'))('node-gyp-build') as { path(folder: string): string }).path(
    dirname(here.resolve('isolated-vm/package.json')),
  )

/** Takes about 80 ms. */
export function bundleWarm(): WarmBundle {
  const { buildSync, transformSync } = bundler()
  const axios = join(dirname(here.resolve('axios/package.json')), 'dist/node/axios.cjs')
  const folder = import.meta.dirname
  const shape = {
    bundle: true,
    write: false,
    target: 'node24',
    legalComments: 'inline',
    logLevel: 'silent',
  } as const
  const common = { ...shape, absWorkingDir: folder, metafile: true } as const
  const insideWith = (axios: string) =>
    buildSync({
      ...common,
      entryPoints: [join(inside, 'entry.ts')],
      alias: {
        axios,
        ...Object.fromEntries(Object.entries(shims).map(([name, file]) => [name, shim(file)])),
      },
      inject: [shim('globals')],
      platform: 'neutral',
      format: 'iife',
    })
  const [axiosBuild, bareBuild] = [insideWith(axios), insideWith(shim('no-axios'))]
  const small = (code: string) =>
    transformSync(code, { minifyWhitespace: true, target: 'node24', legalComments: 'inline' }).code
  const main = buildSync({
    ...common,
    entryPoints: [join(folder, 'main.ts')],
    platform: 'node',
    format: 'cjs',
  })
  return {
    inside: {
      axios: small(lean(guarded(axiosBuild.outputFiles[0]!.text))),
      bare: small(bareBuild.outputFiles[0]!.text),
    },
    main: main.outputFiles[0]!.text,
    boot,
    inputs: inputsOf(folder, [axiosBuild, bareBuild, main], [import.meta.filename]),
  }
}

/**
 * Answers that aren’t text need a process: the adapter is asked before it starts. Stacks are hidden before
 * they are thrown.
 */
const edits: readonly (readonly [RegExp, string])[] = [
  [/\bhttp: httpAdapter,/, 'http: (config) => guardConfig(config, httpAdapter),'],
  [/(return await this\._request\(configOrUrl, config\);\s*\} catch \(err\) \{)/, '$1 hideStack(err);'],
  [/(\bFormData\$1 = \(.*\));/, '$1.default;'],
  [/^[ \t]*getFetch\(\);$/m, ''],
]
const guarded = (code: string) =>
  edits.reduce((text, [pattern, instead]) => {
    if (!pattern.test(text))
      throw new Error(`axios no longer has ${pattern.source}: isolate/bundle.ts must follow`)
    return text.replace(pattern, instead)
  }, code)

const boot = `'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const { main, snapshot } = require('./warm.js');
const [first, second, ...files] = process.argv.slice(2);
if (first === 'snapshot') writeFileSync(files[0], snapshot(second, ...files.slice(1).map((name) => readFileSync(name, 'utf8'))));
else main(__dirname, first, second);
`

/**
 * Runs once before a snapshot is taken, so that it contains the compiled code of a program and its
 * requests. Programs without axios follow the same path, without requests.
 */
export const rehearsal = (kind: SnapshotKind) => `
const answers = [];
const door = (op, a, b) => {
  if (op === 'request') answers.push(a);
  if (op === 'bail') throw new Error('The rehearsal needs ' + a);
  if (op === 'url') return JSON.stringify({ href: a, origin: 'http://127.0.0.1:8080', protocol: 'http:', username: '', password: '', host: '127.0.0.1:8080', hostname: '127.0.0.1', port: '8080', pathname: '/x', search: '', hash: '' });
};
const { __inside: inside } = globalThis;
inside.start(door, JSON.stringify({ variables: { a: { b: 1 } }, baseUrl: 'http://127.0.0.1:8080', resultBytes: 1e6, env: {} }));
inside.run(async () => {
  ${kind === 'axios' ? requests : ''}
  console.log('x', 1);
  ${kind === 'axios' ? captured : ''}
  RESULT = { a: [1, { b: 2 }] };
});
const turn = () => Promise.resolve().then(() => {
  for (const id of answers.splice(0)) inside.answer(id, JSON.stringify({ status: 200, statusText: 'OK', headers: { 'content-type': 'application/json' }, body: '{"a":[1]}', bytes: 9 }));
  inside.nextTimer();
});
let turns = Promise.resolve();
for (let i = 0; i < 400; i++) turns = turns.then(turn);
turns.then(() => inside.finish());
`

const requests = `const axios = require('axios');
  const url = BASE_URL + '/x';
  for (let i = 0; i < 2; i++) {
    await axios.get(url, { params: { a: 1 } });
    await axios.post(url, { a: 1 });
    await axios.put(url, { a: 1 }, { headers: { 'content-type': 'application/json' } });
    await axios.delete(url).catch(() => {});
  }`
const captured = `inside.start(door, JSON.stringify({ variables: {}, baseUrl: null, resultBytes: 1e6, env: {}, capture: { status: 200, most: 100 } }));
  for (let i = 0; i < 3; i++) {
    await axios.get('https://a.b/x', { params: { a: 1, b: 'c d' }, headers: { Authorization: 'Bearer x' } });
    await axios.post('https://a.b/x', { a: { b: [1] } }, { params: { a: 1 }, headers: { Authorization: 'Bearer x', 'Content-Type': 'application/json' } });
  }`
