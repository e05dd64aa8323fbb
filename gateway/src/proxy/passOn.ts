import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'

import { refuseBody } from '../platform/jsonBodies.ts'
import { MAX_AGENT_BODY_BYTES } from './bodyLimit.ts'

/**
 * A body on its way to the backend. A body beyond the limit fails with status 413. What the backend no longer reads is read here and
 * dropped, so that its answer still reaches the caller.
 *
 * @param source the caller's
 * @param onEnd told how many bytes went through
 */
export function passOn(source: Readable, onEnd: (bytes: number) => void): Readable {
  let bytes = 0
  const passed = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length
      if (bytes > MAX_AGENT_BODY_BYTES) done(refuseBody(413, 'the body is too large'))
      else done(null, chunk)
    },
  })
  source.once('error', (error) => passed.destroy(error))
  passed.once('error', () => undefined)
  passed.once('close', () => {
    onEnd(bytes)
    source.unpipe(passed)
    source.resume()
  })
  return source.pipe(passed)
}
