import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      '.stateeval',
      '.site',
      'coverage',
      'apps/dashboard/dist*',
      'clients/typescript/dist',
      'clients/typescript/examples',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['*.js', 'apps/cli/bin/*.js', 'apps/cli/test/fixtures/*.mjs'],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='Type'][property.name='Record']",
          message:
            'Type.Record leaves members unchecked whose names its pattern misses: use recordOf of @stateeval/contracts.',
        },
      ],
      // Fastify handlers and interface methods are often async without awaiting.
      '@typescript-eslint/require-await': 'off',
      // Prettier keeps code within the width, and leaves comments as they are.
      'max-len': [
        'error',
        {
          code: 110,
          ignoreUrls: true,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
          ignorePattern: 'eslint-disable|@ts-expect-error',
        },
      ],
      // What is turned into text here is JSON, as it would stand in a path or a message.
      '@typescript-eslint/no-base-to-string': 'off',
    },
  },
  {
    // Texts of models, endpoints and candidates are hostile: no pattern may take longer than their length
    // says.
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },
  {
    // Tests look into JSON answers freely; an answer that isn't what they expect fails them.
    files: ['**/*.test.ts'],
    rules: Object.fromEntries(
      ['assignment', 'member-access', 'call', 'argument', 'return'].map((what) => [
        `@typescript-eslint/no-unsafe-${what}`,
        'off',
      ]),
    ),
  },
  { files: ['**/*.{js,mjs}'], ...tseslint.configs.disableTypeChecked },
  // Emitted programs load their modules as models are told to.
  {
    files: ['**/golden/*.js'],
    rules: { '@typescript-eslint/no-require-imports': 'off', 'max-len': 'off' },
  },
)
