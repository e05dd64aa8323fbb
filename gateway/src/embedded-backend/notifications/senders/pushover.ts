import { cutText } from '../../outbound/cutText.ts'
import type { Sender } from '../sender.ts'
import { postForm, refuse, toId } from './postMessage.ts'

/** Pushover refuses what is longer. */
const MAX_TITLE_CHARACTERS = 250
const MAX_TEXT_CHARACTERS = 1_024
const MAX_URL_CHARACTERS = 512

export const sendPushover: Sender = async (connection, { title, text, link }, options) => {
  const answer = await postForm(
    options,
    { url: 'https://api.pushover.net/1/messages.json' },
    {
      token: connection.needed('password'),
      user: connection.needed('username'),
      title: cutText(title, MAX_TITLE_CHARACTERS),
      message: cutText(text, MAX_TEXT_CHARACTERS),
      // A part of an address leads nowhere.
      ...(link !== undefined && link.length <= MAX_URL_CHARACTERS && { url: link }),
    },
  )
  const { status, errors, request } = Object(answer) as Record<string, unknown>
  return status === 1 ? { externalId: toId(request) } : refuse(Array.isArray(errors) ? errors.join(', ') : null)
}
