import type { Sender } from '../sender.ts'
import { postJson, toId } from './postMessage.ts'
import { tellEach } from './tellEach.ts'

/** To each target: an email address, a #channel, or a device. */
export const sendPushbullet: Sender = async (connection, { title, text, link, idempotencyKey }, options) => {
  const post = {
    url: 'https://api.pushbullet.com/v2/pushes',
    headers: { 'access-token': connection.needed('password') },
  }
  const targets = connection
    .needed('targets')
    .split(',')
    .map((name) => name.trim())
  const tell = async (target: string): Promise<string | null> => {
    const answer = await postJson(options, post, {
      type: link === undefined ? 'note' : 'link',
      title,
      body: text,
      url: link,
      // The same one is one push, however often it is sent.
      guid: `${idempotencyKey}-${target}`,
      ...toReceiver(target),
    })
    return toId((Object(answer) as Record<string, unknown>)['iden'])
  }
  return tellEach(targets, tell, options)
}

function toReceiver(target: string): Readonly<Record<string, string>> {
  if (target.startsWith('#')) return { channel_tag: target.slice(1) }
  return target.includes('@') ? { email: target } : { device_iden: target }
}
