/**
 * Scripted dialogues with what each policy makes of them, as the released code (published) and the paper
 * (sound) have it. An outcome is the verdict, how many calls were right, and what the calls of each round
 * were told: R the golden response, F a format error, X the fixed error.
 */
import type { DialogueLimits, EpisodeEvent } from '@stateeval/contracts'
import type { Saying } from './lead.ts'
import {
  best,
  but,
  type Call,
  details,
  flights,
  hotelPath,
  hotels,
  latLong,
  legs,
  lis,
  lisIn,
  filtered,
  multiStops,
  nullFilter,
  odd,
  oneHotel,
  osl,
  type Path,
  policies,
  porto,
  round,
  seats,
  stay,
  taxi,
  trip,
  unlisted,
  unsorted,
  untyped,
  weather,
} from './paths.ts'

export interface Dialogue {
  name: string
  path: Path
  script: readonly Saying[]
  published: string
  sound: string
  layout?: string
  limits?: DialogueLimits
  /** Bodies of the live API, in the order asked; a number is a status. */
  live?: readonly (string | number | EpisodeEvent)[]
  /** What the judge of calls says. */
  judge?: string
  /** The end message under `published`, where it says more than the verdict. */
  message?: string
  /** What the model is told of the first format error, by both. */
  errorText?: string
}

const done = 'Done.'
const [first, rest]: [Saying, Saying[]] = [
  [lis, osl],
  [[flights], [details, seats], done],
]
const [ending]: [Saying[]] = [[[details, seats], done]]
const badly = (call: Call, args: string): Saying => [[call[0], args]]
const same = (both: string) => ({ published: both, sound: both })
const inText = (...calls: readonly string[]): string =>
  calls.map((call) => `<tool_call>\n${call}\n</tool_call>`).join('\n')
const json = ([name, args]: Call) => JSON.stringify({ name, arguments: args })
const ok = (data: unknown, more = {}) => JSON.stringify({ status: true, data, ...more })
const notRecorded = { kind: 'unavailable', reason: 'not_recorded', detail: 'not recorded' } as const
const equal = '{"is_equal": true, "reason": "the same"}'
const different = '{"is_equal": false, "reason": "another"}'
const lisboa = but(lis, { query: 'Lisboa' })
/** Lisbon by another name in place of the golden call, after which all is right. */
const byName: Saying[] = [[lisboa], [osl], ...rest]
const business = but(flights, { cabinClass: 'BUSINESS' })

