/** The site's appearance; the configuration that the build writes beside the pages imports it. */
import { defineConfig } from 'vitepress'
import { anchorOf } from '../markdown/scan.ts'
import type { SidebarItem } from './stage.ts'

const buildSiteConfig = (sidebar: SidebarItem[]) =>
  defineConfig({
    title: 'StateEval',
    description: 'Measures how well language models write programs that call APIs in sequence',
    cleanUrls: true,
    lastUpdated: false,
    outDir: './dist',
    // Files of the repository lie in public; VitePress knows no pages there.
    ignoreDeadLinks: [/^\/files\//],
    markdown: { anchor: { slugify: anchorOf }, attrs: { disable: true } },
    themeConfig: {
      sidebar,
      outline: [2, 3],
      search: { provider: 'local' },
      nav: [
        { text: 'First evaluation', link: '/' },
        { text: 'Commands', link: '/docs/commands' },
        { text: 'HTTP', link: '/reference/http/evaluation' },
      ],
    },
    // Fonts come from the reader's system, so no page asks another host.
    vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 20_000 } },
  })
export default buildSiteConfig
