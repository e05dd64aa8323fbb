import { hostUrl, joinUrl } from '../../outbound/joinUrl.ts'
import type { Sender } from '../sender.ts'
import { postJson, refuse, toPlainText } from './postMessage.ts'

export const sendRocketchat: Sender = async (connection, message, options) => {
  const host = hostUrl(`${connection.needed('host')}:${connection.number('port')}`)
  const tokens = [connection.needed('username'), connection.needed('password')].map(encodeURIComponent).join('/')
  const answer = await postJson(
    options,
    { url: joinUrl(host, `hooks/${tokens}`) },
    {
      text: toPlainText(message),
      username: connection.text('user') || undefined,
      channel: connection.needed('channel'),
    },
  )
  const { success, error } = Object(answer) as Record<string, unknown>
  return success === true ? { externalId: null } : refuse(error)
}
