/** Prompts of the judges: the criteria of the paper's Figures 10 to 12, in our words. */
import type { Message } from '@stateeval/contracts'

const createUserPrompt = (content: string): Message[] => [{ role: 'user', content }]

export const matchPrompt = (parts: {
  functions: string
  history: string
  predicted: string
  golden: string
}): Message[] => [
  {
    role: 'system',
    content: `You compare two function calls. Decide from the functions' descriptions and the conversation whether they are equivalent.

Two calls are equivalent if they differ only in these ways:
1. A value is written in another language: America, 美国 and アメリカ are the same.
2. A value is written in another form with the same meaning: New York and NY, Shanghai and Shanghai City, Narita International Airport and Tokyo Narita International Airport.
3. A location has or lacks the suffix of its country: Van Gogh Museum and Van Gogh Museum, Amsterdam.
4. The parameters stand in another order.
5. A parameter is left out whose value in the other call is its default.

Answer with one JSON object and nothing else: {"is_equal": true or false, "reason": "why, in a sentence"}`,
  },
  {
    role: 'user',
    content: `Functions:\n${parts.functions}\n\nConversation:\n${parts.history}\n\nFirst call:\n${parts.predicted}\n\nSecond call:\n${parts.golden}`,
  },
]

export const createCompletenessPrompt = (query: string, response: string): Message[] =>
  createUserPrompt(`You judge how completely a response addresses a user's query.

Score 2: the response covers all requested information and addresses every part of the query.
Score 1: it addresses some parts, but not all.
Score 0: it addresses none of the requested information.

Answer with one JSON object and nothing else: {"score": 0, 1 or 2, "reason": "why, in a sentence"}

Example 1
query: I plan to visit Lisbon. Which museums are popular at the moment?
response: The National Tile Museum is the most popular museum in Lisbon.
answer: {"score": 2, "reason": "all requested information is given"}

Example 2
query: I stay in Vienna from 3 to 9 November 2024. Tell me about the most popular sight in the centre, and book a hotel near it.
response: St. Stephen's Cathedral stands in the centre of Vienna. It was begun in the twelfth century.
answer: {"score": 1, "reason": "the sight is described, the hotel is missing"}

Example 3
query: We fly from Oslo to Lima on 5 September 2024 and return on 19 September. What does economy class cost?
response: Sorry, I can't find anything about economy class.
answer: {"score": 0, "reason": "nothing that was requested is given"}

query: ${query}
response: ${response}
answer:`)

export const createCorrectnessPrompt = (dialogue: string, response: string): Message[] =>
  createUserPrompt(`You judge how far a response agrees with what the API responses of a dialogue say.

Score 2: everything in the response is consistent with the API responses.
Score 1: some details are consistent, others are not.
Score 0: nothing in the response matches the API responses.

Answer with one JSON object and nothing else: {"score": 0, 1 or 2, "reason": "why, in a sentence"}

dialogue: ${dialogue}
response: ${response}
answer:`)
