/** How the page is built: one entry, code viewers apart, and of the contract only what a browser needs. */
import react from '@vitejs/plugin-react'
import { EvaluationOptions, evaluationOperations } from '@stateeval/contracts'
import { defineConfig, type Plugin } from 'vite'

/**
 * The schemas are large and check nothing here: methods, paths, and what options say of themselves remain.
 */
function contractModule(): Plugin {
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
      ].join('\n')
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), contractModule()],
  // Other tools of the checkout may bring another one.
  resolve: { dedupe: ['react', 'react-dom'] },
  build: {
    target: 'es2022',
    // Data addresses would need another rule of the page's policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
  },
  logLevel: 'warn',
})
