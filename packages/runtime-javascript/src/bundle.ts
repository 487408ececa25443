/** Bundles the runner and axios into one file, with its start script. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as Esbuild from 'esbuild'
import { listBundleInputs } from './disk-cache.ts'

const here = createRequire(import.meta.url)

export interface RunnerBundle {
  bundle: string
  code: string
  boot: string
  axios: string
  /** The files that it was made of. */
  inputs: string[]
}

/** Loaded on demand: most starts find an existing bundle. */
export const loadBundler = () => here('esbuild') as typeof Esbuild

/** Takes 60 ms, or five times that on a busy machine. */
export function buildRunnerBundle(): RunnerBundle {
  const { buildSync, transformSync } = loadBundler()
  const folder = dirname(here.resolve('axios/package.json'))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const buildResult = buildSync({
    absWorkingDir: import.meta.dirname,
    metafile: true,
    entryPoints: [join(import.meta.dirname, 'runner/entry.ts')],
    alias: { axios: join(folder, 'dist/node/axios.cjs') },
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minifySyntax: true,
    legalComments: 'inline',
    logLevel: 'silent',
    external: ['http2', 'https-proxy-agent'],
  })
  const bundle = buildResult.outputFiles[0]!.text
  const { code } = transformSync(deferModules(bundle), {
    minifyWhitespace: true,
    minifyIdentifiers: true,
    target: 'node24',
  })
  return {
    bundle,
    code,
    boot,
    axios: version,
    inputs: listBundleInputs(import.meta.dirname, [buildResult], [import.meta.filename]),
  }
}

/**
 * Modules that axios loads although no plain request needs them: HTTP/2, TLS, a proxy agent, multipart forms,
 * crypto, and undici (for its fetch adapter, and to know a FormData when it sees one). Each waits for its
 * first use, which saves most of a start's time. Text that isn't found changes nothing; the test of this file
 * says so.
 */
export const deferrals: readonly (readonly [RegExp, string])[] = [
  [/\brequire\("http2"\)/g, "lazy(() => require('http2'))"],
  [/\brequire\("https"\)/g, "lazy(() => require('https'))"],
  [/\brequire\("https-proxy-agent"\)/g, "lazy(() => { throw new Error('No proxy can be used here') })"],
  [/\bFormData\$1 = require_form_data\(\)/, 'FormData$$1 = lazy(() => require_form_data())'],
  [/(FormData\$1 = lazy.*), crypto = require\("crypto"\)/, "$1, crypto = lazy(() => require('crypto'))"],
  // A FormData is known by its tag as well.
  [/\bFormDataCtor = typeof G\.FormData < "u" \? G\.FormData : void 0/, 'FormDataCtor = null'],
  [/^[ \t]*getFetch\(\);$/m, ''],
]
const deferModules = (code: string) =>
  deferrals.reduce((text, [pattern, instead]) => text.replace(pattern, instead), code)

const boot = `'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const { Script, constants } = require('node:vm');
const folder = __dirname + '/';
const lazy = (load) => new Proxy(function () {}, { get: (_, key) => load()[key], construct: (_, args) => new (load())(...args) });
let cachedData;
try { cachedData = readFileSync(folder + (process.argv.length > 3 ? 'forks.cache' : 'runner.cache')); } catch {}
const script = new Script('(function(exports,require,module,lazy){' + readFileSync(folder + 'runner.js', 'utf8') + '\\n})', { filename: 'runner.js', cachedData, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, require, module_, lazy);
if (process.argv[2] === 'warm') {
  module_.exports.warmModules(() => {
    writeFileSync(process.argv[3], script.createCachedData());
    process.kill(process.pid, 'SIGKILL');
  });
} else {
  module_.exports.main();
}
`
