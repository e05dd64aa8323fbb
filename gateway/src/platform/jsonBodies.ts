// How all our servers accept JSON bodies.
import { isUtf8 } from 'node:buffer'

import type { FastifyInstance } from 'fastify'

import { isTooDeep, MAX_JSON_DEPTH } from './jsonDepth.ts'

/**
 * An empty body is no body: clients of the backend name the content type with every call, a DELETE or a run of a check included,
 * and Fastify by itself would refuse them. One that nests too deeply is refused before it is parsed.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    if (bytes.length === 0) done(null, undefined)
    else if (isTooDeep(bytes)) done(refuseBody(400, `the body nests deeper than ${MAX_JSON_DEPTH} levels`))
    // Decoded anyway, invalid bytes would be stored as other characters.
    else if (!isUtf8(bytes)) done(refuseBody(400, 'the body is not UTF-8'))
    else void parse(request, bytes.toString(), done)
  })
}

/** Refuses a body the way Fastify itself does. */
export const refuseBody = (statusCode: 400 | 413, reason: string): Error =>
  Object.assign(new Error(reason), { statusCode })
