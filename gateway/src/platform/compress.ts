import { type Duplex, pipeline, type Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createGzip, createInflate } from 'node:zlib'

/** Below this a compressed body needs as many packets as the plain one. */
const MIN_BYTES = 1_400
/** A third of the default's time for a tenth more bytes. */
const GZIP_LEVEL = 4

const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|manifest\+json|xml|yaml)|[^;]*\+json|image\/svg\+xml)/i

export interface Compressible {
  readonly acceptEncoding: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
}

/** Whether a body is worth compressing for this caller. */
export function isCompressible({ acceptEncoding, headers }: Compressible): boolean {
  const length = headers['content-length']
  return (
    acceptsGzip(acceptEncoding) &&
    headers['content-encoding'] === undefined &&
    headers['content-range'] === undefined &&
    COMPRESSIBLE.test(String(headers['content-type'] ?? '')) &&
    (length === undefined || Number(length) >= MIN_BYTES)
  )
}

function acceptsGzip(acceptEncoding = ''): boolean {
  const match = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(acceptEncoding)
  return match !== null && Number(match[1] ?? 1) > 0
}

/** Compresses a body while it passes. Each chunk is flushed, so that a slow answer still arrives as it is made. */
export function gzip(body: Readable): Readable {
  const compressed = createGzip({ level: GZIP_LEVEL, flush: constants.Z_SYNC_FLUSH })
  return join(body, compressed)
}

/** The plain form of a body; an encoding we do not know is left as it is. */
export function decompress(body: Readable, encoding: string | undefined): Readable {
  switch (encoding) {
    case 'gzip':
      return join(body, createGunzip())
    case 'br':
      return join(body, createBrotliDecompress())
    case 'deflate':
      return join(body, createInflate())
    case undefined:
    default:
      return body
  }
}

/** A failure of either side destroys the other, so the reader of the result always learns of it. */
function join(body: Readable, target: Duplex): Readable {
  pipeline(body, target, () => undefined)
  return target
}
