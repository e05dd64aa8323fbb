import { INCIDENT_STATUSES } from '@watchroom/shared/incidents'
import { expect, it } from 'vitest'

import { renderScreen } from '#support/web/renderScreen.tsx'

import { IncidentStatusTag } from '../../../web/src/ui/IncidentStatusTag.tsx'

it('tells every status by a word and a shape of its own, and one that it does not know by the word', async () => {
  const screen = await renderScreen(
    <>
      {[...INCIDENT_STATUSES, 'parked'].map((status) => (
        <IncidentStatusTag key={status} status={status} />
      ))}
    </>,
  )
  const tags = [...screen.container.querySelectorAll('[data-status]')]
  expect(tags.map(({ textContent }) => textContent)).toEqual([
    'New',
    'Open',
    'Investigating',
    'Mitigated',
    'Resolved',
    'Closed',
    'Parked',
  ])
  const shapes = tags.map((tag) => tag.querySelector('path')?.getAttribute('d'))
  expect(new Set(shapes).size).toBe(7)
  expect(shapes.at(-1)).toBeUndefined()
  await screen.close()
})
