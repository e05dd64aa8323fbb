import { isPermitted, type Permission, RESOURCES } from '@watchroom/shared/access'
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
