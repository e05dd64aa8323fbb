import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { useHealthView } from '../../../../web/src/features/health-board/useHealthView.ts'

let screen: RenderedScreen
afterEach(() => screen.close())

function View() {
  const { checkId, actions } = useHealthView()
  return checkId === undefined ? (
    <button onClick={() => actions.openCheck('c1')}>Open</button>
  ) : (
    <button onClick={() => actions.closeCheck()}>Close {checkId}</button>
  )
}
const button = () => screen.container.querySelector('button')

describe('the check of the address', () => {
  it.each([
    ['/health?checkId=c1&query=pay&timeRange=3mo', '?query=pay'],
    ['/health?checkId=c1&display=Last+6+hours&range=now-6h&rangeType=relative', ''],
    ['/health?checkId=c1&display=Custom&from=2026-01-01T00:00:00Z&rangeType=absolute&to=2026-01-02T00:00:00Z', ''],
  ])('closes %s together with its time range, which is the default of an hour again', async (address, search) => {
    screen = await renderScreen(<View />, { address })
    expect(button()?.textContent).toBe('Close c1')
    await screen.click(button())
    expect(screen.search()).toBe(search)
  })

  it('opens as a step of its own, so that Back closes it', async () => {
    screen = await renderScreen(<View />, { address: '/health?query=pay' })
    await screen.click(button())
    expect(screen.search()).toBe('?checkId=c1&query=pay')
    await screen.back()
    expect(screen.search()).toBe('?query=pay')
    expect(button()?.textContent).toBe('Open')
  })
})
