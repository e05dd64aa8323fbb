import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a browser sent this from a page of ours. Cookies travel with requests of foreign pages too, and CORS does not
 * apply to WebSockets or plain form posts.
 *
 * @param host the host the caller addressed: Host, or X-Forwarded-Host of a trusted proxy
 * @returns `unknown` when the caller says nothing about it, as programs do
 */
export function judgeOrigin(headers: IncomingHttpHeaders, host: string): 'same' | 'foreign' | 'unknown' {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  // No page can set this header, and it survives a proxy that writes another Host.
  if (site === 'same-origin') return 'same'
  if (origin !== undefined) return isOriginOf(origin, host) ? 'same' : 'foreign'
  return site === undefined ? 'unknown' : 'foreign'
}

/** Only hosts are compared: behind a proxy that ends TLS the gateway may not know the scheme of the page. */
function isOriginOf(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: originHost } = new URL(origin)
  return (
    (protocol === 'http:' || protocol === 'https:') && originHost === withoutDefaultPort(host.toLowerCase(), protocol)
  )
}

function withoutDefaultPort(host: string, protocol: string): string {
  return host.replace(protocol === 'https:' ? /:443$/ : /:80$/, '')
}
