/** An instruction that agents wrote, for people to review. */
import type { Review, ReviewDecision } from '../review.ts'

export const exampleReview: Review = {
  case: 'session-service-b7e6e072e94e',
  program: 'b7e6e072e94ed3282ccda1320fd7b00f5831f02bc7708258ed808c569c4cee6b',
  status: 'needs_review',
  reason: 'code written from the instruction alone did not reproduce the oracle',
  instruction: 'Get the sessions of `user_variable_0`. Return them as `listing` in RESULT.',
  code: "const axios = require('axios');\n\nconst response_0 = (await axios.get(`${BASE_URL}/api/sessions/${user_variable_0.source}/${user_variable_0.type}`)).data;\nRESULT = { listing: response_0 };\n",
  dialogue: [
    {
      by: 'generator',
      round: 1,
      says: 'Get the sessions of `user_variable_0`. Return them as `listing` in RESULT.',
    },
    { by: 'evaluator', round: 1, says: 'It says what is called and what is returned.' },
    { by: 'check', round: 1, says: "The names of variables and of RESULT's keys are there." },
  ],
  tries: [{ verdict: 'result_error', says: 'RESULT.listing is empty', code: 'RESULT = { listing: [] }\n' }],
  decisions: [],
}

export const exampleDecision: ReviewDecision = {
  decision: 'edit',
  instruction:
    'List the sessions with the source and type of `user_variable_0`. Return that listing as `listing` in RESULT.',
  by: 'alex',
  because: 'it did not say that source and type are meant',
}

export const decidedReview: Review = {
  ...exampleReview,
  decisions: [{ ...exampleDecision, at: '2026-11-22T15:02:11.000Z' }],
}
