import { describe, expect, it } from 'vitest'

import { describeFailure } from '../../../gateway/src/check-runner/describeFailure.ts'

const failure = (fields: object, message = 'raw') => Object.assign(new Error(message), fields)

describe('describeFailure', () => {
  it.each([
    [failure({ code: 'ECONNREFUSED', address: '127.0.0.1', port: 81 }), 'connection refused (127.0.0.1:81)'],
    [failure({ code: 'ENOTFOUND' }), 'host name not found'],
    [
      failure({ code: 'ESOCKET', originalCode: 'ECONNREFUSED', address: 'mail.example', port: 25 }),
      'connection refused (mail.example:25)',
    ],
    [failure({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'the certificate is self-signed'],
    [failure({ code: 'ESOMETHING' }, 'what the system says'), 'what the system says'],
    [failure({ code: 'ESOMETHING' }, ''), 'ESOMETHING'],
    [failure({ cause: failure({ code: 'ECONNRESET' }) }), 'connection reset by the other side'],
    [new Error('plain'), 'plain'],
    ['a text', 'a text'],
  ])('describes %o', (error, text) => {
    expect(describeFailure(error)).toBe(text)
  })

  it('lets the last address of a host speak for all', () => {
    const errors = [failure({ code: 'ENETUNREACH' }), failure({ code: 'ECONNREFUSED', address: '::1', port: 81 })]
    expect(describeFailure(new AggregateError(errors, ''))).toBe('connection refused (::1:81)')
  })
})
