import { findRoute, ROUTE_ACCESS } from '@watchroom/shared/access'
import { expect, it } from 'vitest'

import { HELD_ENDPOINTS, UNHELD_ENDPOINTS } from '../contract/seenEndpoints.ts'
import { HELD_EXCHANGES } from '../contract/seenExchanges.ts'
import { readText } from './sources.ts'

/** What handlers of other services answer behind a star, and the identity service, which `kratos.test.ts` holds to its own reference. */
const isServed = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  (!path.endsWith('*') || (method === 'POST' && path.startsWith('/playbook/'))) && !path.startsWith('/kratos/')

it('every endpoint that we serve is held to what the real server was seen to answer, or says why not', () => {
  const served = ROUTE_ACCESS.filter(isServed).map(({ method, path }) => `${method} ${path}`)
  const calls = [...Object.keys(HELD_ENDPOINTS), ...Object.keys(UNHELD_ENDPOINTS)].filter(
    (endpoint) => !endpoint.startsWith('/db/'),
  )
  expect(calls.toSorted()).toEqual([...new Set(served)].toSorted())
})

it('every table and function that was seen is one of ours', () => {
  const served = (endpoint: string): boolean =>
    !endpoint.startsWith('/db/') || findRoute('GET', endpoint.split(' ')[0] ?? '').kind === 'found'
  expect(Object.keys(HELD_ENDPOINTS).filter((endpoint) => !served(endpoint))).toEqual([])
})

it('every case that holds an endpoint is there, and asks for it', () => {
  const missing = Object.entries(HELD_ENDPOINTS).filter(([endpoint, held]) => {
    const [file = '', title = ''] = held.split(' › ')
    const text = readText(file)
    const path = endpoint.startsWith('/') ? endpoint : (endpoint.split(' ')[1] ?? '')
    // Up to the first part that differs from call to call.
    const asked = path.split(/[{*]/, 1)[0]?.replace(/\/$/, '') ?? ''
    return !text.includes(`'${title}'`) || !text.includes(asked)
  })
  expect(missing).toEqual([])
})

it('every case that holds an exchange with the identity service is there', () => {
  const text = readText('tests/contract/kratos.test.ts')
  const missing = Object.entries(HELD_EXCHANGES).filter(([, title]) => !text.includes(`it('${title}'`))
  expect(missing).toEqual([])
})
