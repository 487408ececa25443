/** How the page is built: one entry, code viewers apart, and of the contract only what a browser needs. */
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { AgentOptions, BuildOptions, EvaluationOptions, evaluationOperations } from '@stateeval/contracts'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

/**
 * The application that a service serves, the script that begins before it, or the application inside a file,
 * with its data.
 */
export type DashboardEdition = 'served' | 'early' | 'file'
const scripts = { early: 'early.ts', file: 'main.tsx' } as const

/**
 * The schemas are large and check nothing here: methods, paths, and what options say of themselves remain.
 */
function createContractModule(edition: DashboardEdition): Plugin {
  const id = 'virtual:contract'
  return {
    name: 'contract',
    resolveId: (name) => (name === id ? `\0${id}` : undefined),
    load(name) {
      if (name !== `\0${id}`) return undefined
      const operations = Object.fromEntries(
        Object.entries(evaluationOperations).map(([key, { method, path }]) => [key, { method, path }]),
      )
      return [
        `export const operations = ${JSON.stringify(operations)}`,
        `export const evaluationOptions = ${JSON.stringify(EvaluationOptions.properties)}`,
        `export const buildOptions = ${JSON.stringify(BuildOptions.properties)}`,
        `export const agentOptions = ${JSON.stringify(AgentOptions.properties)}`,
        `export const inFile = ${edition === 'file'}`,
      ].join('\n')
    },
  }
}

export const createPageConfig = (edition: DashboardEdition): UserConfig => ({
  root: import.meta.dirname,
  plugins: [react(), createContractModule(edition)],
  // Other tools of the checkout may bring another one.
  resolve: { dedupe: ['react', 'react-dom'] },
  build: {
    target: 'es2022',
    // Data addresses would need another rule of the page's policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
    // A page opened from disk loads nothing, and the early script waits for nothing: one script each.
    ...(edition !== 'served' && {
      cssCodeSplit: false,
      modulePreload: false,
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        input: join(import.meta.dirname, 'src', scripts[edition]),
        transform: { define: { 'import.meta': '{}' } },
        output: { format: 'iife', codeSplitting: false, entryFileNames: `${edition}.js` },
      },
    }),
  },
  logLevel: 'warn',
})

export default defineConfig(createPageConfig('served'))
