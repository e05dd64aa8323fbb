import { describe, expect, it } from 'vitest'

import { parseApiError } from '../../../web/src/api/parseApiError.ts'

describe('parseApiError', () => {
  it.each([
    {
      producer: 'the gateway',
      body: {
        error: 'Too late.',
        message: 'Too late.',
        code: 'PROXY_UPSTREAM_TIMEOUT',
        requestId: 'r1',
        kind: 'PROXY_UPSTREAM_TIMEOUT',
      },
      failure: { code: 'PROXY_UPSTREAM_TIMEOUT', message: 'Too late.', requestId: 'r1' },
    },
    {
      producer: 'the gateway that passes on a refusal of the database',
      body: {
        error: 'duplicate key',
        message: 'duplicate key',
        code: '23505',
        details: null,
        hint: null,
        requestId: 'r1',
        kind: 'PROXY_BACKEND_REFUSED',
      },
      failure: { code: 'PROXY_BACKEND_REFUSED', sourceCode: '23505', message: 'duplicate key', requestId: 'r1' },
    },
    {
      producer: 'the identity service',
      body: {
        error: { id: 'session_aal2_required', code: 403, status: 'Forbidden', reason: 'Second factor', message: 'no' },
        redirect_browser_to: 'http://x/login?aal=aal2',
      },
      failure: { code: 'session_aal2_required', message: 'Second factor', redirectTo: 'http://x/login?aal=aal2' },
    },
    {
      producer: 'a backend handler',
      body: { error: 'agent exists', message: 'error generating agent' },
      failure: { message: 'agent exists' },
    },
    {
      producer: 'a bare backend error',
      body: { message: 'Internal Server Error' },
      failure: { message: 'Internal Server Error' },
    },
    {
      producer: 'a backend error without text',
      body: { error: '', message: 'Error fetching user' },
      failure: { message: 'Error fetching user' },
    },
    {
      producer: 'PostgREST',
      body: { code: '23505', details: 'Key (name)=(…) already exists.', hint: null, message: 'duplicate key value' },
      failure: {
        sourceCode: '23505',
        message: 'duplicate key value',
        faults: [{ field: 'name', message: 'This name is already used' }],
      },
    },
    {
      producer: 'a route that names fields',
      body: { error: 'Refused', code: 'REQUEST_INVALID', details: [{ field: 'text', message: 'too long' }] },
      failure: { sourceCode: 'REQUEST_INVALID', message: 'Refused', faults: [{ field: 'text', message: 'too long' }] },
    },
    {
      producer: 'the access middleware',
      body: 'unauthorized. Access Denied',
      failure: { message: 'unauthorized. Access Denied' },
    },
    { producer: 'a proxy page', body: '<html><h1>502</h1></html>', failure: { message: 'An error occurred' } },
    { producer: 'nobody', body: undefined, failure: { message: 'An error occurred' } },
    { producer: 'a list', body: [1], failure: { message: 'An error occurred' } },
    { producer: 'an empty envelope', body: { error: {} }, failure: { message: 'An error occurred' } },
  ])('reads an error of $producer', ({ body, failure }) => {
    expect(parseApiError(body)).toEqual(failure)
  })

  it('does not show a page of text as a sentence', () => {
    expect(parseApiError('x'.repeat(301)).message).toBe('An error occurred')
  })
})
