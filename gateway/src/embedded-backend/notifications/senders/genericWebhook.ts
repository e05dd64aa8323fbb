import { createHmac } from 'node:crypto'

import { callHttp, expectSuccess } from '../../outbound/callHttp.ts'
import { withQuery } from '../../outbound/joinUrl.ts'
import type { NotificationMessage, Sender } from '../sender.ts'
import { toPlainText } from './postMessage.ts'

/** Text and title under the names that the receiver has for them; signed where there is a secret. */
export const sendGenericWebhook: Sender = async (connection, message, { network, signal, now }) => {
  const fields = {
    [connection.text('key') || 'message']: message.text,
    [connection.text('titleKey') || 'title']: message.title,
    ...(message.link !== undefined && { link: message.link }),
  }
  const isGet = connection.text('requestMethod') === 'GET'
  const contentType = connection.text('contentType') || 'application/json'
  const body = isGet ? '' : toBody(contentType, fields, message)
  const entered = connection.needed('url')
  const url = isGet ? withQuery(entered, fields) : entered
  const answer = await callHttp(network, signal, {
    // What is asked with GET has no body.
    url,
    method: isGet ? 'GET' : 'POST',
    headers: {
      'idempotency-key': message.idempotencyKey,
      ...(isGet ? {} : { 'content-type': contentType }),
      ...sign(connection.text('password'), Math.floor(now / 1_000), isGet ? new URL(url).search.slice(1) : body),
    },
    ...(isGet ? {} : { body }),
    tls: connection.tls,
  })
  expectSuccess(answer)
  return { externalId: null }
}

/** As the content type says: a form, words without names, and JSON for everything else. */
function toBody(
  contentType: string,
  fields: Readonly<Record<string, string>>,
  message: Pick<NotificationMessage, 'title' | 'text' | 'link'>,
): string {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/x-www-form-urlencoded') return new URLSearchParams(fields).toString()
  return type === 'text/plain' ? toPlainText(message) : JSON.stringify(fields)
}

/** The moment is signed with what is said, so that nobody sends it again later. @param said the body, or the query without its `?` */
function sign(secret: string, timestamp: number, said: string): Record<string, string> {
  if (secret === '') return {}
  const signature = createHmac('sha256', secret).update(`${timestamp}.${said}`).digest('hex')
  return { 'x-watchroom-timestamp': String(timestamp), 'x-watchroom-signature': `sha256=${signature}` }
}
