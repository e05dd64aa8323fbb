import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

import type { CheckSpec } from '@watchroom/shared/health/check-types'
import { ownValue } from '@watchroom/shared/kernel'

import type { CheckRunner } from '../contract.ts'
import { describeFailure } from '../describeFailure.ts'
import { judged, notPassed } from '../outcome.ts'

type DnsSpec = CheckSpec<'dns'>

/** One query is repeated after this long; the check's deadline ends all of it. */
const QUERY_TIMEOUT_MS = 2_000
const TRIES = 3

const BY_CODE: Readonly<Record<string, string>> = {
  ESERVFAIL: 'the name server failed (SERVFAIL)',
  EREFUSED: 'the name server refused the query',
  ETIMEOUT: 'the name server did not answer',
  ECONNREFUSED: 'no name server listens there',
  ECANCELLED: 'stopped',
  EFORMERR: 'the name server did not understand the query',
  EBADRESP: 'the answer is malformed',
}

/** Asks one name server (or the system's) over UDP, then TCP when the answer is too long. */
export const dnsRunner: CheckRunner<DnsSpec> = {
  async run(spec, { signal, clock }) {
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES })
    const handleAbort = (): void => resolver.cancel()
    signal.addEventListener('abort', handleAbort, { once: true })
    const startedAt = clock.monotonic()
    try {
      if (spec.server !== undefined) resolver.setServers([await toServerAddress(spec.server, spec.port ?? 53)])
      const askedAt = clock.monotonic()
      const records = await query(resolver, spec)
      const durationMs = clock.monotonic() - askedAt
      const type = spec.querytype ?? 'A'
      const message = `${records.length} ${type} ${records.length === 1 ? 'record' : 'records'}`
      return judged(durationMs, findFaults(spec, records), message, { records, server: resolver.getServers()[0] })
    } catch (error) {
      return notPassed(clock.monotonic() - startedAt, describeDnsFailure(error))
    } finally {
      signal.removeEventListener('abort', handleAbort)
      resolver.cancel()
    }
  },
}

async function toServerAddress(server: string, port: number): Promise<string> {
  const address = isIP(server) === 0 ? (await lookup(server)).address : server
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
}

/** The records as texts; none when the name or the type does not exist. */
async function query(resolver: Resolver, spec: DnsSpec): Promise<string[]> {
  try {
    return await queryRecords(resolver, spec)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')) return []
    throw error
  }
}

async function queryRecords(resolver: Resolver, { query: name, querytype = 'A' }: DnsSpec): Promise<string[]> {
  switch (querytype) {
    case 'A':
      return await resolver.resolve4(name)
    case 'AAAA':
      return await resolver.resolve6(name)
    case 'CNAME':
      return await resolver.resolveCname(name)
    case 'NS':
      return await resolver.resolveNs(name)
    case 'PTR':
      return isIP(name) === 0 ? await resolver.resolvePtr(name) : await resolver.reverse(name)
    case 'MX':
      return (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`)
    case 'SRV':
      return (await resolver.resolveSrv(name)).map(
        ({ priority, weight, port, name }) => `${priority} ${weight} ${port} ${name}`,
      )
    case 'TXT':
      return (await resolver.resolveTxt(name)).map((chunks) => chunks.join(''))
    case 'SOA': {
      const { nsname, hostmaster, serial, refresh, retry, expire, minttl } = await resolver.resolveSoa(name)
      return [`${nsname} ${hostmaster} ${serial} ${refresh} ${retry} ${expire} ${minttl}`]
    }
  }
}

function findFaults(spec: DnsSpec, records: readonly string[]): string[] {
  const faults: string[] = []
  const minimum = spec.minrecords ?? (spec.exactreply?.length === 0 ? 0 : 1)
  if (records.length < minimum) faults.push(`${records.length} records, expected at least ${minimum}`)
  if (spec.exactreply !== undefined && !isSameSet(records, spec.exactreply)) {
    faults.push(`answered ${toList(records)}, expected ${toList(spec.exactreply)}`)
  }
  return faults
}

/** Order has no meaning in DNS, nor has the case of a name or its final dot. */
const isSameSet = (a: readonly string[], b: readonly string[]): boolean => toComparable(a) === toComparable(b)

function toComparable(texts: readonly string[]): string {
  return texts
    .map((text) => text.trim().toLowerCase().replace(/\.$/, ''))
    .toSorted()
    .join('\n')
}

const toList = (texts: readonly string[]): string => (texts.length === 0 ? 'nothing' : texts.join(', '))

function describeDnsFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ownValue(BY_CODE, code) ?? describeFailure(error)
}
