import type { Sender } from '../sender.ts'
import { postJson, toId, toPlainText } from './postMessage.ts'

const MAX_CHARACTERS = 2_000

export const sendDiscord: Sender = async (connection, message, options) => {
  const [id, token] = [connection.needed('username'), connection.needed('password')].map(encodeURIComponent)
  const url = `https://discord.com/api/webhooks/${id}/${token}?wait=true`
  // Nobody is called by what a message quotes.
  const body = { content: toPlainText(message, MAX_CHARACTERS), allowed_mentions: { parse: [] } }
  const answer = Object(await postJson(options, { url }, body)) as Record<string, unknown>
  return { externalId: toId(answer['id']) }
}
