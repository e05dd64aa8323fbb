import { OutboundFault } from './outboundFault.ts'

const NO_ADDRESS = 'URL: it must begin with http:// or https://'

/** A path below an address, which may have a path of its own. */
export function joinUrl(base: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  if (!URL.canParse(base)) throw new OutboundFault(NO_ADDRESS)
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  return withQuery(url.href, query)
}

/** @throws OutboundFault */
export function withQuery(base: string, query: Readonly<Record<string, string>>): string {
  if (!URL.canParse(base)) throw new OutboundFault(NO_ADDRESS)
  const url = new URL(base)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** The address of a host that was entered with or without a scheme. */
export const hostUrl = (host: string, scheme = 'https'): string => (host.includes('://') ? host : `${scheme}://${host}`)
