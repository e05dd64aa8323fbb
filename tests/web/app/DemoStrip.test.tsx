import { BackendFactsSchema } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'
import { afterEach, describe, expect, it } from 'vitest'

import { pageOf } from '#support/web/page.ts'
import { currentPlace, Place } from '#support/web/Place.tsx'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { FixedFeatureFlags } from '../../../web/src/api/featureFlags.tsx'
import { backendFactsKey } from '../../../web/src/api/queryKeys.ts'
import { DemoNotice } from '../../../web/src/app/DemoNotice.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())

async function open({ disabled = [], isDemo = true }: { disabled?: FeatureArea[]; isDemo?: boolean } = {}) {
  screen = await renderScreen(<div />)
  const facts = { changes: 'announced', missing: [], ...(isDemo && { demo: true }) }
  screen.queryClient.setQueryData(backendFactsKey, BackendFactsSchema.parse(facts))
  await screen.rerender(
    <FixedFeatureFlags areas={new Set(disabled)}>
      <DemoNotice />
      <Place />
    </FixedFeatureFlags>,
  )
  // The strip is a part of its own, which comes a moment later.
  await screen.waitFor(() => expect(strip() !== null).toBe(isDemo))
}
const strip = () => pageOf(screen.container).find('complementary', 'Demo')
const links = (): HTMLElement[] => pageOf(pageOf(screen.container).get('complementary', 'Demo')).all('link')

describe('the strip of the demo', () => {
  it('says what is invented and what is real, and names three things to try', async () => {
    await open()
    expect(strip()?.textContent).toContain('Harbour Parcel is an invented courier')
    expect(strip()?.textContent).toContain('Watchroom itself')
    expect(links().map(({ textContent }) => textContent)).toEqual([
      'Break a check',
      'Join the open incident',
      'Run a playbook',
    ])
  })

  it('leads to the check that is there to be broken, whatever the board hides', async () => {
    await open()
    await screen.click(links()[0] ?? null)
    expect([currentPlace(), screen.search()]).toEqual(['/health', '?hidePassing=false&query=break+me'])
  })

  it('is not there, nor is room kept for it, where nothing is invented', async () => {
    await open({ isDemo: false })
    expect(screen.container.textContent).toBe('')
    expect(screen.container.querySelector('div')).toBeNull()
  })

  it('offers nothing that is switched off', async () => {
    await open({ disabled: ['health', 'incidents', 'playbooks'] })
    expect(links()).toEqual([])
  })
})
