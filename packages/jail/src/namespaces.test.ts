import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { namespaceRemedy } from './namespaces.ts'

const refused = 'bwrap: No permissions to create new namespace'
const values: Readonly<Record<string, readonly [allows: string, refuses: string]>> = {
  'kernel.unprivileged_userns_clone': ['1', '0'],
  'user.max_user_namespaces': ['15000', '0'],
  'user.max_net_namespaces': ['15000', '0'],
  'kernel.apparmor_restrict_unprivileged_userns': ['0', '1'],
}
const names = Object.keys(values)

test('each setting that refuses is named once with its command, and no other is', () => {
  fc.assert(
    fc.property(fc.subarray(names), fc.subarray(names), (refusing, absent) => {
      const says = namespaceRemedy(refused, (name) =>
        absent.includes(name) ? undefined : values[name]![Number(refusing.includes(name))],
      )!
      for (const name of names) {
        const isNamed = refusing.includes(name) && !absent.includes(name)
        expect(says.split(`sysctl -w ${name}=${values[name]![0]}`).length - 1).toBe(Number(isNamed))
      }
    }),
  )
})

test('what is no matter of namespaces gets no such remedy', () => {
  expect(namespaceRemedy('node: cannot execute: No such file or directory', () => '0')).toBeUndefined()
})
