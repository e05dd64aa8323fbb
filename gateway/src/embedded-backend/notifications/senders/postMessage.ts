// What senders share: one POST to a service, and what it says of the message.
import { callHttp, expectSuccess, type HttpCall, readJson } from '../../outbound/callHttp.ts'
import { cutText } from '../../outbound/cutText.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { NotificationMessage, SendOptions } from '../sender.ts'

type Post = Pick<HttpCall, 'url' | 'headers' | 'tls' | 'method'>

/** @returns the service's answer as JSON */
export async function postJson(options: SendOptions, post: Post, body: unknown): Promise<unknown> {
  const answer = await send(options, post, 'application/json', JSON.stringify(body))
  return readJson(answer)
}

/** For services that answer in words of their own. */
export async function postForWords(options: SendOptions, post: Post, body: unknown): Promise<string> {
  return expectSuccess(await send(options, post, 'application/json', JSON.stringify(body))).text
}

export async function postForm(
  options: SendOptions,
  post: Post,
  fields: Readonly<Record<string, string>>,
): Promise<unknown> {
  return readJson(
    await send(options, post, 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString()),
  )
}

const send = ({ network, signal }: SendOptions, post: Post, contentType: string, body: string) =>
  callHttp(network, signal, {
    method: 'POST',
    ...post,
    headers: { 'content-type': contentType, ...post.headers },
    body,
  })

/** A service that answers 200 and says in the answer that it did not take the message. */
export function refuse(reason: unknown): never {
  throw new OutboundFault(`it refused the message: ${typeof reason === 'string' ? reason : 'without a reason'}`)
}

/**
 * Title, text and link for services that know one text alone.
 *
 * @param max characters that the service takes; it refuses a longer message for good. The text gives way, the link does not
 */
export function toPlainText(
  { title, text, link }: Pick<NotificationMessage, 'title' | 'text' | 'link'>,
  max = Number.POSITIVE_INFINITY,
): string {
  const around = title.length + (link ?? '').length + 2
  return [title, cutText(text, max - around), ...(link === undefined ? [] : [link])]
    .filter((part) => part !== '')
    .join('\n')
}

export const toId = (id: unknown): string | null =>
  typeof id === 'string' || typeof id === 'number' ? String(id) : null
