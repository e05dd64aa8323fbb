// Where mails go: to a mail server, or into the terminal where nobody named one.
import { isIP } from 'node:net'

import type { RenderedMail } from './mailTemplates.ts'
import { sendPooled } from './sendPooled.ts'

export interface MailTransport {
  /** `outbox`: nobody takes the mail away, so it is kept for administrators to read. */
  readonly kind: 'smtp' | 'outbox'
  /**
   * @param id the same for every attempt, where a repetition has to be told
   * @throws when the server does not take it
   */
  send(to: string, mail: RenderedMail, id?: string): Promise<void>
}

interface MailTransportOptions {
  /** `smtp://` or `smtps://`, with name and password where the server asks for them. */
  readonly smtpUrl?: string | undefined
  /** Address that mails come from. */
  readonly from?: string | undefined
  /** Of the address that people open. */
  readonly hostname: string
  readonly print: (text: string) => void
}

/** A server that is slower than this gets the mail with the next attempt. */
const CONNECT_MS = 5_000
const SILENCE_MS = 10_000

export function createMailTransport({ smtpUrl, from, hostname, print }: MailTransportOptions): MailTransport {
  if (smtpUrl === undefined) {
    return {
      kind: 'outbox',
      send: async (to, { subject, text }) =>
        print(`\nMail to ${to}: ${subject}\n\n${text.replaceAll(/^/gm, '  ')}\n\n`),
    }
  }
  const { protocol, hostname: host, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const server = {
    host: host.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const address = from ?? `watchroom@${isIP(hostname.replaceAll(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost'}`
  return {
    kind: 'smtp',
    send: async (to, { subject, text, html }, id) => {
      await sendPooled(server, {
        from: { name: 'Watchroom', address },
        // As an object it is one address, whatever it holds.
        to: { name: '', address: to },
        subject,
        text,
        html,
        ...(id !== undefined && { messageId: `<${id}@${address.split('@').at(-1) ?? 'localhost'}>` }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
  }
}
