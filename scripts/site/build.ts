/**
 * Builds the documentation site into .site/dist without the network: `npm run docs`. With --serve (and
 * --port) it then shows the site on this machine until it is stopped. A dead link fails the build, and so
 * does a page that the navigation lacks.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, serve } from 'vitepress'
import { root } from '../generated.ts'
import { deadLinks } from '../markdown/links.ts'
import { readPages } from '../markdown/pages.ts'
import { stage } from './stage.ts'

const { values } = parseArgs({
  options: { serve: { type: 'boolean' }, port: { type: 'string', default: '4173' } },
})
const dead = deadLinks(readPages(), root)
if (dead.length > 0) {
  process.stderr.write(`${dead.join('\n')}\n`)
  process.exit(1)
}
const folder = join(root, '.site')
rmSync(folder, { recursive: true, force: true })
const sidebar = stage(folder)
mkdirSync(join(folder, '.vitepress/theme'), { recursive: true })
writeFileSync(
  join(folder, '.vitepress/config.ts'),
  `import buildSiteConfig from '../../scripts/site/config.ts'\nexport default buildSiteConfig(${JSON.stringify(sidebar)})\n`,
)
// VitePress does not know the target of the repository's tsconfig.
writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "target": "es2022" } }\n')
// The theme without the fonts that it brings along.
writeFileSync(
  join(folder, '.vitepress/theme/index.js'),
  `export { default } from 'vitepress/theme-without-fonts'\n`,
)
await build(folder)
process.stdout.write(`The site is in ${join('.site', 'dist')}.\n`)
if (values.serve) await serve({ root: folder, port: Number(values.port) })
