import { describe, expect, it } from 'vitest'

import { toBackendPath } from '../../../gateway/src/proxy/paths.ts'

describe('toBackendPath', () => {
  it.each([
    ['/api/canary/api/summary', '/canary/api/summary', ''],
    ['/api/.ory/sessions/whoami', '/kratos/sessions/whoami', ''],
    ['/api/db/checks?select=*&a=b', '/db/checks', '?select=*&a=b'],
    ['/api/.oryx/y', '/.oryx/y', ''],
    ['/api/upstream/ping?queued=1', '/upstream/ping', '?queued=1'],
    // Agents of the real product know no prefix.
    ['/upstream/push', '/upstream/push', ''],
    ['/push/topology?agentName=a', '/push/topology', '?agentName=a'],
    ['/api/push/topology', '/push/topology', ''],
    // The exact text counts: quotes, empty pairs, an encoded slash and dots belong to filters.
    [
      '/api/db/job_history?&name.filter=!a%2Cb&x=..%2F..&in.("a","b")',
      '/db/job_history',
      '?&name.filter=!a%2Cb&x=..%2F..&in.("a","b")',
    ],
  ])('maps %s', (url, path, query) => {
    expect(toBackendPath(url)).toEqual({ path, query })
  })

  it.each([
    '/api',
    '/upstream',
    '/push/topology/x',
    '/push/other',
    '/upstream/../db/people',
    '/upstream//push',
    '/db/people',
    '/other/x',
    '/api//db/checks',
    '/api/db//checks',
    '/api/../etc/passwd',
    '/api/db/../kratos/admin',
    '/api/db/..',
    '/api/./db',
    '/api/%2e%2e/kratos',
    '/api/.%2E/kratos',
    '/api/db%2Fchecks',
    '/api/db%2fchecks',
    '/api/db%5cchecks',
    String.raw`/api/db\checks`,
    '/api/db/checks%00',
  ])('refuses %s', (url) => {
    expect(toBackendPath(url)).toBeNull()
  })
})
