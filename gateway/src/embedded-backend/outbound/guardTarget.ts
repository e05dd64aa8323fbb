import type { PostgresTarget } from '../../check-runner/postgresTarget.ts'
import type { Network } from './createNetwork.ts'

/** Where a database really is; nobody is led to where connections may not go. @throws OutboundFault */
export async function guardTarget(network: Network, { host, ssl, ...target }: PostgresTarget) {
  const where = await network.resolve({ host, port: target.port })
  // The certificate is for the name, wherever it leads.
  const tls = ssl === false ? false : { servername: host, ...(ssl === true ? {} : Object(ssl)) }
  return { ...target, host: where.host, port: where.port, ssl: tls as PostgresTarget['ssl'] }
}
