import { toBasic } from '../../outbound/callHttp.ts'
import { cutBytes } from '../../outbound/cutText.ts'
import { hostUrl } from '../../outbound/joinUrl.ts'
import type { Sender } from '../sender.ts'
import { postJson, toId } from './postMessage.ts'

/** What is longer becomes a file, or is refused. */
const MAX_BYTES = 4_096

export const sendNtfy: Sender = async (connection, { title, text, link }, options) => {
  const url = hostUrl(connection.needed('host'), connection.tls.isInsecure ? 'http' : 'https')
  const [username, password] = [connection.text('username'), connection.text('password')]
  const headers = username + password === '' ? {} : { authorization: toBasic(username, password) }
  const body = { topic: connection.needed('topic'), title, message: cutBytes(text, MAX_BYTES), click: link }
  const answer = Object(await postJson(options, { url, headers }, body)) as Record<string, unknown>
  return { externalId: toId(answer['id']) }
}
