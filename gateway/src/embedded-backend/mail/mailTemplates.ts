// What a mail says, once as text and once as HTML. Everything that is filled in is someone's text: no markup, no headers.
import { isStorable } from '@watchroom/shared/kernel'
import { z } from 'zod'

const words = (maxLength: number) => z.string().max(maxLength).refine(isStorable)
const url = z.url({ protocol: /^https?$/ }).max(2_048)
const minutes = z.number().int().positive()
const CodeSchema = z.object({ code: words(64), minutes })
const LinkSchema = z.object({ url, minutes })

/** One mail, by its template. */
export const MailSchema = z.discriminatedUnion('template', [
  z.object({ template: z.literal('recovery_code'), data: CodeSchema }),
  z.object({ template: z.literal('recovery_link'), data: LinkSchema }),
  z.object({ template: z.literal('verification_code'), data: CodeSchema }),
  z.object({ template: z.literal('verification_link'), data: LinkSchema }),
  z.object({
    template: z.literal('invitation'),
    /** `invitedBy` is the name of whoever invites; '' where nobody in particular does. */
    data: z.object({ url, invitedBy: words(512), days: z.number().int().positive() }),
  }),
  z.object({
    template: z.literal('responder'),
    data: z.object({ subject: words(512), text: words(8_192), url }),
  }),
  z.object({
    template: z.literal('notification'),
    data: z.object({ title: words(512), text: words(8_192), url: url.optional(), silenceUrl: url.optional() }),
  }),
])
export type MailContent = z.infer<typeof MailSchema>

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A mail as its parts, from top to bottom. */
interface Letter {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Large, to be typed. */
  readonly code?: string
  readonly link?: { readonly label: string; readonly url: string }
  /** Beside it, and smaller. */
  readonly aside?: { readonly label: string; readonly url: string }
  readonly foot: string
}

const UNASKED = 'If you did not ask for this, ignore this mail: nothing changes.'
const FROM_PRODUCT = 'You get this mail because of your account in Watchroom.'

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function toLetter({ template, data }: MailContent): Letter {
  switch (template) {
    case 'recovery_code':
      return {
        subject: 'Your code to recover your account',
        paragraphs: [`Enter this code to recover your account. It works for ${plural(data.minutes, 'minute')}.`],
        code: data.code,
        foot: UNASKED,
      }
    case 'recovery_link':
      return {
        subject: 'Recover your account',
        paragraphs: [`Open this link to recover your account. It works once, for ${plural(data.minutes, 'minute')}.`],
        link: { label: 'Recover account', url: data.url },
        foot: UNASKED,
      }
    case 'verification_code':
      return {
        subject: 'Your code to verify your e-mail address',
        paragraphs: [`Enter this code to verify your e-mail address. It works for ${plural(data.minutes, 'minute')}.`],
        code: data.code,
        foot: UNASKED,
      }
    case 'verification_link':
      return {
        subject: 'Verify your e-mail address',
        paragraphs: [`Open this link to verify your e-mail address. It works for ${plural(data.minutes, 'minute')}.`],
        link: { label: 'Verify e-mail address', url: data.url },
        foot: UNASKED,
      }
    case 'invitation':
      return {
        subject: 'You are invited to Watchroom',
        paragraphs: [
          data.invitedBy === '' ? 'You are invited to Watchroom.' : `${data.invitedBy} invites you to Watchroom.`,
          `Open this link to choose a password. It works once, for ${plural(data.days, 'day')}.`,
        ],
        link: { label: 'Accept invitation', url: data.url },
        foot: 'If you do not know why you get this mail, ignore it.',
      }
    case 'responder':
      return {
        subject: data.subject,
        paragraphs: data.text.split(/\n{2,}/),
        link: { label: 'Open the incident', url: data.url },
        foot: 'You get this mail because your team is called in to an incident in Watchroom.',
      }
    case 'notification':
      return {
        subject: data.title,
        paragraphs: data.text.split(/\n{2,}/),
        ...(data.url === undefined ? {} : { link: { label: 'Open in Watchroom', url: data.url } }),
        ...(data.silenceUrl === undefined ? {} : { aside: { label: 'Silence it', url: data.silenceUrl } }),
        foot: FROM_PRODUCT,
      }
  }
}

export function renderMail(content: MailContent): RenderedMail {
  const letter = toLetter(content)
  return { subject: toHeader(letter.subject), text: toText(letter), html: toHtml(letter) }
}

/** Of one line: a header ends where a line does. */
const toHeader = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

function toText({ paragraphs, code, link, aside, foot }: Letter): string {
  return [
    ...paragraphs,
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(link ? [link.url] : []),
    ...(aside ? [`${aside.label}: ${aside.url}`] : []),
    `-- \n${foot}`,
  ].join('\n\n')
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES.get(character) ?? '')

/** Mail programs know neither style sheets nor dark mode for sure, so each element says the little that it needs. */
function toHtml({ paragraphs, code, link, aside, foot }: Letter): string {
  const paragraph = (text: string): string =>
    `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>',
    '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif"><div style="max-width:560px">',
    ...paragraphs.map(paragraph),
    ...(code === undefined
      ? []
      : [`<p style="margin:0 0 16px;font:600 28px/1.5 monospace;letter-spacing:4px">${escapeHtml(code)}</p>`]),
    ...(link
      ? [
          `<p style="margin:0 0 16px"><a href="${escapeHtml(link.url)}" style="font-weight:600">${escapeHtml(link.label)}</a></p>`,
          `<p style="margin:0 0 16px;font-size:13px;word-break:break-all">${escapeHtml(link.url)}</p>`,
        ]
      : []),
    ...(aside
      ? [`<p style="margin:0 0 16px"><a href="${escapeHtml(aside.url)}">${escapeHtml(aside.label)}</a></p>`]
      : []),
    `<p style="margin:24px 0 0;font-size:13px">${escapeHtml(foot)}</p>`,
    '</div></body></html>',
  ].join('\n')
}
