import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['node_modules', '**/golden/**', '**/fixtures/**', '.stateeval', 'coverage'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['*.js', 'apps/cli/bin/*.js'] }, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' }],
      // Fastify handlers and interface methods are often async without awaiting.
      '@typescript-eslint/require-await': 'off',
    },
  },
  { files: ['**/*.test.ts'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off', '@typescript-eslint/no-unsafe-member-access': 'off' } },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
)
