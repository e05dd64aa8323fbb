import { AGENT_ROLE_NAME, can, highestRole, RESOURCES, type Role, ROLES, toRoles } from '@watchroom/shared/access'
import { describe, expect, it } from 'vitest'

// Written by hand from the first specification, section 6, and not derived: the second opinion on the matrix.
const EVERYTHING =
  'database rbac auth responder incident evidences comments canaries topologies config_scrapers identities connections kratos ' +
  'agents feature_flags logging_backends integrations notifications playbooks playbook_runs'
const WITHOUT_ADMINISTRATION = EVERYTHING.replaceAll(/\b(?:rbac|identities|connections) ?/g, '')
const OF_AN_INCIDENT = 'responder incident evidences comments'

const allowed = (role: Role, action: 'read' | 'write'): string =>
  RESOURCES.filter((resource) => can([role], action, resource)).join(' ')

describe('the access matrix', () => {
  it('knows the resources of the specification', () => {
    expect(RESOURCES.join(' ')).toBe(EVERYTHING)
  })

  it.each([
    ['admin', EVERYTHING, EVERYTHING],
    ['editor', WITHOUT_ADMINISTRATION, WITHOUT_ADMINISTRATION],
    ['commander', WITHOUT_ADMINISTRATION, OF_AN_INCIDENT],
    ['responder', WITHOUT_ADMINISTRATION, OF_AN_INCIDENT],
    ['viewer', WITHOUT_ADMINISTRATION, ''],
  ] as const)('lets a %s read and write what the specification says', (role, read, write) => {
    expect(allowed(role, 'read')).toBe(read)
    expect(allowed(role, 'write')).toBe(write)
  })

  it('gives several roles what any of them may', () => {
    expect(can(['viewer', 'responder'], 'write', 'comments')).toBe(true)
    expect(can([], 'read', 'canaries')).toBe(false)
  })
})

describe('toRoles', () => {
  it('gives an agent no role at all, and a person their roles whatever else they are', () => {
    expect(toRoles([AGENT_ROLE_NAME])).toEqual([])
    expect(toRoles([AGENT_ROLE_NAME, 'editor'])).toEqual(['editor'])
  })

  it('makes a person without a role a viewer', () => {
    expect(toRoles([])).toEqual(['viewer'])
    expect(toRoles(['everyone'])).toEqual(['viewer'])
  })

  it('keeps the known roles, the highest first, and drops the others', () => {
    expect(toRoles(['viewer', 'everyone', 'editor'])).toEqual(['editor', 'viewer'])
  })

  it('gives the token of an agent no role of a person', () => {
    expect(toRoles(['agent'])).toEqual([])
  })
})

describe('highestRole', () => {
  it.each(ROLES.map((role, rank) => [role, ROLES.slice(rank)] as const))('is %s among %s', (role, roles) => {
    expect(highestRole(roles.toReversed())).toBe(role)
  })

  it('is viewer where there is none', () => {
    expect(highestRole([])).toBe('viewer')
  })
})
