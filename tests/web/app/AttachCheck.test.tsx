import type { Role } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { createFakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { AttachCheck } from '../../../web/src/app/AttachCheck.tsx'
import { CheckPanel } from '../../../web/src/features/check-panel/components/CheckPanel.tsx'

const ID = '018f0000-0000-7000-8000-000000000001'
const check = buildCheck({ id: ID, name: 'Payments' })

let screen: RenderedScreen
beforeEach(() => {
  const server = createFakeServer()
  server.on('GET /api/db/', () => json([]))
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

async function open({ roles = ['responder'], disabled = [] }: { roles?: Role[]; disabled?: FeatureArea[] } = {}) {
  screen = await renderScreen(
    <CheckPanel
      checkId={ID}
      check={check}
      isBoardLoading={false}
      isOld={false}
      onClose={() => undefined}
      renderActions={(shown) => <AttachCheck check={shown} />}
    />,
    { address: `/health?checkId=${ID}`, roles, disabled },
  )
  await screen.waitFor(() => expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Payments'))
}
const attach = () =>
  [...document.querySelectorAll('[role="dialog"] button')].find(
    ({ textContent }) => textContent === 'Attach as Evidence',
  ) ?? null

describe('AttachCheck', () => {
  it('opens the link dialog from the panel of a check, with the check as the evidence', async () => {
    await open()
    await screen.click(attach())
    await screen.waitFor(() => expect(document.body.textContent).toContain('Link to Incident'))
    expect(document.querySelector<HTMLTextAreaElement>('[role="dialog"] textarea')?.value).toBe('Payments')
  })

  it.each([
    ['may not write incidents', { roles: ['viewer' as const] }],
    ['have incidents switched off', { disabled: ['incidents' as const] }],
  ])('offers nothing to those who %s', async (_, options) => {
    await open(options)
    expect(attach()).toBeNull()
  })
})
