import { can, isPermitted, type Permission, RESOURCES, ROLES, toPolicy } from '@watchroom/shared/access'
import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'
import { describe, expect, it } from 'vitest'

/** As the real server lists them for a viewer: reads of public objects, and nothing of incidents. */
const VIEWER: Permission[] = ['database.public', 'canaries', 'catalog', 'playbooks', 'topology', 'people'].map(
  (object) => ({
    object,
    action: 'read',
  }),
)

describe('isPermitted', () => {
  it('narrows nothing where the backend lists nothing', () => {
    for (const resource of RESOURCES) {
      expect(isPermitted(undefined, 'write', resource)).toBe(true)
      expect(isPermitted([], 'read', resource)).toBe(true)
    }
  })

  it('allows what a row allows, and no more', () => {
    expect(isPermitted(VIEWER, 'read', 'canaries')).toBe(true)
    expect(isPermitted(VIEWER, 'write', 'canaries')).toBe(false)
    expect(isPermitted(VIEWER, 'read', 'incident')).toBe(false)
    expect(isPermitted(VIEWER, 'read', 'agents')).toBe(false)
    expect(isPermitted(VIEWER, 'read', 'database')).toBe(true)
  })

  it('knows objects of tables by the names that the server lists', () => {
    const operator: Permission[] = ['monitor', 'config_scrapers', 'system'].map((name) => ({
      object: `database.${name}`,
      action: 'read',
    }))
    for (const resource of ['agents', 'integrations', 'logging_backends', 'rbac'] as const) {
      expect(isPermitted(operator, 'read', resource), resource).toBe(true)
      expect(isPermitted(operator, 'write', resource), resource).toBe(false)
    }
    expect(isPermitted(operator, 'read', 'notifications')).toBe(false)
  })

  it('narrows nothing but what is denied where nothing is allowed, as for someone without a role', () => {
    const denied: Permission[] = [{ object: 'database.kratos', action: '*', deny: true }]
    expect(isPermitted(denied, 'read', 'canaries')).toBe(true)
    expect(isPermitted([...denied, { object: 'canaries', action: '*', deny: true }], 'read', 'canaries')).toBe(false)
  })

  it('asks for the object of a part, where one is named', () => {
    const editor: Permission[] = [...VIEWER, { object: 'topology', action: 'update' }]
    expect(isPermitted(editor, 'read', 'database', 'monitor')).toBe(false)
    expect(isPermitted(editor, 'read', 'database', 'logs')).toBe(false)
    expect(isPermitted(editor, 'read', 'database', 'public')).toBe(true)
    expect(isPermitted(editor, 'write', 'database', 'public')).toBe(false)
  })

  it('reads a star as anything, and takes away what a row denies', () => {
    const admin: Permission[] = [
      { object: '*', action: '*' },
      { object: 'connection', action: '*', deny: true },
    ]
    expect(isPermitted(admin, 'write', 'incident')).toBe(true)
    expect(isPermitted(admin, 'read', 'connections')).toBe(false)
  })
})

describe('toPolicy', () => {
  it('names what the field names, and denies everyone what nobody may', () => {
    const [denied, ...rows] = toPolicy(['viewer'])
    expect(denied).toEqual({ subject: 'everyone', object: 'database.kratos', action: '*', deny: true })
    for (const object of ['database.public', 'canaries', 'catalog', 'playbooks', 'topology'])
      expect(rows).toContainEqual({ subject: 'viewer', object, action: 'read' })
    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['read']))
    expect(toPolicy(['admin']).slice(1)).toEqual([{ subject: 'admin', object: '*', action: '*' }])
    const editor = toPolicy(['editor']).flatMap(({ object, action }) => (object === 'playbooks' ? [action] : []))
    expect(editor).toEqual(['read', 'create', 'update', 'delete', 'run', 'approve'])
    expect(toPolicy(['editor']).filter(({ object }) => object === 'connection')).toEqual([])
  })

  it.each(ROLES)('allows a %s all that the matrix does, each thing once', (role) => {
    const rows = toPolicy([role])
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length)
    for (const action of ['read', 'write'] as const) {
      const allowed = RESOURCES.filter((resource) => can([role], action, resource))
      expect(allowed.filter((resource) => !isPermitted(rows, action, resource))).toEqual([])
      const tables = Object.values(SETTINGS_RESOURCES).filter(({ resource }) => can([role], action, resource))
      expect(tables.filter(({ resource, object }) => !isPermitted(rows, action, resource, object))).toEqual([])
    }
    for (const object of ['logs', 'monitor', 'incident', 'public'])
      expect(isPermitted(rows, 'read', 'database', object), object).toBe(true)
    expect(isPermitted(rows, 'read', 'playbook_runs', 'artifact')).toBe(true)
  })
})
