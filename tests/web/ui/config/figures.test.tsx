import { ANALYSIS_TYPES } from '@watchroom/shared/catalog'
import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { Cost } from '../../../../web/src/ui/config/Cost.tsx'
import { Count } from '../../../../web/src/ui/config/Count.tsx'
import { AnalysisTypeIcon, countByType, InsightCounts } from '../../../../web/src/ui/config/InsightCounts.tsx'

let screen: RenderedScreen
afterEach(() => screen.close())
const text = () => screen.container.textContent

describe('figures of the catalog (third specification, section 9)', () => {
  it('shows a count above 999 as k+, in full on hover, and marks many where that is asked', async () => {
    screen = await renderScreen([
      <Count key="few" count={499} many={500} />,
      <Count key="many" count={1234} many={500} />,
      <Count key="unmarked" count={1234} />,
    ])
    const counts = [...screen.container.querySelectorAll<HTMLElement>('[title]')]
    expect(counts.map((count) => [count.textContent, count.title, count.dataset['many'] !== undefined])).toEqual([
      ['499', '499', false],
      ['1.2k+', '1,234', true],
      ['1.2k+', '1,234', false],
    ])
  })

  it('says in words when an item costs more or less today than usually', async () => {
    screen = await renderScreen(<Cost value={30} costs={{ cost_total_1d: 1.5, cost_total_30d: 30 }} />)
    expect(text()).toContain('$30')
    expect(text()).toContain('Today 50% above the daily average of 30 days')
    await screen.rerender(<Cost value={30} costs={{ cost_total_1d: 0.5, cost_total_30d: 30 }} />)
    expect(text()).toContain('Today 50% below')
    await screen.rerender(<Cost value={30} costs={{ cost_total_1d: 1, cost_total_30d: 30 }} />)
    expect(text()).toBe('$30')
    await screen.rerender(<Cost value={null} costs={{ cost_total_1d: 1, cost_total_30d: 30 }} />)
    expect(text()).toBe('–')
  })

  it('counts insights by what they are about, unforeseen types as other', async () => {
    const counts = countByType([
      { analysis_type: 'security' },
      { analysis_type: 'security' },
      { analysis_type: 'odd' },
      { analysis_type: null },
    ])
    screen = await renderScreen(<InsightCounts counts={counts} />)
    expect(text()).toBe('Security 2Other 2')
    await screen.rerender(<InsightCounts counts={null} />)
    expect(text()).toBe('–')
  })

  it('has a picture of its own for each type of insight', async () => {
    screen = await renderScreen(ANALYSIS_TYPES.map((type) => <AnalysisTypeIcon key={type} type={type} />))
    const pictures = [...screen.container.querySelectorAll('path')].map((path) => path.getAttribute('d'))
    expect(new Set(pictures).size).toBe(ANALYSIS_TYPES.length)
  })
})
