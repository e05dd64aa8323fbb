import { can, type Role, ROLES } from '@watchroom/shared/access'
import type { User } from '@watchroom/shared/identity'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { describe, expect, it } from 'vitest'

import { visibleNavigation } from '../../../../web/src/app/navigation.ts'
import { visiblePlaces } from '../../../../web/src/app/palette/places.ts'

const viewpoint = (role: Role) => ({
  roles: [role],
  can: (action: 'read' | 'write', resource: Parameters<typeof can>[2]) => can([role], action, resource),
  disabledAreas: new Set<never>(),
  missing: [],
  user: { id: 'user-1', name: 'Robin' },
})

describe('places of the palette', () => {
  it.each(ROLES)('hold every entry of the sidebar of a %s', (role) => {
    const paths = visiblePlaces(viewpoint(role)).map(({ path }) => path)
    const { main, settings } = visibleNavigation(viewpoint(role))
    expect(paths).toEqual(expect.arrayContaining([...main, ...settings].map(({ path }) => path)))
  })

  it('hold no form for what someone may not write, no settings for viewers, and nothing that needs an id', () => {
    const of = (role: Role): string[] => visiblePlaces(viewpoint(role)).map(({ path }) => path)
    expect(of('editor')).toContain('/settings/canaries/new')
    expect(of('commander')).not.toContain('/settings/canaries/new')
    expect(of('commander')).toContain('/settings/agents')
    expect(of('viewer').filter((path) => path.startsWith('/settings/'))).toEqual(['/settings/access-tokens'])
    expect(of('admin').filter((path) => path.includes('$') || path === '/login')).toEqual([])
    expect(of('editor')).not.toContain('/settings/users')
  })

  it('leave out what is switched off and what the backend cannot do', () => {
    const paths = (more: object): string[] => visiblePlaces({ ...viewpoint('admin'), ...more }).map(({ path }) => path)
    expect(paths({})).toEqual(expect.arrayContaining(['/logs', '/incidents']))
    expect(paths({ disabledAreas: new Set(['incidents']) })).not.toContain('/incidents')
    expect(paths({ missing: ['logs'] })).not.toContain('/logs')
  })

  it('hold nothing of a person where nobody signs in', () => {
    const own = ['/profile-settings', '/settings/access-tokens', '/kubeconfig']
    const of = (user: User): string[] => visiblePlaces({ ...viewpoint('editor'), user }).map(({ path }) => path)
    expect(of({ id: 'user-1', name: 'Robin' })).toEqual(expect.arrayContaining(own))
    const shared = of({ id: NIL_UUID, name: 'Everyone' })
    expect(shared.filter((path) => own.includes(path))).toEqual([])
    expect(shared).toContain('/logs')
  })
})
