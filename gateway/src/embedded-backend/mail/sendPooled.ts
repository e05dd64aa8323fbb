// Mail servers stay connected for a moment after a mail: the next one of a burst need not greet, encrypt and sign in again.
import { createTransport, type SendMailOptions, type SentMessageInfo } from 'nodemailer'
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js'

import { systemClock as clock } from '../../platform/clock.ts'

/** Where a mail goes and as whom. */
export type MailServer = Omit<SMTPPool.Options, 'pool' | 'maxConnections' | 'maxMessages'>

interface Open {
  readonly transport: ReturnType<typeof open>
  underWay: number
  /** Cancels the planned close of a connection that nobody needed for a moment. */
  cancel: () => void
}

/** As many as the dispatcher of notifications gives one machine at once. */
const MAX_CONNECTIONS = 4
const MAX_MESSAGES = 100
const IDLE_MS = 1_000

const open = (server: MailServer) =>
  createTransport({ ...server, pool: true, maxConnections: MAX_CONNECTIONS, maxMessages: MAX_MESSAGES })

/** By everything that describes the server, credentials included: other credentials get a connection of their own. */
const servers = new Map<string, Open>()

/**
 * @param mail its signal gives this mail up, with the connection that it has, and no other
 * @param host as people know it, where `server` has its address
 * @throws when the server does not take it; the error names host and port
 */
export async function sendPooled(
  server: MailServer,
  mail: SendMailOptions,
  host = server.host,
): Promise<SentMessageInfo> {
  const key = JSON.stringify(server)
  const used = servers.get(key) ?? { transport: open(server), underWay: 0, cancel: () => undefined }
  servers.set(key, used)
  used.cancel()
  used.underWay += 1
  try {
    return await used.transport.sendMail(mail)
  } catch (error) {
    if (error instanceof Error) Object.assign(error, { address: host, port: server.port })
    throw error
  } finally {
    used.underWay -= 1
    if (used.underWay === 0) {
      used.cancel = clock.schedule(() => {
        servers.delete(key)
        used.transport.close()
      }, IDLE_MS)
    }
  }
}
