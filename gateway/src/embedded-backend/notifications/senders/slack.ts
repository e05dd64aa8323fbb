import type { Sender } from '../sender.ts'
import { postForWords, postJson, refuse, toId, toPlainText } from './postMessage.ts'

/** Posts as the bot of a token, or to an incoming webhook where its address stands in place of one. */
export const sendSlack: Sender = async (connection, message, options) => {
  const token = connection.needed('password')
  const username = connection.text('fromName') || undefined
  const body = { channel: connection.needed('username'), text: toPlainText(message), username }
  if (token.startsWith('https://')) {
    await postForWords(options, { url: token }, body)
    return { externalId: null }
  }
  const post = { url: 'https://slack.com/api/chat.postMessage', headers: { authorization: `Bearer ${token}` } }
  const { ok, error, ts } = Object(await postJson(options, post, body)) as Record<string, unknown>
  return ok === true ? { externalId: toId(ts) } : refuse(error)
}
