// One Jest project per workspace folder gives clear output. Sources are native ESM; Babel only strips the types.
const folders = ['packages', 'scenarios', 'benchmarks', 'services', 'apps', 'e2e', 'bench', 'scripts']
const project = (folder) => ({
  displayName: folder,
  rootDir: import.meta.dirname,
  roots: [`<rootDir>/${folder}`],
  testMatch: ['**/*.test.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      'babel-jest',
      { presets: [['@babel/preset-typescript', { allowImportingTsExtensions: true, onlyRemoveTypeImports: true }]] },
    ],
  },
  transformIgnorePatterns: ['/node_modules/'],
})
export default { projects: folders.map(project), testTimeout: 30_000, maxWorkers: 2 }
