/**
 * More failures of the kind that models make, by the three sentences of labelled.ts: in Python, and of the
 * scenarios whose APIs are functions and tools. Written and labelled before any rule was measured on them.
 */
import type { Language } from '@stateeval/contracts'
import { edit, type Labelled } from './labelled.ts'

interface LabelledElsewhere extends Labelled {
  scenario: string
  language: Language
}
type Row = [name: string, at: number, cause: Labelled['cause'], kind: string, ...changes: [string, string][]]
const rows = (scenario: string, language: Language, ...all: Row[]): LabelledElsewhere[] =>
  all.map(([name, at, cause, kind, ...changes]) => ({
    name,
    scenario,
    language,
    case: at,
    cause,
    kind,
    code: edit(...changes),
  }))

const D = 'documentation_misread'
const I = 'instruction_not_followed'
const S = 'implicit_state_mismanaged'

export const labelledElsewhere: readonly LabelledElsewhere[] = [
  ...rows(
    'session-service',
    'python',
    ['a field without data.', 0, D, 'unknown_parameter', ['"field": "data.groups"', '"field": "groups"']],
    [
      'a form in place of JSON',
      1,
      D,
      'wrong_form',
      ['json=user_variable_0["data"]', 'data=user_variable_0["data"]'],
    ],
    [
      'a list inside an object',
      1,
      D,
      'unknown_property',
      ['response_0 = response.json()', 'response_0 = response.json()["sessions"]'],
    ],
    ['_id', 2, D, 'unknown_property', ['"added": response_3["id"]', '"added": response_3["_id"]']],
    ['an attribute in place of a key', 2, D, 'unknown_property', ['response_3["id"]', 'response_3.id']],
    [
      'the first in place of the second',
      1,
      S,
      'other_item',
      [
        "response_1[1]['source']}/{response_1[1]['type']}/{response_1[1]['id']}",
        "response_1[0]['source']}/{response_1[0]['type']}/{response_1[0]['id']}",
      ],
    ],
    [
      'behind the end of the list',
      1,
      S,
      'empty_result',
      ["{response_1[1]['id']}", "{response_1[len(response_1)]['id']}"],
    ],
    ['the id of another add', 2, S, 'other_item', ['"added": response_3["id"]', '"added": response_0["id"]']],
    ['the condition turned round', 2, I, 'wrong_branch', ['== user_constant_0', '!= user_constant_0']],
    [
      'the condition on an item that is not there',
      2,
      I,
      'wrong_branch',
      ['if response_1[2]["data"]', 'if response_1[9]["data"]'],
    ],
    [
      'a delete left out',
      1,
      I,
      'missing_call',
      [
        "requests.delete(f\"{BASE_URL}/api/sessions/{response_0[0]['source']}/{response_0[0]['type']}/{response_0[0]['id']}\").raise_for_status()",
        'pass',
      ],
    ],
    ['another key in RESULT', 1, I, 'other_result', ['RESULT = {"listing"', 'RESULT = {"sessions"']],
  ),
  ...rows(
    'tensor-operation',
    'javascript',
    [
      'a function that is not documented',
      1,
      D,
      'unknown_endpoint',
      ['torch.transpose(user_tensor_2', 'torch.Transpose(user_tensor_2'],
    ],
    [
      'tensors one by one in place of a list',
      0,
      D,
      'wrong_form',
      ['torch.cat([user_tensor_1, user_tensor_0], -4)', 'torch.cat(user_tensor_1, user_tensor_0, -4)'],
    ],
    ['a call left out', 0, I, 'missing_call', ['torch.cat([response_2[3], response_1], 3)', 'response_1']],
    ['another order of dimensions', 1, I, 'other_arguments', ['[3, 0, 2, 1]', '[3, 0, 1, 2]']],
    ['other keys in RESULT', 0, I, 'other_result', ['concatenated: response_4', 'joined: response_4']],
  ),
  ...rows(
    'tensor-operation',
    'python',
    ['a keyword that is not documented', 1, D, 'unknown_parameter', ['[2, 1], -1)', '[2, 1], axis=-1)']],
    [
      'another piece, which does not fit',
      1,
      S,
      'other_item',
      ['linear(response_1[0], response_0)', 'linear(response_1[1], response_0)'],
    ],
    ['a piece behind the last', 0, S, 'empty_result', ['response_2[3]', 'response_2[4]']],
    ['the condition turned round', 3, I, 'wrong_branch', ['== user_constant_0', '!= user_constant_0']],
  ),
  ...rows(
    'elevenlabs-mcp',
    'javascript',
    ['another name of a parameter', 1, D, 'unknown_parameter', ["voice_name: 'Rosalie'", "voice: 'Rosalie'"]],
    [
      'the first voice in place of the second',
      3,
      S,
      'other_item',
      ['response_0[1].voice_name', 'response_0[0].voice_name'],
    ],
    [
      'behind the end of the voices',
      3,
      S,
      'empty_result',
      ['response_0[1].voice_name', 'response_0[99].voice_name'],
    ],
    ['the condition turned round', 3, I, 'wrong_branch', ['=== user_constant_0', '!== user_constant_0']],
    ['another voice', 4, I, 'other_arguments', ["voice_name: 'Fiona'", "voice_name: 'Gustav'"]],
    [
      'a call of nobody',
      4,
      I,
      'missing_call',
      [
        "await make_outbound_call({ input_speech: user_variable_2, voice_name: 'Jasper', to_number: user_variable_4.to_number });",
        '',
      ],
    ],
  ),
  ...rows(
    'elevenlabs-mcp',
    'python',
    [
      'a property that transcripts do not have',
      1,
      D,
      'unknown_property',
      ['response_2["word_count"]', 'response_2["words"]'],
    ],
    [
      'an object where its name belongs',
      3,
      S,
      'wrong_shape',
      ['voice_name=response_0[1]["voice_name"]', 'voice_name=response_0[1]'],
    ],
    [
      'the text of another tool',
      1,
      I,
      'other_api',
      [
        'isolate_audio(input_speech=response_0)',
        'speech_to_speech(input_speech=response_0, voice_name="Rosalie")',
      ],
    ],
  ),
]
