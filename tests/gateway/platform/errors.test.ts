import { describe, expect, it } from 'vitest'

import { CodedError, defineErrors } from '../../../gateway/src/platform/errors.ts'

const errors = defineErrors({
  TEST_PLAIN: { message: 'Nothing works', status: 500, retryable: true, reportable: true },
  TEST_FILLED: { message: '{name} is not in {place}', status: 404, retryable: false, reportable: false },
})

describe('CodedError', () => {
  it('carries what its definition decides', () => {
    const cause = new Error('below')
    const error = new CodedError(errors.TEST_PLAIN, { cause, details: { a: 1 } })
    expect(error).toMatchObject({
      code: 'TEST_PLAIN',
      status: 500,
      retryable: true,
      reportable: true,
      details: { a: 1 },
    })
    expect(error.cause).toBe(cause)
  })

  it('fills the message with the values that its placeholders ask for', () => {
    expect(new CodedError(errors.TEST_FILLED, { values: { name: 'x', place: 'y' } }).message).toBe('x is not in y')
    // @ts-expect-error -- a missing value is a compile error
    expect(new CodedError(errors.TEST_FILLED, { values: { name: 'x' } }).message).toBe('x is not in {place}')
  })
})
