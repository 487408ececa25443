import { expect, test } from '@jest/globals'
import { backupOrder, isMarks, restoreOrder } from './backup-order.ts'

const all = [
  'evaluation.due-deliveries',
  'execution.open',
  'answers',
  'evaluation.active',
  'evaluation.evaluations',
  'artifacts',
  'execution.outcomes',
]

test('what others name is read last and written first; marks of work are written last', () => {
  expect(backupOrder(all).slice(-2)).toEqual(['answers', 'artifacts'])
  expect(restoreOrder(all)).toEqual([
    'answers',
    'artifacts',
    'evaluation.evaluations',
    'execution.outcomes',
    'evaluation.active',
    'evaluation.due-deliveries',
    'execution.open',
  ])
  expect(backupOrder(all).toSorted()).toEqual(restoreOrder(all).toSorted())
  expect(all.filter(isMarks)).toHaveLength(3)
})
