import type { Route } from '../context.ts'
import { importRecording as store } from '../recordings.ts'

export const importRecording: Route<'importRecording'> = async ({ body: { text } }, context) => ({
  status: 201,
  body: await store(context, text),
})
