import { callHttp, readJson } from '../../outbound/callHttp.ts'
import { hostUrl, joinUrl } from '../../outbound/joinUrl.ts'
import type { OpenedConnection } from '../../outbound/openedConnection.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { Sender, SendOptions } from '../sender.ts'
import { postJson, toId, toPlainText } from './postMessage.ts'
import { tellEach } from './tellEach.ts'

const API = '_matrix/client/v3'

/** To every room that the account is in. */
export const sendMatrix: Sender = async (connection, message, options) => {
  const home = hostUrl(connection.needed('host'))
  const headers = { authorization: `Bearer ${await signIn(home, connection, options)}` }
  const { network, signal } = options
  const { tls } = connection
  const answer = await callHttp(network, signal, { url: joinUrl(home, `${API}/joined_rooms`), headers, tls })
  const rooms = (Object(readJson(answer)) as { joined_rooms?: unknown }).joined_rooms
  if (!Array.isArray(rooms) || rooms.length === 0) throw new OutboundFault('the account is in no room')
  const body = { msgtype: 'm.text', body: toPlainText(message) }
  const tell = async (room: string): Promise<string | null> => {
    // The same transaction is one message, however often it is sent.
    const path = `${API}/rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(message.idempotencyKey)}`
    const sent = await postJson(options, { url: joinUrl(home, path), method: 'PUT', headers, tls }, body)
    return toId((Object(sent) as Record<string, unknown>)['event_id'])
  }
  return tellEach(rooms.map(String), tell, options)
}

/** @returns an access token, which may be what was entered */
async function signIn(home: string, connection: OpenedConnection, options: SendOptions): Promise<string> {
  const [user, password] = [connection.text('username'), connection.needed('password')]
  if (user === '') return password
  const answer = await postJson(
    options,
    { url: joinUrl(home, `${API}/login`), tls: connection.tls },
    {
      type: 'm.login.password',
      identifier: { type: 'm.id.user', user },
      password,
    },
  )
  const token = (Object(answer) as Record<string, unknown>)['access_token']
  if (typeof token !== 'string') throw new OutboundFault('it answers, but not like Matrix')
  return token
}
