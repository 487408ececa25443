/**
 * Failures of the kind that models make, written and labelled by hand before the rules were measured on them.
 * Each is JavaScript against a case of the session service: the reference code with a mistake, or a program
 * in a model's own manner. The labels follow three sentences:
 * - documentation misread: the documentation says otherwise, whatever is in the service (endpoints,
 *   parameters, forms of bodies and answers);
 * - instruction not followed: the instruction says otherwise (which calls, in which order, with which given
 *   values, which branch, what RESULT holds);
 * - implicit state mismanaged: only what earlier calls did or answered says otherwise (which item, whether it
 *   is still there, how many there are).
 */
export type Label = 'documentation_misread' | 'instruction_not_followed' | 'implicit_state_mismanaged'

export interface Labelled {
  name: string
  /** Place in the list of cases. */
  case: number
  cause: Label
  kind: string
  /** From the reference code to the candidate's. */
  code: (reference: string) => string
}

/** Replaces parts of the reference code, each of which must be there. */
export const edit =
  (...changes: [string, string][]) =>
  (reference: string): string =>
    changes.reduce((code, [from, to]) => {
      if (!code.includes(from)) throw new Error(`${from} is not in the reference code:\n${code}`)
      return code.replace(from, () => to)
    }, reference)
const all =
  (from: string, to: string) =>
  (reference: string): string => {
    if (!reference.includes(from)) throw new Error(`${from} is not in the reference code`)
    return reference.replaceAll(from, () => to)
  }
const whole = (code: string) => () => code

const D = 'documentation_misread'
const I = 'instruction_not_followed'
const S = 'implicit_state_mismanaged'
const row = (name: string, at: number, cause: Label, kind: string, code: Labelled['code']): Labelled => ({
  name,
  case: at,
  cause,
  kind,
  code,
})

const u = (n: number) =>
  '${BASE_URL}/api/sessions/${user_variable_' + n + '.source}/${user_variable_' + n + '.type}'

