import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'

import { refuseBody } from '../platform/jsonBodies.ts'
import { MAX_AGENT_BODY_BYTES } from './bodyLimit.ts'

/**
 * A body on its way to the backend. One that is longer than any may be breaks off with an error of status 413; what the backend does
 * not want to read any more is read here and dropped, so that its answer reaches the caller.
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
