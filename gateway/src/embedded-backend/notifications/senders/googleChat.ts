import { joinUrl } from '../../outbound/joinUrl.ts'
import type { Sender } from '../sender.ts'
import { postJson, toId, toPlainText } from './postMessage.ts'

export const sendGoogleChat: Sender = async (connection, message, options) => {
  const space = encodeURIComponent(connection.needed('webhook'))
  const url = joinUrl('https://chat.googleapis.com', `v1/spaces/${space}/messages`, {
    key: connection.needed('username'),
    token: connection.needed('password'),
  })
  const answer = Object(await postJson(options, { url }, { text: toPlainText(message) })) as Record<string, unknown>
  return { externalId: toId(answer['name']) }
}
