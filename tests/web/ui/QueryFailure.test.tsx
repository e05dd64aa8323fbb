import { afterEach, expect, it, vi } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { RequestError } from '../../../web/src/api/request.ts'
import { QueryFailure } from '../../../web/src/ui/QueryFailure.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())

const show = async (status: number, message: string, code: string) => {
  const refetch = vi.fn()
  const error = new RequestError('http', { status, details: { message, code } })
  screen = await renderScreen(<QueryFailure what="the links" query={{ error, isFetching: false, refetch }} />)
  return { refetch, retry: screen.container.querySelector('button') }
}

it('says whom to ask, and what the server said, where something is refused: no failure, and nothing to try again', async () => {
  const { retry } = await show(403, 'Access Denied', 'PROXY_BACKEND_REFUSED')
  expect(screen.container.textContent).toMatch(/^Unauthorized.*An administrator can change that.*says: Access Denied$/)
  expect(retry).toBeNull()
  expect(screen.container.querySelector('[role="alert"]')).toBeNull()
})

it('does not say twice what the gateway said itself', async () => {
  await show(403, 'You do not have permission to do this', 'ACCESS_DENIED')
  expect(screen.container.textContent).not.toContain('says:')
})

it('says what the backend does not have', async () => {
  const { retry } = await show(404, 'This backend does not offer this', 'PROXY_NOT_OFFERED')
  expect(screen.container.textContent).toBe('This backend does not offer this')
  expect(retry).toBeNull()
})

it('tries again what failed', async () => {
  const { refetch, retry } = await show(500, 'It broke', 'PROXY_BACKEND_REFUSED')
  expect(screen.container.textContent).toContain('Could not load the linksIt broke')
  await screen.click(retry)
  expect(refetch).toHaveBeenCalledOnce()
})
