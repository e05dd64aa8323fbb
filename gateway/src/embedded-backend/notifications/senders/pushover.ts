import type { Sender } from '../sender.ts'
import { postForm, refuse, toId } from './postMessage.ts'

export const sendPushover: Sender = async (connection, { title, text, link }, options) => {
  const answer = await postForm(
    options,
    { url: 'https://api.pushover.net/1/messages.json' },
    {
      token: connection.needed('password'),
      user: connection.needed('username'),
      title,
      message: text,
      ...(link !== undefined && { url: link }),
    },
  )
  const { status, errors, request } = Object(answer) as Record<string, unknown>
  return status === 1 ? { externalId: toId(request) } : refuse(Array.isArray(errors) ? errors.join(', ') : null)
}
