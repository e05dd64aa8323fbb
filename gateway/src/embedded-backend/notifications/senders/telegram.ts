import type { Sender } from '../sender.ts'
import { postJson, refuse, toId, toPlainText } from './postMessage.ts'

const MAX_CHARACTERS = 4_096

/** To each chat; the first refusal ends it. */
export const sendTelegram: Sender = async (connection, message, options) => {
  const url = `https://api.telegram.org/bot${connection.needed('password')}/sendMessage`
  const ids: (string | null)[] = []
  for (const chat of connection.needed('username').split(',')) {
    const body = { chat_id: chat.trim(), text: toPlainText(message, MAX_CHARACTERS) }
    const answer = Object(await postJson(options, { url }, body)) as Record<string, unknown>
    if (answer['ok'] !== true) refuse(answer['description'])
    ids.push(toId((Object(answer['result']) as Record<string, unknown>)['message_id']))
  }
  return { externalId: ids[0] ?? null }
}
