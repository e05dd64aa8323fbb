export interface HostPort {
  host: string
  port: number
}

const WITH_PORT = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?\.?)):(\d{1,5})$/i

/** Reads `host:port` or `[ipv6]:port`; null for anything else. */
export function tryParseHostPort(text: string): HostPort | null {
  const match = WITH_PORT.exec(text.trim())
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3])
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : null
}

/** A host name or an address without port. A leading `-` would be read as an option by a command line tool. */
export const HOST_PATTERN = /^[a-z0-9_:](?:[a-z0-9._:-]*[a-z0-9_:.])?$/i
