import { cutText } from '../../outbound/cutText.ts'
import { hostUrl, joinUrl } from '../../outbound/joinUrl.ts'
import type { Sender } from '../sender.ts'
import { postJson, toId } from './postMessage.ts'

const MAX_TITLE_CHARACTERS = 130

/** Opens an alert; the same alias is the same alert. */
export const sendOpsgenie: Sender = async (connection, { title, text, link, idempotencyKey }, options) => {
  const host = hostUrl(`${connection.needed('host')}:${connection.number('port')}`)
  const post = {
    url: joinUrl(host, 'v2/alerts'),
    headers: { authorization: `GenieKey ${connection.needed('password')}` },
  }
  const answer = await postJson(options, post, {
    message: cutText(title, MAX_TITLE_CHARACTERS),
    description: link === undefined ? text : `${text}\n\n${link}`,
    alias: idempotencyKey,
    source: 'Watchroom',
  })
  return { externalId: toId((Object(answer) as Record<string, unknown>)['requestId']) }
}
