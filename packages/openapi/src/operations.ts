/** The operations of a document: where they stand, and what they are read from. */
import { type SpecificationDocument, type DocumentNode, readPart } from './document.ts'

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'] as const

/** One operation of a path. */
export interface OperationNode {
  template: string
  method: string
  place: string
  item: DocumentNode
  operation: DocumentNode
  /** Parameters of the path, then its own, with the place of each. */
  parameters: readonly { node: DocumentNode; place: string }[]
}
/** An operation, or a whole path (then without a method), that is broken. */
export interface BrokenPart {
  template: string
  method?: string
  broken: string
}

/**
 * Applies `read` to each operation, path by path in the document's order. A broken part drops only its
 * operation, or its path.
 */
export function readOperations<Value>(
  document: SpecificationDocument,
  read: (operation: OperationNode) => Value,
): { template: string; operations: ({ method: string; value: Value } | BrokenPart)[] }[] {
  const { paths } = document.root
  if (paths === undefined || paths === null) document.wrong('paths', 'are missing: there is nothing to call')
  return Object.entries(document.object(paths, 'paths'))
    .filter(([template]) => !template.startsWith('x-'))
    .map(([template, value]) => {
      const place = `paths/${template}`
      const item = readPart(() =>
        template.startsWith('/')
          ? document.resolve(value, place)
          : document.wrong(place, 'must begin with /'),
      )
      if ('broken' in item) return { template, operations: [{ template, ...item }] }
      const operations = methods
        .filter((method) => item.value[method] !== undefined)
        .map((method) => {
          const part = readPart(() => read(readOperation(document, item.value, { template, method })))
          return 'broken' in part ? { template, method, ...part } : { method, ...part }
        })
      return { template, operations }
    })
}

function readOperation(
  document: SpecificationDocument,
  item: DocumentNode,
  { template, method }: Pick<OperationNode, 'template' | 'method'>,
): OperationNode {
  const place = `paths/${template}/${method}`
  const operation = document.resolve(item[method], place)
  const parameters = [
    ...listOperationParameters(document, item, `paths/${template}`),
    ...listOperationParameters(document, operation, place),
  ]
  return { template, method, place, item, operation, parameters }
}
const listOperationParameters = ({ list, resolve }: SpecificationDocument, from: DocumentNode, of: string) =>
  list(from['parameters'], `${of}/parameters`).map((one, n) => {
    const place = `${of}/parameters/${n}`
    return { node: resolve(one, place), place }
  })
