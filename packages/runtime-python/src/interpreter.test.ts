/** What is remembered of an interpreter is what its files still say. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { describePython } from './interpreter.ts'

test('a package that is examined in the middle of its installation is found after it', () => {
  const folder = mkdtempSync('/var/tmp/stateeval-python-')
  const before = process.env['PYTHONPATH']
  try {
    const torch = join(folder, 'torch')
    mkdirSync(torch)
    process.env['PYTHONPATH'] = folder
    const describe = () => describePython('/usr/bin/python3', folder).versions['torch']
    writeFileSync(
      join(torch, '__init__.py'),
      'raise ImportError("libtorch.so: cannot open shared object file")\n',
    )
    expect(describe()).toBeUndefined()
    writeFileSync(join(torch, '__init__.py'), '__version__ = "9.9"\nclass version:\n    cuda = None\n')
    expect(describe()).toBe('9.9')
  } finally {
    if (before === undefined) delete process.env['PYTHONPATH']
    else process.env['PYTHONPATH'] = before
    rmSync(folder, { recursive: true, force: true })
  }
})
