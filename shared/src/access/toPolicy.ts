// The matrix in the words of the field's policy (backend reference 3.6): what other clients read in whoami and `/rbac/dump`. Its objects are
// larger than our resources, so it allows what any of them does; a call is still judged by the matrix.
import { can } from './matrix.ts'
import { OBJECTS } from './permissions.ts'
import { RESOURCES, type Action, type Resource, type Role } from './roles.ts'

interface PolicyRow {
  readonly subject: string
  readonly object: string
  readonly action: string
  readonly deny?: true
}

/** Objects of which a resource is only a part, and those that its screens name. */
const MORE: Readonly<Record<Action, readonly (readonly [object: string, resource: Resource])[]>> = {
  read: [
    ['database.public', 'database'],
    ['catalog', 'database'],
    ['logs', 'database'],
    ['incident', 'database'],
    ['monitor', 'database'],
    ['monitor', 'notifications'],
    ['system', 'feature_flags'],
    ['artifact', 'playbook_runs'],
    ['connection-detail', 'connections'],
  ],
  write: [
    ['database.public', 'database'],
    ['catalog', 'database'],
    ['incident', 'database'],
  ],
}

/** What `write` is called there. */
const WRITES = ['create', 'update', 'delete']
const RUNS = ['run', 'approve']

const EVERYONE: PolicyRow = { subject: 'everyone', object: 'database.kratos', action: '*', deny: true }

/** @param roles as they are listed: who has several of them may what any of them may */
export const toPolicy = (roles: readonly Role[]): PolicyRow[] => [EVERYONE, ...roles.flatMap(rowsOf)]

function rowsOf(subject: Role): PolicyRow[] {
  if (subject === 'admin') return [{ subject, object: '*', action: '*' }]
  const may = (action: Action): Set<string> => {
    const named = RESOURCES.flatMap((resource): [string, Resource][] => {
      const object = OBJECTS[resource][action]
      return object === null ? [] : [[object === 'public' ? 'database.public' : object, resource]]
    })
    return new Set(
      [...named, ...MORE[action]].flatMap(([object, resource]) => (can([subject], action, resource) ? [object] : [])),
    )
  }
  return [
    ...Array.from(may('read'), (object) => ({ subject, object, action: 'read' })),
    ...Array.from(may('write')).flatMap((object) =>
      [...WRITES, ...(object === 'playbooks' ? RUNS : [])].map((action) => ({ subject, object, action })),
    ),
  ]
}
