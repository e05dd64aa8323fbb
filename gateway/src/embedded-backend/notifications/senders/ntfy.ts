import { toBasic } from '../../outbound/callHttp.ts'
import { hostUrl } from '../../outbound/joinUrl.ts'
import type { Sender } from '../sender.ts'
import { postJson, toId } from './postMessage.ts'

export const sendNtfy: Sender = async (connection, { title, text, link }, options) => {
  const url = hostUrl(connection.needed('host'), connection.tls.isInsecure ? 'http' : 'https')
  const [username, password] = [connection.text('username'), connection.text('password')]
  const headers = username + password === '' ? {} : { authorization: toBasic(username, password) }
  const body = { topic: connection.needed('topic'), title, message: text, click: link }
  const answer = Object(await postJson(options, { url, headers }, body)) as Record<string, unknown>
  return { externalId: toId(answer['id']) }
}
