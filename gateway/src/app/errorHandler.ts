import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { CodedError } from '../platform/errors.ts'
import { isBrokenOff } from '../platform/http/callerSignal.ts'
import { asksForPage, sendErrorPage } from '../platform/http/errorPage.ts'
import { RequestFault } from '../platform/http/requestFault.ts'
import { appErrors } from './errors.ts'
import { toApiError } from './toApiError.ts'

/**
 * Sends every error of the gateway in one shape, or as a page when the address was opened in a browser, and logs those that someone has
 * to look at.
 */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | CodedError | RequestFault>((error, request, reply) => {
    const coded = toCodedError(error)
    const level = isBrokenOff(error, reply)
      ? 'debug'
      : coded.reportable
        ? 'error'
        : coded.status >= 500
          ? 'warn'
          : 'debug'
    request.log[level]({ err: error, code: coded.code }, 'request failed')
    return sendError(coded, request, reply)
  })
}

/** For errors before routing, such as a path that cannot be decoded. */
export function handleFrameworkError(
  error: FastifyError | CodedError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void sendError(toCodedError(error), request, reply)
}

function sendError(error: CodedError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.retryAfterS !== undefined) void reply.header('retry-after', error.retryAfterS)
  if (asksForPage(request)) return sendErrorPage(reply, toPage(error, request))
  void reply.code(error.status).header('cache-control', 'no-store').type('application/json; charset=utf-8')
  const body = toApiError(error, request.id)
  try {
    return reply.send(JSON.stringify(error.details === undefined ? body : { ...body, details: error.details }))
  } catch {
    // Details that cannot be serialized must not cost the caller the code.
    return reply.send(JSON.stringify(body))
  }
}

const toPage = ({ status, message, retryable }: CodedError, { id }: FastifyRequest) => ({
  status,
  message,
  retryable,
  requestId: id,
})

function toCodedError(error: FastifyError | CodedError | RequestFault): CodedError {
  if (error instanceof CodedError) return error
  const options = { cause: error }
  if (error instanceof RequestFault) {
    // A path with a malformed id leads nowhere.
    if (error.part === 'params') return new CodedError(appErrors.ROUTE_NOT_FOUND, options)
    return new CodedError(appErrors.REQUEST_INVALID, {
      ...options,
      values: { reason: error.message },
      details: error.fields,
    })
  }
  if (error.statusCode === 413) return new CodedError(appErrors.REQUEST_TOO_LARGE, options)
  if (error.statusCode === 415) return new CodedError(appErrors.REQUEST_MEDIA_TYPE, options)
  if (error.statusCode === 404) return new CodedError(appErrors.ROUTE_NOT_FOUND, options)
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new CodedError(appErrors.REQUEST_INVALID, { ...options, values: { reason: error.message } })
  }
  return new CodedError(appErrors.INTERNAL_ERROR, options)
}
