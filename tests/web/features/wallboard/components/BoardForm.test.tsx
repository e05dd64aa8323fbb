import { afterEach, describe, expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { BoardForm } from '../../../../../web/src/features/wallboard/components/BoardForm.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())

describe('the form of a wallboard', () => {
  it('says what is wrong with its labels', async () => {
    const labels = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`canary:key:${at}`, 1 as const]))
    const initial = { name: 'Payments', filter: { query: '', labels }, groupBy: 'no-group' } as const
    const rows = [buildCheck({ labels: { team: 'payments' } })]
    screen = await renderScreen(<BoardForm rows={rows} board={undefined} initial={initial} onClose={() => undefined} />)
    const page = pageOf()
    await setField(page.field('Labels'), 'canary:team:payments')
    await screen.click(page.get('button', 'Save'))
    await screen.waitFor(() => expect(page.description(page.field('Labels'))).toBe('At most 50 labels'))
  })
})
