/** How answers are sent: JSON text that is already written (numbers keep their kind), or nothing at all. */
import type { FastifyReply } from 'fastify'

// A buffer goes out as it is; a text would get a charset added to its type, which upstream's hasn't.
export const sendJson = (reply: FastifyReply, text: string) =>
  reply.type('application/json').send(Buffer.from(text))
export const sendNothing = (reply: FastifyReply) => reply.send()
