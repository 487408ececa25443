/**
 * Interfaces that whole families or services share: contexts, and those of scenarios and benchmarks. Each has
 * at most so many members, else it hides what its users need; group them into parts that are there or not.
 */
import ts from 'typescript'

const maxMembers = 15
/** Shared interfaces besides contexts. */
const families = new Set(['Benchmark', 'Scenario', 'ServicePlatform', 'EpisodeParts', 'BlockParts'])
/** Wider ones that have not been grouped yet: they may only become narrower. */
const widest: Readonly<Record<string, number>> = {
  Scenario: 25,
  EpisodeParts: 17,
  BlockParts: 18,
  ExecutionContext: 18,
  ServicePlatform: 16,
}

/** Finds shared interfaces with too many members; `files` are all sources, as they use each other's types. */
export function findWideTypes(files: Iterable<ts.SourceFile>): string[] {
  const declared = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>()
  for (const { statements } of files)
    for (const node of statements)
      if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
        declared.set(node.name.text, node)

  const listNamed = (name: string, under: readonly string[]): string[] => {
    const node = declared.get(name)
    if (!node || under.includes(name)) return []
    const within = [...under, name]
    if (!ts.isInterfaceDeclaration(node)) return listMembers(node.type, within)
    const inherited = (node.heritageClauses ?? []).flatMap(({ types }) => [...types])
    return [...listOwn(node.members), ...inherited.flatMap((type) => listMembers(type, within))]
  }
  const listMembers = (type: ts.TypeNode, under: readonly string[]): string[] => {
    if (ts.isTypeLiteralNode(type)) return listOwn(type.members)
    if (ts.isIntersectionTypeNode(type)) return type.types.flatMap((part) => listMembers(part, under))
    if (!ts.isTypeReferenceNode(type) && !ts.isExpressionWithTypeArguments(type)) return []
    const name = (ts.isTypeReferenceNode(type) ? type.typeName : type.expression).getText()
    const [base, names] = type.typeArguments ?? []
    const chosen: readonly string[] = names?.getText().match(/(?<=')[^'|]+(?=')/g) ?? []
    if (name === 'Pick') return [...chosen]
    if (name === 'Omit' && base) return listMembers(base, under).filter((member) => !chosen.includes(member))
    return listNamed(name, under)
  }

  return [...declared].flatMap(([name, node]) => {
    if (!ts.isInterfaceDeclaration(node) || !(name.endsWith('Context') || families.has(name))) return []
    const count = new Set(listNamed(name, [])).size
    const most = widest[name] ?? maxMembers
    const { fileName } = node.getSourceFile()
    return count <= most
      ? []
      : [`${fileName}: ${name} has ${count} members and may have ${most}; group them into parts.`]
  })
}

const listOwn = (members: ts.NodeArray<ts.TypeElement>) =>
  members.flatMap(({ name }) => (name ? [name.getText()] : []))
