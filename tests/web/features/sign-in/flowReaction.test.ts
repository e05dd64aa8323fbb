import { describe, expect, it } from 'vitest'

import { parseApiError } from '../../../../web/src/api/parseApiError.ts'
import { RequestError } from '../../../../web/src/api/request.ts'
import { flowReaction } from '../../../../web/src/features/sign-in/flowReaction.ts'
import { loginFlow } from './flows.ts'

const HERE = '/profile-settings?return_to=%2Fhealth'

function refusal(status: number, body: unknown): RequestError {
  return new RequestError('http', { status, details: parseApiError(body), body })
}
const named = (id: string, status = 403, more: object = {}) => refusal(status, { error: { id, message: id }, ...more })

describe('flowReaction', () => {
  it.each([
    { id: 'session_aal2_required', does: { do: 'go', path: '/login', search: { aal: 'aal2', return_to: HERE } } },
    { id: 'session_already_available', does: { do: 'go', path: '/' } },
    {
      id: 'session_refresh_required',
      does: { do: 'go', path: '/login', search: { refresh: 'true', return_to: HERE } },
    },
    { id: 'session_inactive', does: { do: 'go', path: '/login', search: { return_to: HERE } } },
    {
      id: 'self_service_flow_return_to_forbidden',
      does: { do: 'restart', notice: 'The return_to address is not allowed.', withoutReturnTo: true },
    },
    {
      id: 'self_service_flow_expired',
      does: { do: 'restart', notice: 'Your interaction expired, please fill out the form again.' },
    },
    {
      id: 'security_csrf_violation',
      does: { do: 'restart', notice: 'A security violation was detected, please fill out the form again.' },
    },
    { id: 'security_identity_mismatch', does: { do: 'restart' } },
  ])('follows the table of the specification for $id', ({ id, does }) => {
    expect(flowReaction(named(id), 'settings', 'submit', HERE)).toEqual(does)
  })

  it('leaves for the address of browser_location_change_required, but for no script', () => {
    const leave = (url: string) =>
      flowReaction(
        named('browser_location_change_required', 422, { redirect_browser_to: url }),
        'login',
        'submit',
        HERE,
      )
    expect(leave('https://id.example/next')).toEqual({ do: 'leave', url: 'https://id.example/next' })
    expect(leave('javascript:alert(1)')).toMatchObject({ do: 'fail' })
  })

  it('shows the flow that comes back with 400', () => {
    const reaction = flowReaction(refusal(400, loginFlow({ message: 'Wrong password.' })), 'login', 'submit', HERE)
    expect(reaction).toMatchObject({ do: 'show-flow', flow: { ui: { messages: [{ text: 'Wrong password.' }] } } })
  })

  it('goes to a page of ours that the service leads to in its answer, and keeps where someone was going', () => {
    const answered = (failure: 'http' | 'unreadable', address: string) => {
      const error = new RequestError(failure, { status: 404, details: { message: 'Nothing.' }, address })
      return flowReaction(error, 'recovery', 'submit', '/recovery?flow=flow-1&return_to=%2Fhealth')
    }
    const page = `${window.location.origin}/recovery?flow=flow-2`
    const goesOn = { do: 'go', path: '/recovery', search: { flow: 'flow-2', return_to: '/health' } }
    expect(answered('http', page)).toEqual(goesOn)
    // Of a server that answers every path with the page.
    expect(answered('unreadable', page)).toEqual(goesOn)
    for (const other of [`${window.location.origin}/api/.ory/self-service/recovery?flow=flow-1`, 'https://id.example/'])
      expect(answered('http', other)).toMatchObject({ do: 'fail', message: 'Nothing.' })
  })

  it('restarts on 410, and a flow that cannot be read any more', () => {
    expect(flowReaction(refusal(410, {}), 'recovery', 'submit', HERE)).toMatchObject({ do: 'restart' })
    expect(flowReaction(refusal(404, {}), 'login', 'read', HERE)).toEqual({ do: 'restart' })
    expect(flowReaction(refusal(403, {}), 'login', 'read', HERE)).toEqual({ do: 'restart' })
  })

  it('restarts verification on 403 and 410, and gives up its creation on 400', () => {
    expect(flowReaction(refusal(403, {}), 'verification', 'submit', HERE)).toEqual({ do: 'restart' })
    expect(flowReaction(refusal(410, {}), 'verification', 'submit', HERE)).toMatchObject({ do: 'restart' })
    expect(flowReaction(refusal(400, {}), 'verification', 'start', HERE)).toEqual({ do: 'go', path: '/' })
  })

  it('sends someone without a session from the settings to the sign-in', () => {
    expect(flowReaction(refusal(401, {}), 'settings', 'start', HERE)).toEqual({
      do: 'go',
      path: '/login',
      search: { return_to: HERE },
    })
  })

  it('says why nothing can be done, and offers another try only where it may help', () => {
    const fail = (error: unknown) => flowReaction(error, 'registration', 'start', HERE)
    expect(fail(refusal(404, { error: { message: 'Not offered.' } }))).toEqual({
      do: 'fail',
      message: 'Not offered.',
      isWorthRetrying: false,
    })
    expect(fail(refusal(502, {}))).toMatchObject({ isWorthRetrying: true })
    expect(fail(refusal(429, {}))).toMatchObject({ isWorthRetrying: true })
    expect(fail(new RequestError('network', { details: { message: 'Network Error.' } }))).toMatchObject({
      message: 'Network Error.',
      isWorthRetrying: true,
    })
  })
})
