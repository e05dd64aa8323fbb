// What only our own backend has is not offered in front of another: every such route, and every such table that a page reads, belongs
// to a capability, and the page asks for it.
import { type CapabilityName, ROUTE_ACCESS, TABLE_ACCESS } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { expect, it } from 'vitest'

import { rightOfRelation, rightOfRoute } from '#support/strictBackend/policy.ts'

import { readSources } from './sources.ts'

/** Null: no page calls it. */
const ROUTES: Readonly<Record<string, CapabilityName | null>> = {
  'GET /health': null,
  'GET /metrics': null,
  'POST /playbook/webhook/*': null,
  'POST /people/update_state': null,
  'ANY /kubeproxy/*': null,
  'ANY /apm/*': null,
  'ANY /debug/*': null,
  'POST /events/retry': 'eventRetries',
  'POST /events/drop': 'eventRetries',
  'POST /playbook/run/cancel/{runId}': 'runControl',
  'POST /playbook/run/retry/{runId}': 'runControl',
  'POST /playbook/run/confirm/{actionId}': 'runControl',
  'GET /auth/{id}/sessions': 'accountControl',
  'DELETE /auth/{id}/sessions': 'accountControl',
  'POST /auth/{id}/invite': 'accountControl',
  'POST /people/{id}/confirm_address': 'accountControl',
  'GET /auth/tokens': 'accessTokens',
  'POST /auth/tokens': 'accessTokens',
  'DELETE /auth/tokens/{id}': 'accessTokens',
  'GET /mail/outbox': 'outbox',
  'POST /mail/outbox/{id}/retry': 'outbox',
  'POST /canary/api/try': 'trials',
  'POST /canary/try/topology': 'trials',
  'POST /config/try': 'trials',
  'POST /connection/test': 'connectionTrials',
  'POST /catalog/what-changed': 'whatChanged',
  'POST /notification/silence/preview': 'notificationReasons',
  'POST /notification/preview': 'notificationReasons',
  'POST /notification/rehearse': 'notificationReasons',
  'GET /notification/transitions': 'notificationReasons',
  'GET /notification/transitions/{id}': 'notificationReasons',
  'POST /notification/history/{id}/resend': 'notificationReasons',
}

const TABLES: Readonly<Record<string, CapabilityName | null>> = {
  connections_with_status: 'connectionTrials',
  notification_send_history_summary: 'notificationHistory',
  notification_transitions: 'notificationReasons',
  settings_history: 'settingsHistory',
  // The page of a run reads the result of a step where its output is not to be had.
  playbook_run_outputs: null,
}

const web = readSources('web/src')

it('every route of our own alone belongs to a capability', () => {
  const own = ROUTE_ACCESS.filter(({ method, path }) => {
    if (path.startsWith('/kratos/')) return false
    const asked = path.replaceAll(/\{\w+\}/g, NIL_UUID).replace(/\*$/, 'x')
    return rightOfRoute(method === 'ANY' ? 'POST' : method, asked) === null
  })
  expect(own.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(Object.keys(ROUTES).toSorted())
})

it('every table of our own alone that a page reads belongs to a capability', () => {
  const own = Object.keys(TABLE_ACCESS).filter((name) => rightOfRelation('GET', name) === null)
  const read = own.filter((name) => {
    const pattern = new RegExp(String.raw`/api/db/${name}\b|(?:name|writes): '${name}'`)
    return web.some(({ text }) => pattern.test(text))
  })
  expect(read.toSorted()).toEqual(Object.keys(TABLES).toSorted())
})

it('a page asks for every capability of these before it offers what belongs to it', () => {
  const isAsked = (name: CapabilityName): boolean =>
    web.some(({ text }) => text.includes(`useMissing('${name}')`) || text.includes(`needs: '${name}'`))
  const wanted = [...Object.values(ROUTES), ...Object.values(TABLES)].filter((name) => name !== null)
  expect([...new Set(wanted)].filter((name) => !isAsked(name))).toEqual([])
})
