export { answerMessage, formatReply, type HttpMessage, type HttpReply } from './http.ts'
export { type ModelledAnswer, type ModelledWorld, createModelledWorld } from './modelled-world.ts'
