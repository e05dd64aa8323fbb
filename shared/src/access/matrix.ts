import { type Action, RESOURCES, type Resource, type Role, ROLES } from './roles.ts'

const ADMINISTRATION: ReadonlySet<Resource> = new Set(['rbac', 'identities', 'connections'])
const WRITTEN_BY_RESPONDERS: readonly Resource[] = ['responder', 'incident', 'evidences', 'comments']

const readable = RESOURCES.filter((resource) => !ADMINISTRATION.has(resource))

/** Who may do what: first specification, section 6. The one copy; database grants and the route table derive from it. */
const ACCESS_MATRIX: Record<Role, Record<Action, ReadonlySet<Resource>>> = {
  admin: { read: new Set(RESOURCES), write: new Set(RESOURCES) },
  editor: { read: new Set(readable), write: new Set(readable) },
  commander: { read: new Set(readable), write: new Set(WRITTEN_BY_RESPONDERS) },
  responder: { read: new Set(readable), write: new Set(WRITTEN_BY_RESPONDERS) },
  viewer: { read: new Set(readable), write: new Set<Resource>() },
}

/** Roles that allow `action` on `resource`. */
export const rolesThatMay = (action: Action, resource: Resource): Role[] =>
  ROLES.filter((role) => can([role], action, resource))

/** Whether any of the roles allows `action` on `resource`. */
export function can(roles: readonly Role[], action: Action, resource: Resource): boolean {
  return roles.some((role) => ACCESS_MATRIX[role][action].has(resource))
}
