import {
  findRoute,
  mayModerate,
  mayRunChecks,
  mayUseRoute,
  ROLES,
  ROUTE_ACCESS,
  type RouteAccess,
  TABLE_ACCESS,
} from '@watchroom/shared/access'
import { describe, expect, it } from 'vitest'

/** Who may use a route, in words: the order of ROLES, or why nobody is asked. */
function whoMay(method: string, path: string): string {
  const match = findRoute(method, path)
  if (match.kind !== 'found') return match.kind
  const { access } = match.rule
  if (typeof access === 'string') return access
  return ROLES.filter((role) => mayUseRoute(access, [role])).join(' ')
}

const ALL = 'admin editor commander responder viewer'
const EDITORS = 'admin editor'

describe('findRoute', () => {
  // Written by hand from the first specification, section 6, and not derived: this is the second opinion on the table.
  it.each([
    ['GET', '/health', 'public'],
    ['GET', '/metrics', 'admin'],
    ['GET', '/properties', 'signed-in'],
    ['GET', '/schemas/canary.spec.schema.json', 'signed-in'],
    ['POST', '/resources/search', ALL],
    ['GET', '/kratos/sessions/whoami', 'public'],
    ['POST', '/kratos/self-service/login', 'public'],
    ['GET', '/auth/whoami', 'signed-in'],
    ['POST', '/auth/invite_user', 'admin'],
    ['POST', '/auth/p1/update_state', 'admin'],
    ['POST', '/auth/p1/properties', 'admin'],
    ['POST', '/rbac/p1/update_role', 'admin'],
    ['GET', '/rbac/dump', 'admin'],
    ['POST', '/people/update', 'admin'],
    ['DELETE', '/people/p1', 'admin'],
    ['POST', '/canary/webhook/hook', 'public'],
    ['GET', '/canary/about', 'signed-in'],
    ['GET', '/canary/api/summary', ALL],
    ['HEAD', '/canary/api/summary', ALL],
    ['POST', '/canary/api/summary', ALL],
    ['GET', '/canary/api/graph', ALL],
    ['POST', '/canary/api/push', EDITORS],
    ['POST', '/canary/api/try', EDITORS],
    ['DELETE', '/canary/anything', EDITORS],
    ['POST', '/canary/run/check/c1', 'admin editor commander responder'],
    ['POST', '/canary/run/topology/t1', EDITORS],
    ['GET', '/canary/api/topology', ALL],
    ['POST', '/agent/generate', EDITORS],
    ['POST', '/upstream/push', 'signed-in'],
    ['POST', '/push/topology', 'signed-in'],
    ['POST', '/catalog/summary', ALL],
    ['POST', '/catalog/changes', ALL],
    ['GET', '/catalog/changes', ALL],
    ['POST', '/catalog/what-changed', ALL],
    ['POST', '/logs', ALL],
    ['POST', '/connection/test/c1', 'admin'],
    ['POST', '/notification/silence', EDITORS],
    ['GET', '/notification/events', ALL],
    ['POST', '/playbook/webhook/hook', 'public'],
    ['GET', '/playbook/list', ALL],
    ['GET', '/playbook/events', ALL],
    ['POST', '/playbook/run', EDITORS],
    ['GET', '/playbook/run/r1', ALL],
    ['POST', '/playbook/run/approve/p1/r1', EDITORS],
    ['POST', '/playbook/p1/params', EDITORS],
    ['GET', '/snapshot/topology/t1', ALL],
    ['GET', '/snapshot/incident/i1', ALL],
    ['GET', '/snapshot/config/c1', ALL],
    ['GET', '/artifacts/list/check/c1/now', 'admin'],
    ['GET', '/artifacts/download/a1', ALL],
    ['GET', '/kubeconfig', EDITORS],
    ['PATCH', '/kubeproxy/api/v1/pods', EDITORS],
    ['POST', '/config/run/s1', 'admin editor'],
    ['POST', '/canary/run/topology/t1', EDITORS],
    ['POST', '/canary/try/topology', EDITORS],
    ['POST', '/apm/search', 'admin'],
    ['GET', '/debug/pprof', 'admin'],
    // The database API, one per kind of rule
    ['GET', '/db/checks', ALL],
    ['POST', '/db/canaries', EDITORS],
    ['PATCH', '/db/agents', EDITORS],
    ['POST', '/db/incidents', 'admin editor commander responder'],
    ['DELETE', '/db/comments', 'admin editor commander responder'],
    ['GET', '/db/connections', 'admin'],
    ['GET', '/db/connections_list', EDITORS],
    ['PATCH', '/db/connections_list', 'nobody'],
    ['PATCH', '/db/people', 'admin'],
    ['GET', '/db/people_roles', ALL],
    ['PATCH', '/db/people_roles', 'nobody'],
    ['GET', '/db/access_tokens', 'nobody'],
    ['PATCH', '/db/incident_histories', 'service'],
    ['DELETE', '/db/event_queue', 'service'],
    ['GET', '/db/rpc/related_configs_recursive', ALL],
    ['POST', '/db/rpc/related_configs_recursive', ALL],
    ['DELETE', '/db/rpc/related_configs_recursive', 'wrong-method'],
    // What is not listed does not exist
    ['GET', '/', 'unknown'],
    ['GET', '/nothing', 'unknown'],
    ['GET', '/db/', 'unknown'],
    ['GET', '/db/pg_catalog', 'unknown'],
    ['GET', '/db/checks/1', 'unknown'],
    ['GET', '/db/constructor', 'unknown'],
    ['GET', '/db/%63hecks', 'unknown'],
    ['GET', '/healthy', 'unknown'],
    ['GET', '/agent/generate', 'wrong-method'],
    ['TRACE', '/canary/api/summary', 'wrong-method'],
    ['OPTIONS', '/db/checks', 'wrong-method'],
  ])('%s %s: %s', (method, path, expected) => {
    expect(whoMay(method, path)).toBe(expected)
  })

  it('reaches every rule of the table: none is hidden by an earlier one', () => {
    for (const rule of ROUTE_ACCESS) {
      const path = rule.path.replaceAll(/\{\w+\}/g, 'x').replace(/\*$/, 'x/y')
      const method = rule.method === 'ANY' ? 'DELETE' : rule.method
      expect(findRoute(method, path), `${method} ${path}`).toEqual({ kind: 'found', rule })
    }
  })

  it('knows every table, view and function', () => {
    for (const name of Object.keys(TABLE_ACCESS)) expect(findRoute('GET', `/db/${name}`).kind, name).toBe('found')
  })

  it('gives a viewer nothing to write', () => {
    const writable = Object.keys(TABLE_ACCESS).filter((name) => {
      const match = findRoute('PATCH', `/db/${name}`)
      return match.kind === 'found' && mayUseRoute(match.rule.access, ['viewer'])
    })
    expect(writable).toEqual([])
  })
})

describe('mayUseRoute', () => {
  it.each(['nobody', 'service'] satisfies RouteAccess[])('never opens to a person what is for %s', (access) => {
    expect(mayUseRoute(access, [...ROLES])).toBe(false)
  })

  it('lets admin, editor and commander change what others wrote in an incident', () => {
    expect(ROLES.filter((role) => mayModerate([role]))).toEqual(['admin', 'editor', 'commander'])
    expect(mayModerate(['viewer', 'commander'])).toBe(true)
  })

  it('lets everyone but viewers run a check', () => {
    expect(ROLES.filter((role) => mayRunChecks([role]))).toEqual(['admin', 'editor', 'commander', 'responder'])
    expect(mayRunChecks(['viewer', 'responder'])).toBe(true)
  })
})