export const labelled: readonly Labelled[] = [
  row(
    'the paper’s Example 1: a helper that builds the path without its prefix',
    1,
    D,
    'unknown_endpoint',
    whole(`const axios = require('axios');
async function createSession(source, sessionType, data) {
  const url = \`\${BASE_URL}/\${source}/\${sessionType}\`;
  const response = await axios.post(url, data);
  return response.data;
}
const found = (await axios.get(\`${u(0)}/query\`, { params: { field: 'data.title', value: 'Münster head and neck' } })).data;
const a = await createSession(user_variable_1.source, user_variable_1.type, user_variable_1.data);
const b = await createSession(user_variable_0.source, user_variable_0.type, user_variable_0.data);
const listing = (await axios.get(\`${u(1)}\`)).data;
const matches = (await axios.get(\`${u(0)}/query\`, { params: { field: 'data.display.theme', value: found[0].data.display.theme } })).data;
RESULT = { added_1: a.id, added_2: b.id, listing, matches };`),
  ),
  row('/sessions without /api', 3, D, 'unknown_endpoint', all('/api/sessions/', '/sessions/')),
  row('a made-up search endpoint', 4, D, 'unknown_endpoint', edit(['/query`', '/search`'])),
  row(
    'delete by a query parameter',
    3,
    D,
    'unknown_endpoint',
    edit(['/${response_1[0].id}`', '?id=${response_1[0].id}`']),
  ),
  row('PATCH in place of PUT', 2, D, 'unknown_endpoint', edit(['axios.put(', 'axios.patch('])),
  row(
    'a list endpoint of its own',
    7,
    D,
    'unknown_endpoint',
    edit(["/query`, { params: { field: 'data.members', value: 'P-01063' } }", '/list`']),
  ),
  row(
    'a delete of the collection with the id in the body',
    10,
    D,
    'unknown_endpoint',
    edit(['/${response_0.id}`', '`, { data: { id: response_0.id } }']),
  ),
  row(
    'a query by another parameter’s name',
    1,
    D,
    'unknown_parameter',
    edit(["field: 'data.title'", "key: 'data.title'"]),
  ),
  row('a field without data.', 1, D, 'unknown_parameter', edit(["'data.title'", "'title'"])),
  row(
    'a field as the name of the parameter',
    4,
    D,
    'unknown_parameter',
    edit([
      "field: 'data.owner.name', value: user_variable_0.data.owner.name",
      "'data.owner.name': user_variable_0.data.owner.name",
    ]),
  ),
  row(
    'parameters that never come into the query',
    7,
    D,
    'unknown_parameter',
    edit([
      "{ params: { field: 'data.members', value: 'P-01063' } }",
      "{ field: 'data.members', value: 'P-01063' }",
    ]),
  ),
  row(
    'source and type exchanged in the path',
    10,
    D,
    'unknown_parameter',
    edit([
      '${user_variable_0.source}/${user_variable_0.type}',
      '${user_variable_0.type}/${user_variable_0.source}',
    ]),
  ),
  row(
    'a wildcard where values are compared exactly',
    9,
    D,
    'unknown_parameter',
    edit([
      'value: user_variable_0.data.owner.institute',
      "value: '*' + user_variable_0.data.owner.institute + '*'",
    ]),
  ),
  row(
    'the whole variable as the body of an add',
    1,
    D,
    'wrong_form',
    edit(['user_variable_1.data)', 'user_variable_1)']),
  ),
  row(
    'the data inside another object',
    3,
    D,
    'wrong_form',
    edit(['user_variable_0.data)).data', '{ data: user_variable_0.data })).data']),
  ),
  row(
    'an update with the changed part only',
    2,
    D,
    'wrong_form',
    edit([
      '${response_0.id}`, user_variable_0.data)',
      '${response_0.id}`, { owner: user_variable_0.data.owner })',
    ]),
  ),
  row(
    'an update by a dotted path',
    0,
    D,
    'wrong_form',
    edit([
      '${response_0[0].id}`, response_0[0].data)',
      "${response_0[0].id}`, { 'data.owner.institute': 'Peter MacCallum' })",
    ]),
  ),
  row(
    'an update with the whole session',
    2,
    D,
    'wrong_form',
    edit([
      '${response_0.id}`, user_variable_0.data)',
      '${response_0.id}`, { id: response_0.id, ...user_variable_0 })',
    ]),
  ),
  row(
    'the answer of an add as a session',
    1,
    D,
    'unknown_property',
    edit(['added_1: response_1.id', 'added_1: response_1.data.id']),
  ),
  row('_id', 1, D, 'unknown_property', edit(['response_1.id', 'response_1._id'])),
  row(
    'a list inside an object',
    3,
    D,
    'unknown_property',
    edit(['response_1[0].data', 'response_1.sessions[0].data']),
  ),
  row(
    'axios’ answer taken for its data',
    3,
    D,
    'unknown_property',
    edit([
      'const response_1 = (await axios.get(`' + u(0) + '`)).data',
      'const response_1 = await axios.get(`' + u(0) + '`)',
    ]),
  ),
  row('session_id', 4, D, 'unknown_property', edit(['${response_0[0].id}', '${response_0[0].session_id}'])),
  row(
    'items of a list’s answer',
    9,
    D,
    'unknown_property',
    edit(['response_1[0].data.owner.name', 'response_1.items[0].data.owner.name']),
  ),
  row(
    'a list taken for one session',
    4,
    D,
    'unknown_property',
    edit(['${response_0[0].id}', '${response_0.id}']),
  ),
  row(
    'axios’ whole answer in RESULT',
    4,
    D,
    'unknown_property',
    edit([')).data;\nconst response_2', '));\nconst response_2']),
  ),
  row(
    'a predicate on a property that sessions don’t have',
    4,
    D,
    'unknown_property',
    edit([
      'response_0[0].data.display.color',
      'response_0.find((s) => s.owner.name === user_variable_0.data.owner.name).data.display.color',
    ]),
  ),
  row(
    '.results.map on a list',
    10,
    D,
    'unknown_property',
    edit(['response_3.length', 'response_3.results.length']),
  ),
  row(
    'a count that answers don’t have',
    0,
    D,
    'unknown_property',
    edit(['response_0.length === user_constant_0', 'response_0.total === user_constant_0']),
  ),

  row(
    'an add left out',
    1,
    I,
    'missing_call',
    edit([
      `const response_2 = (await axios.post(\`${u(0)}\`, user_variable_0.data)).data;`,
      'const response_2 = response_1;',
    ]),
  ),
  row(
    'one of two deletes',
    4,
    I,
    'missing_call',
    edit([
      'await axios.delete(`${BASE_URL}/api/sessions/${response_2[2].source}/${response_2[2].type}/${response_2[2].id}`);\n',
      '',
    ]),
  ),
  row(
    'a stub',
    4,
    I,
    'missing_call',
    whole("const axios = require('axios');\n// The calls go here.\nRESULT = { matches: [] };"),
  ),
  row('only reads, no change', 2, I, 'missing_call', edit(['await axios.put(', 'void ('])),
  row(
    'one variable for both adds',
    1,
    I,
    'other_arguments',
    edit([`${u(1)}\`, user_variable_1.data)`, `${u(0)}\`, user_variable_0.data)`]),
  ),
  row(
    'an edit forgotten',
    10,
    I,
    'other_arguments',
    edit(["user_variable_0.data.title = 'Bladder pilot';\n", '']),
  ),
  row('an edit with another number', 10, I, 'other_arguments', edit(['pageSize = 140', 'pageSize = 40'])),
  row(
    'another variable’s sessions listed',
    10,
    I,
    'other_arguments',
    edit([
      `const response_2 = (await axios.get(\`${u(0)}\`)`,
      `const response_2 = (await axios.get(\`${u(1)}\`)`,
    ]),
  ),
  row(
    'another variable’s institute',
    7,
    I,
    'other_arguments',
    edit(['value: user_variable_1.data.owner.institute', 'value: user_variable_0.data.owner.institute']),
  ),
  row('another member', 9, I, 'other_arguments', edit(["'P-01063'", "'P-01064'"])),
  row(
    'an edit of another field',
    2,
    I,
    'other_arguments',
    edit(['user_variable_0.data.owner.name =', 'user_variable_0.data.owner.institute =']),
  ),
  row(
    'a field of the variable that is not there',
    9,
    I,
    'other_arguments',
    edit(['user_variable_0.data.owner.institute', 'user_variable_0.owner.institute']),
  ),
  row(
    'another title asked for',
    10,
    I,
    'other_arguments',
    edit(["value: 'Neuroblastoma infants'", "value: 'Neuroblastoma Infants'"]),
  ),
  row(
    'an update in place of an add',
    3,
    I,
    'other_api',
    edit([
      `axios.post(\`${u(0)}\`, user_variable_0.data)`,
      `axios.put(\`${u(0)}/\${response_1[1].id}\`, user_variable_0.data)`,
    ]),
  ),
  row(
    'the paper’s Example 2, here: an add where an update is asked for',
    2,
    I,
    'other_api',
    edit([
      `axios.put(\`${u(0)}/\${response_0.id}\`, user_variable_0.data)`,
      `axios.post(\`${u(0)}\`, user_variable_0.data)`,
    ]),
  ),
  row(
    'a list in place of a query',
    1,
    I,
    'other_api',
    edit([
      "/query`, { params: { field: 'data.display.theme', value: response_0[0].data.display.theme } }",
      '`',
    ]),
  ),
  row(
    'an update where a delete is asked for',
    4,
    I,
    'other_api',
    edit([
      'axios.delete(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`)',
      'axios.put(`${BASE_URL}/api/sessions/${response_0[0].source}/${response_0[0].type}/${response_0[0].id}`, { deleted: true })',
    ]),
  ),
  row(
    'all deleted in a loop',
    4,
    I,
    'extra_call',
    edit([
      'await axios.delete(`${BASE_URL}/api/sessions/${response_2[2].source}/${response_2[2].type}/${response_2[2].id}`);',
      'for (const s of response_2.slice(1)) await axios.delete(`${BASE_URL}/api/sessions/${s.source}/${s.type}/${s.id}`);',
    ]),
  ),
  row(
    'cleaning up afterwards',
    3,
    I,
    'extra_call',
    (code) => `${code.trimEnd()}\nawait axios.delete(\`${u(0)}/\${response_2.id}\`);\n`,
  ),
  row('both branches, one after the other', 2, I, 'extra_call', edit(['} else {', '}\n{'])),
  row(
    'an add too many',
    7,
    I,
    'extra_call',
    edit([
      'if (response_2.length',
      `await axios.post(\`${u(0)}\`, { title: 'Copy' });\nif (response_2.length`,
    ]),
  ),
  row(
    'the condition turned round',
    0,
    I,
    'wrong_branch',
    edit(['=== user_constant_0', '!== user_constant_0']),
  ),
  row(
    'more than, in place of equal',
    7,
    I,
    'wrong_branch',
    edit(['response_2.length === user_constant_0', 'response_2.length > user_constant_0']),
  ),
  row(
    'the first branch, always',
    9,
    I,
    'wrong_branch',
    edit(['if (response_1[0].data.owner.name === user_constant_0)', 'if (true)']),
  ),
  row(
    'the condition on another field',
    2,
    I,
    'wrong_branch',
    edit([
      'user_variable_1.data.owner.institute === user_constant_0',
      'user_variable_1.data.owner.name === user_constant_0',
    ]),
  ),
  row('other keys in RESULT', 1, I, 'other_result', edit(['listing: response_3', 'sessions: response_3'])),
  row(
    'RESULT as a list',
    4,
    I,
    'other_result',
    edit(['RESULT = { matches: response_1 }', 'RESULT = response_1']),
  ),
  row('RESULT never set', 3, I, 'other_result', edit(['RESULT = {', 'const output = {'])),
  row('printed in place of RESULT', 10, I, 'other_result', (code) =>
    code.replaceAll(/RESULT = (\{.*\});/g, 'console.log($1);'),
  ),
  row(
    'ids in place of the sessions',
    4,
    I,
    'other_result',
    edit(['matches: response_1', 'matches: response_1.map(({ id }) => id)']),
  ),
  row('a delete before the query that should still find it', 9, I, 'other_order', (code) => {
    const lines = code.split('\n')
    const at = lines.findIndex((line) => line.includes('axios.delete('))
    const [remove] = lines.splice(at, 1)
    lines.splice(at - 1, 0, remove as string)
    return lines.join('\n')
  }),
  row(
    'a variable that is not given',
    1,
    I,
    'unknown_name',
    edit(['user_variable_1.data)', 'user_variable_2.data)']),
  ),
  row(
    'a module that may not be used',
    3,
    I,
    'unknown_name',
    edit(["require('axios')", "require('node-fetch')"]),
  ),
  row(
    'a helper that was never written',
    10,
    I,
    'unknown_name',
    edit(['const response_2 = (await axios.get(', 'const response_2 = (await fetchAll(']),
  ),
  row('no valid program', 2, I, 'no_program', edit(['} else {', 'else {'])),

  row(
    'the item just added is deleted',
    3,
    S,
    'other_item',
    edit(['/${response_1[0].id}`', '/${response_2.id}`']),
  ),
  row(
    'an item of another list',
    3,
    S,
    'other_item',
    edit(['/${response_1[0].id}`', '/${response_0[0].id}`']),
  ),
  row('the id of another add', 10, S, 'other_item', edit(['/${response_0.id}`', '/${response_1.id}`'])),
  row(
    'the id of the first add in place of the second’s',
    7,
    S,
    'other_item',
    edit(['/${response_1.id}`', '/${response_0.id}`']),
  ),
  row('the index counted after a delete', 4, S, 'other_item', edit(['response_2[2].id', 'response_2[1].id'])),
  row(
    'one variable for two answers',
    7,
    S,
    'other_item',
    edit(['added: response_0.id', 'added: response_1.id']),
  ),
  row(
    'ids of two adds exchanged',
    1,
    S,
    'other_item',
    edit([
      'added_1: response_1.id, added_2: response_2.id',
      'added_1: response_2.id, added_2: response_1.id',
    ]),
  ),
  row(
    'a value of another answer',
    1,
    S,
    'other_item',
    edit(['value: response_0[0].data.display.theme', 'value: response_3[0].data.display.color']),
  ),
  row(
    'a value that another answer lacks',
    1,
    S,
    'other_item',
    edit(['value: response_0[0].data.display.theme', 'value: response_3[0].data.display.theme']),
  ),
  row(
    'an item deleted a line before',
    2,
    S,
    'stale_id',
    edit([
      '22;\n  await axios.put(`' + u(0) + '/${response_0.id}`',
      '22;\n  await axios.put(`' + u(0) + '/${response_3[0].id}`',
    ]),
  ),
  row(
    'the first item once more, as if the list had moved',
    9,
    S,
    'stale_id',
    edit([
      '${response_0[1].source}/${response_0[1].type}/${response_0[1].id}',
      '${response_0[0].source}/${response_0[0].type}/${response_0[0].id}',
    ]),
  ),
  row(
    'an old list in place of a new one',
    0,
    S,
    'stale_value',
    edit([`const response_2 = (await axios.get(\`${u(0)}\`)).data;`, 'const response_2 = response_0;']),
  ),
  row(
    'the list from before the changes',
    9,
    S,
    'stale_value',
    edit([`const response_4 = (await axios.get(\`${u(0)}\`)).data;`, 'const response_4 = response_0;']),
  ),
  row('a made-up id', 3, S, 'missing_id', edit(['/${response_1[0].id}`', '/507f1f77bcf86cd799439011`'])),
  row(
    'the title as id',
    2,
    S,
    'missing_id',
    edit([
      'axios.delete(`' + u(0) + '/${response_0.id}`',
      'axios.delete(`' + u(0) + '/${encodeURIComponent(user_variable_0.data.title)}`',
    ]),
  ),
  row('the place in the list as id', 4, S, 'missing_id', edit(['/${response_0[0].id}`', '/0`'])),
  row(
    'the paper’s Example 3, here: an answer of another shape handed on',
    10,
    S,
    'wrong_shape',
    edit(['/${response_0.id}`', '/${response_0}`']),
  ),
  row(
    'the whole session where its id belongs',
    4,
    S,
    'wrong_shape',
    edit(['/${response_2[2].id}`', '/${JSON.stringify(response_2[2])}`']),
  ),
  row('one element too far', 0, S, 'empty_result', all('response_4[1]', 'response_4[2]')),
  row(
    'behind the end of the list',
    7,
    S,
    'empty_result',
    all('response_4[0]', 'response_4[response_4.length]'),
  ),
  row(
    'a new list that has become shorter',
    9,
    S,
    'empty_result',
    edit([
      '  await axios.delete(`${BASE_URL}/api/sessions/${response_0[1].source}/${response_0[1].type}/${response_0[1].id}`);',
      `  const now = (await axios.get(\`${u(0)}\`)).data;\n  await axios.delete(\`\${BASE_URL}/api/sessions/\${now[1].source}/\${now[1].type}/\${now[1].id}\`);`,
    ]),
  ),
  row(
    'the first of what was deleted',
    2,
    S,
    'empty_result',
    edit([
      `const response_2 = (await axios.get(\`${u(0)}\`)).data;`,
      `const response_2 = (await axios.get(\`${u(0)}/query\`, { params: { field: 'data.reference.assembly', value: 'none' } })).data;\n  console.log(response_2[0].data);`,
    ]),
  ),
  row(
    'waiting for a state that never comes',
    7,
    S,
    'endless_wait',
    edit([
      'if (response_2.length',
      `let seen = [];\nwhile (seen.length < 99) seen = (await axios.get(\`${u(0)}\`)).data;\nif (response_2.length`,
    ]),
  ),
]
