import { BackendFactsSchema, type CapabilityName } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'
import { afterEach, describe, expect, it } from 'vitest'

import { currentPlace, Place } from '#support/web/Place.tsx'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { backendFactsKey } from '../../../web/src/api/queryKeys.ts'
import { ViewLogs } from '../../../web/src/app/ViewLogs.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())

async function open(disabled: FeatureArea[] = [], missing: CapabilityName[] = []): Promise<void> {
  screen = await renderScreen(<div />, { disabled })
  screen.queryClient.setQueryData(backendFactsKey, BackendFactsSchema.parse({ changes: 'announced', missing }))
  await screen.rerender(
    <>
      <ViewLogs path="/logs?topologyId=c1&query=a+b" />
      <Place />
    </>,
  )
}
const button = (): HTMLElement | null => document.querySelector('button')

describe("'View Logs'", () => {
  it('leads to the logs of a component', async () => {
    await open()
    expect(button()?.textContent).toBe('View Logs')
    await screen.click(button())
    expect([currentPlace(), screen.search()]).toEqual(['/logs', '?query=a+b&topologyId=c1'])
  })

  it('is hidden when the logs feature is disabled', async () => {
    await open(['logs'])
    expect(button()).toBeNull()
  })

  it('is hidden where the backend has no log service', async () => {
    await open([], ['logs'])
    expect(button()).toBeNull()
  })
})
