import { toBasic } from '../../outbound/callHttp.ts'
import { hostUrl, joinUrl } from '../../outbound/joinUrl.ts'
import type { Sender } from '../sender.ts'
import { postForm, refuse, toId, toPlainText } from './postMessage.ts'

export const sendZulipChat: Sender = async (connection, message, options) => {
  const post = {
    url: joinUrl(hostUrl(connection.needed('host')), 'api/v1/messages'),
    headers: { authorization: toBasic(connection.needed('username'), connection.needed('password')) },
  }
  const answer = await postForm(options, post, {
    type: 'stream',
    to: connection.text('stream') || 'general',
    topic: connection.text('topic') || 'Notifications',
    content: toPlainText(message),
  })
  const { result, msg, id } = Object(answer) as Record<string, unknown>
  return result === 'success' ? { externalId: toId(id) } : refuse(msg)
}
