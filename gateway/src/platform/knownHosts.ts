// Which names this server answers to, and whose forwarded headers it believes. A page under a foreign name that resolves to our address
// (DNS rebinding) is same-origin in the eyes of a browser; what it cannot do is address us by one of our names.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

import { createClientAddress } from './clientAddress.ts'

export interface KnownHosts {
  /**
   * The host that the caller addressed: Host, or X-Forwarded-Host of a trusted proxy, port included.
   *
   * @returns null when it is none of ours, missing, or said more than once
   */
  readonly hostOf: (request: IncomingMessage) => string | null
  /** The address that a request comes from: the last forwarded one that is not a trusted proxy's. */
  readonly addressOf: (request: IncomingMessage) => string
  /** Whether a peer's forwarding headers are believed. */
  readonly isTrustedProxy: (address: string | undefined) => boolean
}

export interface KnownHostsOptions {
  /** Origins at which people open the product. */
  readonly publicUrls: readonly string[]
  /** What the server listens on: a name counts, the operator gave it. */
  readonly listenHost: string
  /** Addresses and ranges. */
  readonly trustedProxies: readonly string[]
}

/** `name`, `name:port`, `[v6]`, `[v6]:port`; whatever else a Host header may hold is no host. */
const HOST = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{0,5})?$/i

export function createKnownHosts(options: KnownHostsOptions): KnownHosts {
  const names: ReadonlySet<string> = new Set([
    'localhost',
    options.listenHost.toLowerCase(),
    ...options.publicUrls.map((url) => new URL(url).hostname),
  ])
  const proxies = toBlockList(options.trustedProxies)

  /** Ports are not compared: whoever may choose the name of a page cannot choose this server's. */
  const isKnown = (host: string): boolean => {
    const [, v6, name] = HOST.exec(host) ?? []
    if (v6 !== undefined) return isIP(v6) === 6
    return name !== undefined && (isIP(name) === 4 || names.has(name.toLowerCase().replace(/\.$/, '')))
  }

  const isTrustedProxy = (address: string | undefined): boolean => {
    const version = isIP(address ?? '')
    return address !== undefined && version !== 0 && proxies.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }

  return {
    isTrustedProxy,
    addressOf: createClientAddress(isTrustedProxy),
    hostOf: (request) => {
      if (isSaidTwice(request) || !isOfKnownForm(request.url ?? '', isKnown)) return null
      const forwarded = isTrustedProxy(request.socket.remoteAddress) ? lastForwardedHost(request) : ''
      const host = forwarded === '' ? request.headers.host : forwarded
      return host !== undefined && isKnown(host) ? host : null
    },
  }
}

/** Node keeps the first of two Host headers, a proxy before us may have judged the second. */
const isSaidTwice = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1

/** A request line may hold an absolute URL, as proxies receive it: then that names the host, whatever the header says. */
function isOfKnownForm(url: string, isKnown: (host: string) => boolean): boolean {
  if (url.startsWith('/') || url === '*') return true
  return /^https?:\/\//i.test(url) && URL.canParse(url) && isKnown(new URL(url).host)
}

/** The last word is that of the proxy next to us; the others may be the caller's own. */
function lastForwardedHost({ headers }: IncomingMessage): string {
  const said = String(headers['x-forwarded-host'] ?? '')
  return said.slice(said.lastIndexOf(',') + 1).trim()
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, type)
    else list.addSubnet(address, Number(bits), type)
  }
  return list
}
