import { sendPooled } from '../../mail/sendPooled.ts'
import type { OpenedConnection } from '../../outbound/openedConnection.ts'
import type { Sender, SendOptions } from '../sender.ts'

const SMTPS_PORT = 465
const SILENCE_MS = 10_000

/** Sends a mail; without recipients to the address that it comes from. */
export const sendEmail: Sender = async (connection, message, options) => {
  const server = await findServer(connection, options)
  const address = connection.needed('from')
  options.signal.throwIfAborted()
  const mail = {
    signal: options.signal,
    from: { name: connection.text('fromName'), address },
    // As objects they are one address each, whatever they hold.
    to: (message.to ?? [address]).map((to) => ({ name: '', address: to })),
    subject: message.title,
    text: message.link === undefined ? message.text : `${message.text}\n\n${message.link}`,
    ...(message.html !== undefined && { html: message.html }),
    messageId: `<${message.idempotencyKey}@${address.split('@').at(-1) ?? 'localhost'}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
  const sent = await sendPooled(server, mail, connection.needed('host'))
  return { externalId: sent.messageId }
}

async function findServer(connection: OpenedConnection, { network }: SendOptions) {
  const [name, port] = [connection.needed('host'), connection.number('port')]
  const encryption = connection.text('encryptionMethod')
  const where = await network.resolve({ host: name, port })
  return {
    ...where,
    name: 'watchroom',
    secure: encryption === 'ImplicitTLS' || (encryption === 'Auto' && port === SMTPS_PORT),
    ignoreTLS: encryption === 'None',
    requireTLS: encryption === 'ExplicitTLS',
    tls: {
      servername: name,
      rejectUnauthorized: !connection.tls.isInsecure,
      ...(network.ca !== undefined && { ca: network.ca }),
    },
    ...toAuthentication(connection),
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function toAuthentication(connection: OpenedConnection) {
  const [method, user, pass] = ['authMethod', 'username', 'password'].map(connection.text)
  if (method === undefined || method === 'None' || !user || pass === undefined) return {}
  switch (method) {
    case 'OAuth2':
      return { auth: { type: 'OAuth2' as const, user, accessToken: pass } }
    case 'Plain':
      return { auth: { user, pass }, authMethod: 'PLAIN' }
    case 'CRAMMD5':
      return { auth: { user, pass }, authMethod: 'CRAM-MD5' }
    default:
      // Whatever the server offers.
      return { auth: { user, pass } }
  }
}
