import type { ApiError } from '@watchroom/shared/protocol'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { CodedError } from '../platform/errors.ts'
import { appErrors } from './errors.ts'

/** Sends every error of the gateway in the one envelope, and logs those that somebody has to look at. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const coded = toCodedError(error)
    const level = coded.reportable ? 'error' : coded.status >= 500 ? 'warn' : 'debug'
    request.log[level]({ err: error, code: coded.code }, 'request failed')
    return sendError(coded, request, reply)
  })
}

/** For errors before routing, such as a path that cannot be decoded. */
export function handleFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void sendError(toCodedError(error), request, reply)
}

/** The envelope of one error. */
function toApiError(error: CodedError, requestId: string): ApiError {
  return {
    error: {
      code: error.code,
      message: error.message,
      requestId,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  }
}

function sendError(error: CodedError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.code(error.status).header('cache-control', 'no-store').type('application/json; charset=utf-8')
  try {
    return reply.send(JSON.stringify(toApiError(error, request.id)))
  } catch {
    // Details that cannot be serialised must not cost the caller the code.
    return reply.send(JSON.stringify({ error: { code: error.code, message: error.message, requestId: request.id } }))
  }
}

function toCodedError(error: FastifyError): CodedError {
  if (error instanceof CodedError) return error
  const options = { cause: error }
  if (error.validation) {
    return new CodedError(appErrors.REQUEST_INVALID, {
      ...options,
      values: { reason: error.message },
      details: error.validation,
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
