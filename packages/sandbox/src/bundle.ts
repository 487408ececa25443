/** The runner and axios as one file, and the few lines that start it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'

const here = createRequire(import.meta.url)

/** In about 60 ms. */
export function bundleRunner(): { code: string; boot: string; axios: string } {
  const folder = dirname(here.resolve('axios/package.json'))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const built = buildSync({
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
    // Both cost milliseconds at every start and are needed by no request to a world: loaded when first used.
    external: ['http2', 'https-proxy-agent'],
  })
  const code = lazily(built.outputFiles[0]!.text)
  return { code, boot, axios: version }
}

/**
 * axios asks for HTTP/2 and for a proxy agent when it loads, and builds its fetch adapter although nobody asked for
 * it. All three can wait for their first use, which saves 30 ms of a start; where the text isn't found, nothing changes.
 */
function lazily(code: string): string {
  return code
    .replace(/\brequire\("(?:node:)?http2"\)/g, "lazy(()=>require('http2'))")
    .replace(/\brequire\("https-proxy-agent"\)/g, "lazy(()=>{throw new Error('No proxy can be used here')})")
    .replace(/^\s*getFetch\(\);$/m, '')
}

const boot = `'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const { Script, constants } = require('node:vm');
const folder = __dirname + '/';
const lazy = (load) => new Proxy(function () {}, { get: (_, key) => load()[key], construct: (_, args) => new (load())(...args) });
let cachedData;
try { cachedData = readFileSync(folder + 'runner.cache'); } catch {}
const script = new Script('(function(exports,require,module,lazy){' + readFileSync(folder + 'runner.js', 'utf8') + '\\n})', { filename: 'runner.js', cachedData, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, require, module_, lazy);
if (process.argv[2] === 'warm') {
  const server = require('node:http').createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end('{"a":[1]}');
  });
  server.listen(0, '127.0.0.1', async () => {
    const axios = module_.exports.load('axios');
    const url = 'http://127.0.0.1:' + server.address().port + '/x';
    for (let i = 0; i < 3; i++) {
      await axios.get(url, { params: { a: 1 } });
      await axios.post(url, { a: 1 });
      await axios.put(url, { a: 1 });
      await axios.delete(url);
    }
    writeFileSync(process.argv[3], script.createCachedData());
    process.exit(0);
  });
} else {
  if (process.env.STATEEVAL_REJECTED) console.error('code cache rejected:', script.cachedDataRejected);
  module_.exports.main();
}
`
