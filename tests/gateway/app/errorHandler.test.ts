import { ApiErrorSchema } from '@watchroom/shared/protocol'
import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'

import { registerErrorHandler } from '../../../gateway/src/app/errorHandler.ts'
import { appErrors } from '../../../gateway/src/app/errors.ts'
import { CodedError } from '../../../gateway/src/platform/errors.ts'

/** The answer of a route that throws this. */
async function answerTo(error: unknown): Promise<{ status: number; body: string }> {
  const app = fastify()
  registerErrorHandler(app)
  app.get('/', () => {
    throw error
  })
  const response = await app.inject('/')
  await app.close()
  return { status: response.statusCode, body: response.body }
}

describe('registerErrorHandler', () => {
  it('sends a coded error with its code, status and details', async () => {
    const { status, body } = await answerTo(
      new CodedError(appErrors.REQUEST_INVALID, { values: { reason: 'too short' }, details: { path: ['name'] } }),
    )
    expect(status).toBe(400)
    expect(ApiErrorSchema.parse(JSON.parse(body))).toMatchObject({
      code: 'REQUEST_INVALID',
      error: 'The request is not valid: too short',
      message: 'The request is not valid: too short',
      kind: 'REQUEST_INVALID',
      details: { path: ['name'] },
      requestId: 'req-1',
    })
  })

  it('says nothing about a fault of ours', async () => {
    const { status, body } = await answerTo(new Error('password of the database is x'))
    expect(status).toBe(500)
    expect(JSON.parse(body)).toEqual({
      error: 'Something went wrong',
      message: 'Something went wrong',
      code: 'INTERNAL_ERROR',
      requestId: 'req-1',
      kind: 'INTERNAL_ERROR',
    })
  })

  it.each([
    [413, 'REQUEST_TOO_LARGE'],
    [415, 'REQUEST_MEDIA_TYPE'],
    [404, 'ROUTE_NOT_FOUND'],
    [400, 'REQUEST_INVALID'],
    [503, 'INTERNAL_ERROR'],
  ])('names a framework error of status %d', async (statusCode, code) => {
    const { body } = await answerTo(Object.assign(new Error('x'), { statusCode }))
    expect(ApiErrorSchema.parse(JSON.parse(body)).code).toBe(code)
  })

  it('sends the code even when the details cannot be written', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const { status, body } = await answerTo(new CodedError(appErrors.REQUEST_MEDIA_TYPE, { details: circular }))
    expect(status).toBe(415)
    expect(ApiErrorSchema.parse(JSON.parse(body)).code).toBe('REQUEST_MEDIA_TYPE')
  })
})
