import { createMemoryHistory } from '@tanstack/react-router'
import { expect, it } from 'vitest'

import { createAppRouter } from '../../../../web/src/app/routes.tsx'

it.each([
  ['/agents', ''],
  ['/agents?addAgent=true', '?addAgent=true'],
  ['/agents?id=018f0000-0000-7000-8000-000000000001', '?id=018f0000-0000-7000-8000-000000000001'],
])('%s leads to the agents under settings, dialog and all', async (address, search) => {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  await router.load()
  expect(router.state.location.pathname).toBe('/settings/agents')
  expect(router.state.location.searchStr).toBe(search)
})
