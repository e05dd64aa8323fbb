import type { Sender } from '../sender.ts'
import { postForWords } from './postMessage.ts'

export const sendIfttt: Sender = async (connection, { title, text, link }, options) => {
  const [event, key] = [connection.text('event') || 'notification', connection.needed('username')].map(
    encodeURIComponent,
  )
  const url = `https://maker.ifttt.com/trigger/${event}/with/key/${key}`
  await postForWords(options, { url }, { value1: title, value2: text, value3: link ?? '' })
  return { externalId: null }
}
