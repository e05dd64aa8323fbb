import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { ScreenClockProvider, useServerNow } from '../../../web/src/ui/clock.tsx'

let clock: FakeClock
let screenClock: { readonly clock: FakeClock; readonly serverNow: () => number }
let box: HTMLElement
let root: Root

beforeEach(() => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  clock = new FakeClock()
  screenClock = { clock, serverNow: () => clock.now() }
  box = document.createElement('div')
  root = createRoot(box)
})

afterEach(() => act(async () => root.unmount()))

function Seconds() {
  return <output>{useServerNow() / 1_000}</output>
}

const show = (names: readonly string[]) =>
  act(async () =>
    root.render(
      <ScreenClockProvider value={screenClock}>
        {names.map((name) => (
          <Seconds key={name} />
        ))}
      </ScreenClockProvider>,
    ),
  )
const shown = (): number[] => [...box.querySelectorAll('output')].map(({ textContent }) => Number(textContent))
const pass = (ms: number) => act(async () => clock.advance(ms))

it('shows a time of its own when it comes, and changes with all others at once, by one timer', async () => {
  const start = clock.now() / 1_000
  await show(['one'])
  await pass(40_000)
  await show(['one', 'two'])
  expect(shown()).toEqual([start, start + 40])
  expect(clock.pending).toBe(1)
  await pass(20_000)
  expect(shown()).toEqual([start + 60, start + 60])
  await show(['two'])
  await pass(60_000)
  expect(shown()).toEqual([start + 120])
  await show([])
  expect(clock.pending).toBe(0)
})