export const dialogues: readonly Dialogue[] = [
  // The path and its order
  { name: 'perfect', path: trip, script: [first, ...rest], ...same('success 5 | RR R RR') },
  {
    name: 'reordered within a turn',
    path: trip,
    script: [[osl, lis], ...rest],
    ...same('success 5 | RR R RR'),
  },
  {
    name: 'one call after another',
    path: trip,
    script: [[lis], [osl], [flights], [seats], [details], done],
    ...same('success 5 | R R R R R'),
  },
  {
    name: 'the next turn at once, as free calls hold nobody up',
    path: trip,
    script: [[lis, osl, flights], ...ending],
    ...same('success 5 | RRR RR'),
  },
  {
    name: 'a turn ahead, one call of this turn left open',
    path: trip,
    script: [[lis], [flights, osl], ...ending],
    ...same('success 5 | R RR RR'),
  },
  {
    name: 'arguments in another order',
    path: trip,
    script: [
      first,
      [[flights[0], Object.fromEntries(Object.entries(flights[1]).reverse())]],
      [details, seats],
      done,
    ],
    ...same('success 5 | RR R RR'),
  },
  {
    name: 'two turns too early',
    path: trip,
    script: [[details], ...rest],
    published: 'func_error 0 | X',
    sound: 'success 3 | X R RR',
  },
  { name: 'answers at once', path: trip, script: [done], ...same('stop_early 0 |') },
  { name: 'stops early', path: trip, script: [first, [flights], done], ...same('stop_early 3 | RR R') },
  {
    name: 'one of two parallel calls is missing',
    path: trip,
    script: [first, [flights], [details], done],
    ...same('stop_early 4 | RR R R'),
  },
  {
    name: 'says no more after its last call',
    path: trip,
    script: [first, [flights], [details, seats]],
    published: 'unrecorded',
    sound: 'success 5 | RR R RR',
    message: 'unknown_error',
  },
  {
    name: 'says no more after its first call',
    path: trip,
    script: [first],
    published: 'unrecorded',
    sound: 'stop_early 2 | RR',
    message: 'unknown_error',
  },
  {
    name: 'an empty text',
    path: trip,
    script: [first, ...rest.slice(0, -1), ''],
    ...same('success 5 | RR R RR'),
    message: 'Success.',
  },
  {
    name: 'an empty text, too early',
    path: trip,
    script: [first, ''],
    ...same('stop_early 2 | RR'),
    message: 'stop_early',
  },
  {
    name: 'an empty text at once',
    path: trip,
    script: [''],
    ...same('stop_early 0 |'),
    message: 'stop_early',
  },

  // Free calls
  { name: 'a free call is left out', path: trip, script: [[lis], ...rest], ...same('success 4 | R R RR') },
  {
    name: 'two free calls are left out',
    path: trip,
    script: rest,
    published: 'stop_early 3 | R RR',
    sound: 'success 3 | R RR',
  },
  {
    name: 'a free call is repeated',
    path: trip,
    script: [first, [lis], ...rest],
    published: 'success 6 | RR R R RR',
    sound: 'success 5 | RR R R RR',
  },
  {
    name: 'a free call is repeated in one reply',
    path: trip,
    script: [[lis, lis, osl], ...rest],
    published: 'success 6 | RRR R RR',
    sound: 'success 5 | RRR R RR',
  },
  {
    name: 'a free call is repeated beside another call',
    path: trip,
    script: [first, [lis, flights], ...ending],
    published: 'success 6 | RR RR RR',
    sound: 'success 5 | RR RR RR',
  },
  {
    name: 'a free call after the last golden one',
    path: trip,
    script: [first, [flights], [details, seats], [lis], done],
    published: 'func_error 5 | RR R RR X',
    sound: 'success 5 | RR R RR R',
    message: 'func_hallucination',
  },
  {
    name: 'a free call of a later turn',
    path: hotelPath([policies('7')], [policies('8')], [taxi('A')], [policies('9')]),
    script: [[taxi('A')], [policies('7'), policies('8')], [policies('9')], done],
    ...same('success 4 | R RR R'),
  },
  {
    name: 'another free call than any golden one',
    path: trip,
    script: [[lis, osl, but(lis, { query: 'Rome' })], ...rest],
    published: 'success 5 | RRX R RR',
    sound: 'success 5 | RRX R RR',
  },
  {
    name: 'a free call whose arguments were recorded unsorted is repeated',
    path: unsorted,
    script: [[lisIn], [lisIn], [flights], [details], done],
    published: 'func_error 1 | R X',
    sound: 'success 3 | R R R R',
  },
  {
    name: 'a free call with other than ASCII letters is repeated',
    path: hotelPath([taxi('São Paulo')], [policies('7')], [policies('8')]),
    script: [[taxi('São Paulo')], [taxi('São Paulo')], [policies('7')], [policies('8')], done],
    published: 'success 4 | R R R R',
    sound: 'success 3 | R R R R',
  },
  {
    name: 'one leftover location',
    path: hotelPath([policies('7')], [taxi('A')]),
    script: [[policies('7')], done],
    ...same('success 1 | R'),
  },
  {
    name: 'two leftover locations: of two neighbours only the first is forgiven',
    path: hotelPath([policies('7')], [taxi('A'), taxi('B')]),
    script: [[policies('7')], done],
    published: 'stop_early 1 | R',
    sound: 'success 1 | R',
  },
  {
    name: 'a leftover of Location_to_Lat_Long',
    path: hotelPath([policies('7')], [latLong]),
    script: [[policies('7')], done],
    published: 'stop_early 1 | R',
    sound: 'success 1 | R',
  },
  {
    name: 'a leftover search for one hotel',
    path: hotelPath([porto], [oneHotel], [policies('7')]),
    script: [[porto], [policies('7')], done],
    ...same('success 2 | R R'),
  },
  {
    name: 'a search for one hotel opens the next turn at once',
    path: hotelPath([oneHotel, policies('7')], [policies('8')]),
    script: [[policies('8'), policies('7')], done],
    published: 'success 2 | RR',
    sound: 'func_error 1 | XR',
  },
  {
    name: 'of equal free calls that were called, a wrong call is lost',
    path: hotelPath(
      [policies('1')],
      [policies('2'), taxi('A'), taxi('A'), taxi('A'), policies('3'), taxi('A')],
    ),
    script: [[policies('1')], [taxi('A')], [policies('2')], done],
    published: 'success 3 | R R R',
    sound: 'stop_early 3 | R R R',
  },
  {
    name: 'of three equal free calls that were called, no other call is lost',
    path: hotelPath([policies('1')], [policies('2'), taxi('A'), taxi('A'), policies('3'), taxi('A')]),
    script: [[policies('1')], [taxi('A')], [policies('2')], done],
    ...same('stop_early 3 | R R R'),
  },
  {
    name: 'only golden calls are left that were called before',
    path: hotelPath([policies('1')], [policies('2')], [taxi('A')], [taxi('A')]),
    script: [[taxi('A')], [policies('1'), policies('2')], [policies('3')], done],
    published: 'unrecorded',
    sound: 'success 3 | R RR X',
    message: 'the published evaluator crashes: all golden calls were called before',
  },

  // Too many calls
  {
    name: 'a call after the last golden one',
    path: trip,
    script: [first, ...rest.slice(0, -1), [flights], done],
    published: 'func_error 5 | RR R RR X',
    sound: 'success 5 | RR R RR X',
    message: 'func_hallucination',
  },
  {
    name: 'a surplus call beside the last right one',
    path: stay,
    script: [[porto], [hotels], [policies('7'), policies('8')], done],
    ...same('success 3 | R R RX'),
  },
  {
    name: 'more wrong calls than golden ones',
    path: hotelPath([policies('7')], [policies('8')]),
    script: [[policies('1'), policies('2'), policies('3')], done],
    published: 'value_error 0 | XXX',
    sound: 'value_error 0 | XXX',
  },
  {
    name: 'calls without end',
    path: hotelPath([policies('7')], [policies('8')]),
    script: Array.from({ length: 50 }, (): Saying => [policies('1')]),
    published: 'value_error 0 | X',
    sound: `limit 0 |${' X'.repeat(39)}`,
  },
  {
    name: 'calls a free function without end',
    path: trip,
    script: Array.from({ length: 50 }, (): Saying => [lis]),
    published: `limit 39 |${' R'.repeat(39)}`,
    sound: `limit 1 |${' R'.repeat(39)}`,
    limits: { turns: 40 },
  },
  {
    name: 'a limit of replies',
    path: trip,
    script: [first, [flights], [details, seats], done],
    ...same('limit 3 | RR R'),
    limits: { turns: 3 },
  },
  {
    name: 'a limit of calls',
    path: trip,
    script: [first, [flights], [details, seats], done],
    ...same('limit 3 | RR R'),
    limits: { calls: 4 },
  },
  {
    name: 'a limit of tokens',
    path: trip,
    script: [first, [flights], [details, seats], done],
    ...same('limit 2 | RR'),
    limits: { tokens: 15 },
  },
  {
    name: 'a limit of time',
    path: trip,
    script: [first, [flights], [details, seats], done],
    ...same('limit 2 | RR'),
    limits: { seconds: 0.9 },
    message: 'the dialogue was ended by a limit: 0.9 seconds',
  },
  {
    name: 'a text at the limit is the end',
    path: trip,
    script: [first, [flights], [details, seats], done],
    ...same('success 5 | RR R RR'),
    limits: { turns: 4, calls: 5, tokens: 30, seconds: 1.5 },
  },

  // Format errors that are told and corrected
  {
    name: 'a required parameter is missing',
    path: trip,
    script: [first, [but(flights, { toId: undefined })], ...rest],
    ...same('success 5 | RR F R RR'),
    errorText:
      "Function Search_Flights requires parameters ['fromId', 'toId', 'departDate'], but ['adults', 'cabinClass', 'departDate', 'fromId', 'sort'] do not provide {'toId'}",
  },
  {
    name: 'a parameter that the function does not have',
    path: trip,
    script: [first, [but(flights, { page: 2 })], ...rest],
    ...same('success 5 | RR F R RR'),
    errorText: "Function Search_Flights does not have parameters {'page'}",
  },
  {
    name: 'a parameter with a quote in its name',
    path: trip,
    script: [first, [but(flights, { "it's": 2 })], ...rest],
    ...same('success 5 | RR F R RR'),
    errorText: 'Function Search_Flights does not have parameters {"it\'s"}',
  },
  {
    name: 'a number for a string',
    path: trip,
    script: [first, [but(flights, { departDate: 20241114 })], ...rest],
    ...same('success 5 | RR F R RR'),
    errorText:
      "Parameter departDate of function Search_Flights should be a string, but <class 'int'> is provided.",
  },
  {
    name: 'null for a string',
    path: trip,
    script: [first, [but(flights, { departDate: null })], ...rest],
    ...same('success 5 | RR F R RR'),
    errorText:
      "Parameter departDate of function Search_Flights should be a string, but <class 'NoneType'> is provided.",
  },
  {
    name: 'a list for a string',
    path: trip,
    script: [first, [but(flights, { toId: ['OSL.AIRPORT'] })], ...rest],
    ...same('success 5 | RR F R RR'),
    errorText:
      "Parameter toId of function Search_Flights should be a string, but <class 'list'> is provided.",
  },
  {
    name: 'an object for a string',
    path: trip,
    script: [first, [but(flights, { toId: {} })], ...rest],
    ...same('success 5 | RR F R RR'),
    errorText:
      "Parameter toId of function Search_Flights should be a string, but <class 'dict'> is provided.",
  },
  {
    name: 'a string for a number',
    path: trip,
    script: [first, [but(flights, { adults: '1' })], ...rest],
    ...same('success 5 | RR F R RR'),
    errorText:
      "Parameter adults of function Search_Flights should be a number, but <class 'str'> is provided.",
  },
  {
    name: 'a string for a boolean',
    path: trip,
    script: [first, [but(flights, { direct: 'yes' })], ...rest],
    ...same('success 5 | RR F R RR'),
    errorText:
      "Parameter direct of function Search_Flights should be a boolean, but <class 'str'> is provided.",
  },
  {
    name: 'a text for an array',
    path: round,
    script: [[but(multiStops, { legs: JSON.stringify(legs) })], [multiStops], [details], done],
    ...same('success 2 | F R R'),
    errorText:
      "Parameter legs of function Search_Flights_Multi_Stops should be an array, but <class 'str'> is provided.",
  },
  {
    name: 'a float for a string',
    path: trip,
    script: [first, badly(flights, '{"departDate": 1.0, "fromId": "a", "toId": "b"}'), ...rest],
    ...same('success 5 | RR F R RR'),
    errorText:
      "Parameter departDate of function Search_Flights should be a string, but <class 'float'> is provided.",
  },
  {
    name: 'true for a number: Python takes it for 1',
    path: trip,
    script: [first, [but(flights, { adults: true })], ...rest],
    published: 'func_error 3 | RR R X',
    sound: 'success 5 | RR F R RR',
  },
  {
    name: '1.0 for 1',
    path: trip,
    script: [
      first,
      badly(flights, JSON.stringify(flights[1]).replace('"adults":1', '"adults":1.0')),
      ...ending,
    ],
    ...same('success 5 | RR R RR'),
  },
  {
    name: 'a fraction for an integer, which the released check does not know',
    path: stay,
    script: [[porto], [but(hotels, { room_qty: 1.5 })], [hotels], [policies('7')], done],
    published: 'value_error 1 | R X',
    sound: 'success 3 | R F R R',
    message: '[{"error_type":"value_error","content":"Parameter room_qty value do not equal to golden."}]',
  },
  {
    name: 'a whole float for an integer',
    path: stay,
    script: [
      [porto],
      badly(hotels, JSON.stringify(hotels[1]).replace('"room_qty":1', '"room_qty":1.0')),
      [policies('7')],
      done,
    ],
    ...same('success 3 | R R R'),
  },
  {
    name: 'a value out of an enum',
    path: stay,
    script: [[porto], [but(hotels, { search_type: 'town' })], [hotels], [policies('7')], done],
    published: 'value_error 1 | R X',
    sound: 'success 3 | R F R R',
    message:
      '[{"error_type":"value_error","content":"Parameter search_type value is not correct in prediction."}]',
  },
  {
    name: 'a member of an item is missing',
    path: round,
    script: [
      [but(multiStops, { legs: [{ fromId: 'OSL.AIRPORT', toId: 'LIS.AIRPORT' }] })],
      [multiStops],
      [details],
      done,
    ],
    published: 'value_error 0 | X',
    sound: 'success 2 | F R R',
  },
  {
    name: 'a member of an item has another type',
    path: round,
    script: [[but(multiStops, { legs: [{ ...legs[0]!, date: 1 }] })], [multiStops], [details], done],
    published: 'value_error 0 | X',
    sound: 'success 2 | F R R',
  },
  {
    name: 'an item is no object',
    path: round,
    script: [[but(multiStops, { legs: ['OSL'] })], [multiStops], [details], done],
    published: 'value_error 0 | X',
    sound: 'success 2 | F R R',
  },
  {
    name: 'a format error beside a right call',
    path: trip,
    script: [[lis, but(osl, { page: 1 })], [osl, flights], ...ending],
    ...same('success 5 | RF RR RR'),
  },
  {
    name: 'format errors only, then a text',
    path: trip,
    script: [first, [but(flights, { page: 2 })], done],
    published: 'stop_early 2 | RR F',
    sound: 'hallucination 2 | RR F',
  },
  {
    name: 'a surplus call is not even format-checked',
    path: hotelPath([policies('7')], [policies('8')]),
    script: [[policies('7'), ['Get_Hotel_Policies', {}]], [policies('8')], done],
    published: 'success 2 | RX R',
    sound: 'success 2 | RF R',
  },

  // Arguments
  {
    name: 'arguments null are none',
    path: trip,
    script: [first, badly(flights, 'null'), ...rest],
    ...same('success 5 | RR F R RR'),
    errorText:
      "Function Search_Flights requires parameters ['fromId', 'toId', 'departDate'], but [] do not provide {'fromId', 'toId', 'departDate'}",
  },
  {
    name: 'an empty list of arguments',
    path: trip,
    script: [first, badly(flights, '[]'), ...rest],
    ...same('success 5 | RR F R RR'),
  },
  {
    name: 'an empty text of arguments',
    path: trip,
    script: [first, badly(flights, '""'), ...rest],
    ...same('success 5 | RR F R RR'),
  },
  {
    name: 'no arguments at all',
    path: trip,
    script: [first, badly(flights, ''), ...rest],
    published: 'func_error 2 | RR X',
    sound: 'success 5 | RR F R RR',
    message: 'decode_error',
  },
  {
    name: 'invalid JSON',
    path: trip,
    script: [first, badly(flights, '{"fromId": '), ...rest],
    published: 'func_error 2 | RR X',
    sound: 'success 5 | RR F R RR',
    message: 'decode_error',
  },
  {
    name: 'arguments that are a number',
    path: trip,
    script: [first, badly(flights, '5'), ...rest],
    published: 'unrecorded',
    sound: 'success 5 | RR F R RR',
  },
  {
    name: 'arguments that are a list of values',
    path: trip,
    script: [first, badly(flights, '["LIS"]'), ...rest],
    published: 'unrecorded',
    sound: 'success 5 | RR F R RR',
  },

  // Functions
  {
    name: 'an unknown function',
    path: trip,
    script: [first, [['Find_Flights', {}]], ...rest],
    published: 'func_error 2 | RR X',
    sound: 'success 5 | RR F R RR',
    message: 'decode_error',
  },
  {
    name: 'an unknown function, by Claude',
    path: trip,
    script: [first, [['Find_Flights', {}]], ...rest],
    layout: 'claude',
    published: 'func_error 2 | RR X',
    sound: 'success 5 | RR F R RR',
    message: 'name_error',
  },
  {
    name: 'an unknown function, by Mistral',
    path: trip,
    script: [first, [['Find_Flights', {}]], ...rest],
    layout: 'mistral',
    published: 'func_error 2 | RR X',
    sound: 'success 5 | RR F R RR',
    message: 'name_error',
  },
  {
    name: 'an unknown function, by Qwen',
    path: trip,
    script: [
      inText(json(lis), json(osl)),
      inText('{"name": "Find_Flights", "arguments": {}}'),
      inText(json(flights)),
      inText(json(details), json(seats)),
      done,
    ],
    layout: 'qwen',
    ...same('success 5 | RR F R RR'),
    errorText: 'Function Find_Flights is not defined in the function list.',
  },
  {
    name: 'a call in a thought',
    path: trip,
    script: [
      `<think>\n${inText('{"name": "Find_Flights", "arguments": {}}')}\n</think>\n${inText(json(lis), json(osl))}<|im_end|>`,
      inText(json(flights)),
      inText(json(details), json(seats)),
      done,
    ],
    layout: 'qwen',
    published: 'success 5 | FRR R RR',
    sound: 'success 5 | RR R RR',
  },
  {
    name: 'a torn call in text',
    path: trip,
    script: [
      inText(json(lis), json(osl)),
      inText('{"name": "Search_Flights"'),
      inText(json(flights)),
      inText(json(details), json(seats)),
      done,
    ],
    layout: 'qwen',
    published: 'func_error 2 | RR X',
    sound: 'success 5 | RR F R RR',
    message: 'decode_error',
  },
  {
    name: 'another function of the list',
    path: trip,
    script: [
      first,
      [
        [
          'Get_Min_Price',
          { fromId: 'LIS.AIRPORT', toId: 'OSL.AIRPORT', departDate: '2024-11-14', cabinClass: 'ECONOMY' },
        ],
      ],
      ...rest,
    ],
    published: 'func_error 2 | RR X',
    sound: 'success 5 | RR X R RR',
    message: '[{"error_type":"func_error","content":"Do not call the correct function."}]',
  },
  {
    name: 'a function whose name chat APIs refuse',
    path: hotelPath([policies('7')], [['Get_Hotel_Reviews(Tips)', { hotel_id: '7' }]]),
    script: [[policies('7')], [['Get_Hotel_Reviews-Tips-', { hotel_id: '7' }]], done],
    ...same('success 2 | R R'),
  },
  {
    name: 'a function by the name that chat APIs refuse',
    path: hotelPath([policies('7')], [['Get_Hotel_Reviews(Tips)', { hotel_id: '7' }]]),
    script: [
      [policies('7')],
      [['Get_Hotel_Reviews(Tips)', { hotel_id: '7' }]],
      [['Get_Hotel_Reviews-Tips-', { hotel_id: '7' }]],
      done,
    ],
    published: 'func_error 1 | R X',
    sound: 'success 2 | R F R',
    message: 'decode_error',
  },
  {
    name: 'a function without exact parameters is called right',
    path: unlisted,
    script: [[policies('7')], [weather], done],
    ...same('success 2 | R R'),
  },
  {
    name: 'a function without exact parameters is called otherwise',
    path: unlisted,
    script: [[policies('7')], [but(weather, { city: 'Oporto' })], [weather], done],
    published: 'unrecorded',
    sound: 'success 2 | R X R',
    message: 'the published evaluator crashes: no exact parameters are known for Get_Weather',
  },
  {
    name: 'a schema without required parameters',
    path: odd,
    script: [[policies('7')], [['No_Required', {}]], [hotels], done],
    published: 'unrecorded',
    sound: 'success 2 | R X R',
  },
  {
    name: 'a parameter without a type',
    path: odd,
    script: [[policies('7')], [['No_Type', { any: 1 }]], [hotels], done],
    published: 'unrecorded',
    sound: 'success 2 | R X R',
  },
  {
    name: 'a golden search without search_type',
    path: untyped,
    script: [[policies('7')], done],
    published: 'unrecorded',
    sound: 'func_error 0 | X',
  },

  // Values
  {
    name: 'an exact parameter is missing',
    path: trip,
    script: [first, [but(flights, { sort: undefined })], ...rest],
    published: 'param_missing 2 | RR X',
    sound: 'success 5 | RR X R RR',
    message: '[{"error_type":"param_missing","content":"Missing parameter sort in prediction."}]',
  },
  {
    name: 'an exact parameter is missing whose default is golden',
    path: best,
    script: [first, [but(flights, { sort: undefined })], ...ending],
    published: 'param_missing 2 | RR X',
    sound: 'success 5 | RR R RR',
  },
  {
    name: 'another parameter is missing',
    path: trip,
    script: [first, [but(flights, { cabinClass: undefined })], ...rest],
    published: 'param_missing 2 | RR X',
    sound: 'success 5 | RR X R RR',
    message: '[{"error_type":"param_missing","content":"Missing parameter cabinClass in prediction."}]',
  },
  {
    name: 'an exact value is wrong',
    path: trip,
    script: [first, [but(flights, { toId: 'BGO.AIRPORT' })], ...rest],
    published: 'value_error 2 | RR X',
    sound: 'success 5 | RR X R RR',
    message: '[{"error_type":"value_error","content":"Parameter toId value is not correct in prediction."}]',
  },
  {
    name: 'another value is wrong',
    path: trip,
    script: [first, [business], ...rest],
    published: 'value_error 2 | RR X',
    sound: 'success 5 | RR X R RR',
    message: '[{"error_type":"value_error","content":"Parameter cabinClass value do not equal to golden."}]',
  },
  {
    name: 'a parameter more',
    path: trip,
    script: [first, [but(flights, { direct: true })], ...rest],
    published: 'hallucination 2 | RR X',
    sound: 'success 5 | RR X R RR',
    message: '[{"error_type":"param_hallucination","content":"Parameter direct is hallucinated."}]',
  },
  {
    name: 'a parameter more that equals its default',
    path: hotelPath([but(hotels, { room_qty: undefined })], [policies('7')]),
    script: [[hotels], [policies('7')], done],
    published: 'hallucination 0 | X',
    sound: 'success 2 | R R',
  },
  {
    name: 'filters in another order, with blanks',
    path: stay,
    script: [
      [porto],
      [but(hotels, { categories_filter: 'facility::2, facility::433' })],
      [policies('7')],
      done,
    ],
    ...same('success 3 | R R R'),
  },
  {
    name: 'filters with an empty entry',
    path: stay,
    script: [
      [porto],
      [but(hotels, { categories_filter: 'facility::433,facility::2,' })],
      [hotels],
      [policies('7')],
      done,
    ],
    published: 'value_error 1 | R X',
    sound: 'success 3 | R X R R',
  },
  {
    name: 'filters in another order beside a wrong value: the order is named as the error',
    path: stay,
    script: [
      [porto],
      [but(hotels, { categories_filter: 'facility::2,facility::433', room_qty: 2 })],
      [hotels],
      [policies('7')],
      done,
    ],
    published: 'value_error 1 | R X',
    sound: 'success 3 | R X R R',
    message:
      '[{"error_type":"value_error","content":"Parameter categories_filter value do not equal to golden."}]',
  },
  {
    name: 'filters that are both null',
    path: nullFilter,
    script: [[filtered], [policies('7')], done],
    published: 'unrecorded',
    sound: 'success 2 | R R',
    message: 'the published evaluator crashes: categories_filter is not a text',
  },
  {
    name: 'filters that are both null, beside a wrong value before them',
    path: nullFilter,
    script: [[but(filtered, { arrival_date: '2024-12-04' })], [filtered], [policies('7')], done],
    published: 'value_error 0 | X',
    sound: 'success 2 | X R R',
  },
  {
    name: 'another function in the place of one without exact parameters',
    path: unlisted,
    script: [[policies('7')], [policies('8')], [weather], done],
    published: 'func_error 1 | R X',
    sound: 'success 2 | R X R',
  },
  {
    name: 'a right and a wrong call, then the right one',
    path: trip,
    script: [first, [flights], [details, but(seats, { offerToken: 'o2' })], [seats], done],
    ...same('success 5 | RR R RX R'),
  },
  {
    name: 'a right and a wrong call in the last round',
    path: hotelPath([policies('7')], [policies('8'), taxi('A')]),
    script: [[policies('7')], [policies('8'), taxi('Airport')], done],
    published: 'value_error 2 | R RX',
    sound: 'success 2 | R RX',
  },
  {
    name: 'a right and a wrong call in the last round, by Claude',
    path: hotelPath([policies('7')], [policies('8'), taxi('A')]),
    script: [[policies('7')], [policies('8'), taxi('Airport')], done],
    layout: 'claude',
    ...same('success 2 | R RX'),
  },
  {
    name: 'two wrong calls',
    path: trip,
    script: [first, [flights], [but(details, { token: 't2' }), but(seats, { offerToken: 'o2' })], done],
    published: 'value_error 3 | RR R XX',
    sound: 'value_error 3 | RR R XX',
    message:
      '[{"error_type":"value_error","content":"Parameter token value is not correct in prediction."},{"error_type":"value_error","content":"Parameter offerToken value is not correct in prediction."}]',
  },
  {
    name: 'format errors are not told to Claude',
    path: trip,
    script: [first, [but(flights, { page: 2 })], ...rest],
    layout: 'claude',
    published: 'success 5 | RR X R RR',
    sound: 'success 5 | RR F R RR',
  },

  // Equal by response
  {
    name: 'equal by response',
    path: trip,
    script: byName,
    live: [ok('LIS', { timestamp: 1 }), ok('LIS', { timestamp: 2 })],
    ...same('success 5 | R R R RR'),
  },
  {
    name: 'other responses',
    path: trip,
    script: byName,
    live: [ok('LIS'), ok('OPO')],
    published: 'value_error 0 | X',
    sound: 'success 4 | X R R RR',
  },
  {
    name: 'equal failures',
    path: trip,
    script: byName,
    live: ['{"status": false, "message": "no"}', '{"status": false, "message": "no"}'],
    ...same('success 5 | R R R RR'),
  },
  {
    name: 'failures keep their timestamps',
    path: trip,
    script: byName,
    live: ['{"status": false, "timestamp": 1}', '{"status": false, "timestamp": 2}'],
    published: 'value_error 0 | X',
    sound: 'success 4 | X R R RR',
  },
  {
    name: 'success without data',
    path: trip,
    script: byName,
    live: ['{"status": true, "timestamp": 1, "a": 1}', '{"status": true, "timestamp": 2, "a": 1.0}'],
    ...same('success 5 | R R R RR'),
  },
  {
    name: 'bodies without a status',
    path: trip,
    script: byName,
    live: ['{"data": 1}', '{"data": 1}'],
    published: 'value_error 0 | X',
    sound: 'success 4 | X R R RR',
  },
  {
    name: 'bodies that are no JSON',
    path: trip,
    script: byName,
    live: ['<html>', '<html>'],
    published: 'value_error 0 | X',
    sound: 'success 4 | X R R RR',
  },
  {
    name: 'a second try answers',
    path: trip,
    script: byName,
    live: [500, ok('LIS'), ok(null), ok('LIS')],
    ...same('success 5 | R R R RR'),
  },
  {
    name: 'three tries without an answer',
    path: trip,
    script: byName,
    live: [500, 404, ok(null), ok('LIS')],
    published: 'value_error 0 | X',
    sound: 'success 4 | X R R RR',
  },
  {
    name: 'network trouble',
    path: trip,
    script: byName,
    live: [{ kind: 'unavailable', reason: 'failed', detail: 'no route' }, ok('LIS'), ok('LIS')],
    ...same('success 5 | R R R RR'),
  },
  {
    name: 'a call whose request is not recorded',
    path: trip,
    script: byName,
    live: [notRecorded],
    published: 'value_error 0 | X',
    sound: 'success 4 | X R R RR',
  },
  {
    name: 'a golden call whose request is not recorded',
    path: trip,
    script: byName,
    live: [ok('LIS'), notRecorded],
    published: 'value_error 0 | X',
    sound: 'success 4 | X R R RR',
  },
  {
    name: 'a request that the live API refuses, as its URL is too long',
    path: trip,
    script: byName,
    live: [{ kind: 'unavailable', reason: 'refused', detail: 'too long' }, ok('LIS')],
    published: 'value_error 0 | X',
    sound: 'success 4 | X R R RR',
  },
  {
    name: 'an empty object, and then no match',
    path: trip,
    script: byName,
    live: [ok({})],
    published: 'unrecorded',
    sound: 'success 4 | X R R RR',
    message: 'the published evaluator crashes: an error follows an empty response',
  },
  {
    name: 'an empty object, then a judge, then a text',
    path: trip,
    script: [[lisboa], done],
    live: [ok({})],
    judge: equal,
    published: 'value_error 1 | R',
    sound: 'stop_early 1 | R',
    message: "API call failed for {'name': 'Search_Flight_Location', 'arguments': {'query': 'Lisboa'}}.",
  },
  {
    name: 'an empty object, then a judge, then other calls',
    path: trip,
    script: byName,
    live: [ok({})],
    judge: equal,
    ...same('success 5 | R R R RR'),
  },

  // Equal by a judge
  { name: 'equal by a judge', path: trip, script: byName, judge: equal, ...same('success 5 | R R R RR') },
  {
    name: 'a judge in a fence, with Python’s True',
    path: trip,
    script: byName,
    judge: '```JSON\n{"is_equal": True,\n "reason": ""}\n```',
    ...same('success 5 | R R R RR'),
  },
  {
    name: 'a judge says no',
    path: trip,
    script: byName,
    judge: different,
    published: 'value_error 0 | X',
    sound: 'success 4 | X R R RR',
  },
  {
    name: 'a judge with a text in front',
    path: trip,
    script: byName,
    judge: `Here it is: ${equal}`,
    published: 'value_error 0 | X',
    sound: 'success 5 | R R R RR',
  },
  {
    name: 'a judge with a thought in front, which holds another judgement',
    path: trip,
    script: byName,
    judge: `<think>At first {"is_equal": false} …</think>\n\`\`\`json\n${equal}\n\`\`\``,
    published: 'value_error 0 | X',
    sound: 'success 5 | R R R RR',
  },
  {
    name: 'a judge who says true in quotes',
    path: trip,
    script: byName,
    judge: '{"is_equal": "true"}',
    ...same('success 5 | R R R RR'),
  },
  {
    name: 'a judge who says false in quotes, which is true in Python',
    path: trip,
    script: byName,
    judge: '{"is_equal": "false"}',
    published: 'success 5 | R R R RR',
    sound: 'success 4 | X R R RR',
  },
  {
    name: 'a judge who says neither',
    path: trip,
    script: byName,
    judge: '{"reason": "I do not know"}',
    published: 'value_error 0 | X',
    sound: 'success 4 | X R R RR',
  },
  {
    name: 'no judge is asked where an exact value is wrong',
    path: trip,
    script: [first, [but(flights, { toId: 'BGO.AIRPORT' })], ...rest],
    judge: equal,
    published: 'value_error 2 | RR X',
    sound: 'success 5 | RR X R RR',
  },
]
