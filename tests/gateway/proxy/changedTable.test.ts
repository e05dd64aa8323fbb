import { expect, it } from 'vitest'

import { changedTable } from '../../../gateway/src/proxy/changedTable.ts'

it.each([
  ['PATCH', '/db/agents', 'agents'],
  ['GET', '/db/agents', null],
  ['POST', '/db/rpc/lookup', null],
  ['POST', '/rbac/p1/update_role', 'people'],
  ['GET', '/rbac/dump', null],
  ['POST', '/auth/invite_user', 'people'],
  ['POST', '/auth/p1/update_state', 'people'],
  ['POST', '/people/update', 'people'],
  ['DELETE', '/people/p1', 'people'],
  ['DELETE', '/auth/tokens/t1', null],
  ['POST', '/canary/run/check/1', null],
])('%s %s', (method, path, table) => {
  expect(changedTable(method, path)).toBe(table)
})
