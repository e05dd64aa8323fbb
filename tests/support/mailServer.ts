// A real mail server for tests: takes mails over SMTP and keeps them as they came.
import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  /** Of the envelope: to whom it is delivered, whatever its headers say. */
  readonly recipients: readonly string[]
  /** Headers and body, as sent. */
  readonly source: string
  /** The part for people who read text, decoded. */
  readonly text: string
}

export interface MailServer {
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  /** Connections that were ever made. */
  connected(): number
  /** Answers every mail with 451 and a reason until it is null again. */
  refuse(reason: string | null): void
  /** Thinks about every mail until what is returned is called. */
  hold(): () => void
  close(): Promise<void>
}

/** @param delayMs how long it thinks before it takes a mail */
export async function startMailServer({ delayMs = 0, port = 0 } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let refusal: string | null = null
  let held: Promise<void> = Promise.resolve()
  let connected = 0
  const server = new SMTPServer({
    // Mailers keep connections open for a moment, which nobody waits for.
    closeTimeout: 1,
    onConnect: (_session, done) => {
      connected += 1
      done()
    },
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'watch' && password === 'p@ss' ? done(null, { user: username }) : done(new Error('wrong password')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      const take = (): void => {
        if (refusal !== null) return done(Object.assign(new Error(refusal), { responseCode: 451 }))
        const source = Buffer.concat(chunks).toString()
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ recipients, source, text: readTextPart(source) })
        return done()
      }
      stream.on('end', () => void held.then(() => setTimeout(take, delayMs)))
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  // Of connections: whoever sends may be killed in the middle of it.
  server.on('error', () => undefined)
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    connected: () => connected,
    refuse: (reason) => {
      refusal = reason
    },
    hold: () => {
      let release = (): void => undefined
      held = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function readTextPart(source: string): string {
  const start = source.indexOf('Content-Type: text/plain')
  const [head = '', ...rest] = source.slice(start).split('\r\n\r\n')
  const body = rest.join('\r\n\r\n').split('\r\n----', 1)[0] ?? ''
  if (/Content-Transfer-Encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/Content-Transfer-Encoding: quoted-printable/i.test(head)) return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
