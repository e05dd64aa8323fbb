import { hostUrl, joinUrl } from '../../outbound/joinUrl.ts'
import type { Sender } from '../sender.ts'
import { postForWords, toPlainText } from './postMessage.ts'

export const sendMattermost: Sender = async (connection, message, options) => {
  const url = joinUrl(hostUrl(connection.needed('host')), `hooks/${encodeURIComponent(connection.needed('password'))}`)
  await postForWords(
    options,
    { url },
    {
      text: toPlainText(message),
      username: connection.text('username') || undefined,
      channel: connection.text('channel') || undefined,
    },
  )
  return { externalId: null }
}
