// The way out for connections that people set up. Where a cloud tells machines their own credentials nobody is led, whatever
// name the address goes by: it is judged after its name was resolved.
import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'

import type { HostPort } from '@watchroom/shared/health/check-types'

import type { WayOut } from '../../check-runner/contract.ts'
import { openSocket } from '../../platform/openSocket.ts'
import { OutboundFault } from './outboundFault.ts'

export interface Network extends WayOut {
  /** An address of the host, for clients that open their sockets themselves. */
  resolve(target: HostPort): Promise<HostPort>
  /** Trusted beside the usual authorities. */
  readonly ca: string | undefined
}

type LookUpName = (
  host: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

interface NetworkOptions {
  /** Where a host really is. */
  readonly locate?: (target: HostPort) => HostPort
  /** Resolves names. */
  readonly lookUp?: LookUpName
  readonly ca?: string
}

const METADATA = new BlockList()
// Link-local: AWS, Google, Azure and most others.
METADATA.addSubnet('169.254.0.0', 16, 'ipv4')
METADATA.addSubnet('fe80::', 10, 'ipv6')
METADATA.addAddress('fd00:ec2::254', 'ipv6')
METADATA.addAddress('fd20:ce::254', 'ipv6')
// Credentials of pods, whose older address is link-local.
METADATA.addAddress('fd00:ec2::23', 'ipv6')
// Azure, Alibaba, Oracle.
METADATA.addAddress('168.63.129.16', 'ipv4')
METADATA.addAddress('100.100.100.200', 'ipv4')
METADATA.addAddress('192.0.0.192', 'ipv4')

/** IPv6 addresses that a network translates; the last 32 bits are the IPv4 address behind them (RFC 6052, RFC 8215). */
const TRANSLATED = new BlockList()
TRANSLATED.addSubnet('64:ff9b::', 96, 'ipv6')
TRANSLATED.addSubnet('64:ff9b:1::', 48, 'ipv6')

function isMetadata(address: string): boolean {
  if (isIP(address) === 4) return METADATA.check(address, 'ipv4')
  return METADATA.check(address, 'ipv6') || (TRANSLATED.check(address, 'ipv6') && isMetadata(untranslate(address)))
}

function untranslate(address: string): string {
  // Written in one way, whatever way it came: eight groups of which some may be left out.
  const [high = 0, low = 0] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

const refusal = (host: string): OutboundFault =>
  new OutboundFault(`${host} leads to the metadata of a cloud, where connections may not go`)

/** Refuses what nobody may reach. */
const guard =
  (lookUp: LookUpName): LookupFunction =>
  (host, options, callback) => {
    lookUp(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || first === undefined) return callback(error, '')
      if (addresses.some(({ address }) => isMetadata(address))) return callback(refusal(host), '')
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }

export function createNetwork({ locate = (target) => target, lookUp = lookup, ca }: NetworkOptions = {}): Network {
  const guardedLookup = guard(lookUp)
  const resolveAll = promisify<string, { all: true }, LookupAddress[]>(guardedLookup as never)
  const find = (target: HostPort): HostPort => {
    const found = locate({ host: target.host.replace(/^\[(.*)\]$/, '$1'), port: target.port })
    // Addresses are connected to without a look-up.
    if (isIP(found.host) !== 0 && isMetadata(found.host)) throw refusal(found.host)
    return found
  }
  return {
    ca,
    open: async (target) => {
      const trusted = target.tls?.ca ?? ca
      const tls = target.tls && { ...target.tls, ...(trusted !== undefined && { ca: trusted }) }
      return openSocket({ ...target, tls }, { ...find(target), lookup: guardedLookup })
    },
    resolve: async (target) => {
      const { host, port } = find(target)
      if (isIP(host) !== 0) return { host, port }
      const [first] = await resolveAll(host, { all: true })
      return { host: first?.address ?? host, port }
    },
  }
}
