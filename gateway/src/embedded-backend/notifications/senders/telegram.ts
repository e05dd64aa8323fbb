import type { Sender } from '../sender.ts'
import { postJson, refuse, toId, toPlainText } from './postMessage.ts'
import { tellEach } from './tellEach.ts'

const MAX_CHARACTERS = 4_096

/** To each chat. */
export const sendTelegram: Sender = async (connection, message, options) => {
  const url = `https://api.telegram.org/bot${connection.needed('password')}/sendMessage`
  const chats = connection
    .needed('username')
    .split(',')
    .map((name) => name.trim())
  const tell = async (chat: string): Promise<string | null> => {
    const body = { chat_id: chat, text: toPlainText(message, MAX_CHARACTERS) }
    const answer = Object(await postJson(options, { url }, body)) as Record<string, unknown>
    if (answer['ok'] !== true) refuse(answer['description'])
    return toId((Object(answer['result']) as Record<string, unknown>)['message_id'])
  }
  return tellEach(chats, tell, options)
}
