import { cutText } from '../../outbound/cutText.ts'
import type { NotificationMessage, Sender } from '../sender.ts'
import { postForWords, postJson, refuse, toId, toPlainText } from './postMessage.ts'

/** Slack refuses what is longer. */
const MAX_HEADER_CHARACTERS = 150
const MAX_SECTION_CHARACTERS = 2_900
const MAX_SECTIONS = 4

/** Posts as the bot of a token, or to an incoming webhook where its address stands in place of one. */
export const sendSlack: Sender = async (connection, message, options) => {
  const token = connection.needed('password')
  const username = connection.text('fromName') || undefined
  // The text is what stands in the notification of a phone.
  const text = toPlainText(message)
  const body = { channel: connection.needed('username'), text, blocks: toBlocks(message), username }
  if (token.startsWith('https://')) {
    await postForWords(options, { url: token }, body)
    return { externalId: null }
  }
  const post = { url: 'https://slack.com/api/chat.postMessage', headers: { authorization: `Bearer ${token}` } }
  const { ok, error, ts } = Object(await postJson(options, post, body)) as Record<string, unknown>
  return ok === true ? { externalId: toId(ts) } : refuse(error)
}

function toBlocks({ title, text, link, parts }: NotificationMessage): unknown[] {
  const words = toEscaped(parts?.text ?? text)
  const sections = Array.from(
    { length: Math.min(MAX_SECTIONS, Math.ceil(words.length / MAX_SECTION_CHARACTERS)) },
    (_, at) => words.slice(at * MAX_SECTION_CHARACTERS, (at + 1) * MAX_SECTION_CHARACTERS),
  )
  const links = [toLink(link, 'Open in Watchroom'), toLink(parts?.silenceLink, 'Silence it')].filter(Boolean)
  return [
    { type: 'header', text: { type: 'plain_text', text: cutText(title, MAX_HEADER_CHARACTERS) } },
    ...sections
      .filter((section) => section.trim() !== '')
      .map((section) => ({ type: 'section', text: { type: 'mrkdwn', text: section, verbatim: true } })),
    ...(links.length === 0 ? [] : [{ type: 'context', elements: [{ type: 'mrkdwn', text: links.join(' · ') }] }]),
  ]
}

const toLink = (url: string | null | undefined, label: string): string =>
  url ? `<${toEscaped(url).replaceAll('|', '%7C')}|${label}>` : ''

/** What stands in angle brackets calls everyone, or leads elsewhere. */
const toEscaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
