import type { Sender } from '../sender.ts'
import { postJson, toId } from './postMessage.ts'

/** To each target: an email address, a #channel, or a device. */
export const sendPushbullet: Sender = async (connection, { title, text, link, idempotencyKey }, options) => {
  const post = {
    url: 'https://api.pushbullet.com/v2/pushes',
    headers: { 'access-token': connection.needed('password') },
  }
  let externalId: string | null = null
  for (const target of connection
    .needed('targets')
    .split(',')
    .map((name) => name.trim())) {
    const answer = await postJson(options, post, {
      type: link === undefined ? 'note' : 'link',
      title,
      body: text,
      url: link,
      // The same one is one push, however often it is sent.
      guid: `${idempotencyKey}-${target}`,
      ...toReceiver(target),
    })
    externalId ??= toId((Object(answer) as Record<string, unknown>)['iden'])
  }
  return { externalId }
}

function toReceiver(target: string): Readonly<Record<string, string>> {
  if (target.startsWith('#')) return { channel_tag: target.slice(1) }
  return target.includes('@') ? { email: target } : { device_iden: target }
}
