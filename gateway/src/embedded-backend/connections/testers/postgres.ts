import { describePostgresFailure, withPostgres } from '../../../check-runner/postgresClient.ts'
import { readPostgresTarget } from '../../../check-runner/postgresTarget.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { Tester } from '../tester.ts'

/** Signs in and asks for 1. */
export const testPostgres: Tester = async (connection, { network, signal, logger }) => {
  const read = readPostgresTarget(connection.needed('url'), {
    username: connection.text('username') || undefined,
    password: connection.text('password') || undefined,
  })
  if (!read.ok) throw new OutboundFault(`URL: ${read.error}`)
  const asked = { ...read.value, application_name: 'watchroom connection test' }
  try {
    await withPostgres(asked, { signal, logger, wayOut: network }, (client) => client.query('select 1'))
  } catch (error) {
    throw new OutboundFault(describePostgresFailure(error), { cause: error })
  }
}
