/**
 * A module's import and export as statements of a function. Imports are hoisted, as the language requires.
 */
import type { ImportDeclaration, Program } from 'acorn'
import type { TextEdits } from './edits.ts'
import { defaultName, importName } from './names.ts'

/** Removes exports and imports; returns the imports as code for the first line. */
export function rewriteModule(program: Program, edits: TextEdits): string {
  const hoisted: string[] = []
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      hoisted.push(importCode(statement))
      edits.replace(statement.start, statement.end, ';')
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration) {
      edits.replace(statement.start, statement.declaration.start, '')
    } else if (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportAllDeclaration') {
      edits.replace(statement.start, statement.end, ';')
    } else if (statement.type === 'ExportDefaultDeclaration') {
      const { declaration } = statement
      const named =
        (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') &&
        declaration.id !== null
      edits.replace(statement.start, declaration.start, named ? '' : `;${defaultName}=`)
    }
  }
  return hoisted.join('')
}

function importCode({ specifiers, source }: ImportDeclaration): string {
  const importExpression = `await ${importName}(${JSON.stringify(source.value)})`
  const namedImports: string[] = []
  const parts: string[] = []
  for (const specifier of specifiers) {
    switch (specifier.type) {
      case 'ImportNamespaceSpecifier':
        parts.push(`const ${specifier.local.name}=${importExpression};`)
        break
      case 'ImportDefaultSpecifier':
        namedImports.push(`default:${specifier.local.name}`)
        break
      case 'ImportSpecifier':
        namedImports.push(
          `${specifier.imported.type === 'Literal' ? JSON.stringify(specifier.imported.value) : specifier.imported.name}:${specifier.local.name}`,
        )
        break
    }
  }
  if (namedImports.length > 0) parts.push(`const {${namedImports.join(',')}}=${importExpression};`)
  return parts.length > 0 ? parts.join('') : `${importExpression};`
}
