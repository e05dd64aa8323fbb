import { createHmac } from 'node:crypto'

import { callHttp, expectSuccess } from '../../outbound/callHttp.ts'
import { withQuery } from '../../outbound/joinUrl.ts'
import type { Sender } from '../sender.ts'

/** Text and title under the names that the receiver has for them; signed where there is a secret. */
export const sendGenericWebhook: Sender = async (connection, message, { network, signal, now }) => {
  const fields = {
    [connection.text('key') || 'message']: message.text,
    [connection.text('titleKey') || 'title']: message.title,
    ...(message.link !== undefined && { link: message.link }),
  }
  const isGet = connection.text('requestMethod') === 'GET'
  const body = isGet ? '' : JSON.stringify(fields)
  const url = connection.needed('url')
  const answer = await callHttp(network, signal, {
    // What is asked with GET has no body.
    url: isGet ? withQuery(url, fields) : url,
    method: isGet ? 'GET' : 'POST',
    headers: {
      'idempotency-key': message.idempotencyKey,
      ...(isGet ? {} : { 'content-type': connection.text('contentType') || 'application/json' }),
      ...sign(connection.text('password'), Math.floor(now / 1_000), body),
    },
    ...(isGet ? {} : { body }),
    tls: connection.tls,
  })
  expectSuccess(answer)
  return { externalId: null }
}

/** The moment is signed with the body, so that nobody sends it again later. */
function sign(secret: string, timestamp: number, body: string): Record<string, string> {
  if (secret === '') return {}
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { 'x-watchroom-timestamp': String(timestamp), 'x-watchroom-signature': `sha256=${signature}` }
}
