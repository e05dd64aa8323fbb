import { ok } from '@watchroom/shared/kernel'
import { expect, it } from 'vitest'

import { buildRunDeps } from '#support/runDeps.ts'

import { askServer } from '../../../../../gateway/src/embedded-backend/logs/http/askServer.ts'
import { createNetwork } from '../../../../../gateway/src/embedded-backend/outbound/createNetwork.ts'

it('is not asked where a cloud tells machines their own credentials', async () => {
  const { clock, logger } = buildRunDeps()
  const opener = { open: (check: never) => Promise.resolve(ok({ check, secrets: [] })) }
  const deps = { clock, logger, opener, wayOut: createNetwork() }
  const asked = askServer(deps, { address: 'http://169.254.169.254' }, { method: 'GET', path: '/latest' })
  await expect(asked).rejects.toThrow('leads to the metadata of a cloud')
})
