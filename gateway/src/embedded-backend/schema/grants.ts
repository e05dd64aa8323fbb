// Database roles and what each may touch: the console's access matrix, written as GRANTs.

import {
  ANONYMOUS_ROLE,
  AUTHENTICATOR_ROLE,
  databaseRole,
  mayUseRoute,
  type Action,
  ROLES,
  SERVICE_ROLE,
  tableAccess,
} from '@watchroom/shared/access'
import { escapeLiteral, type PoolClient } from 'pg'

/** Ends while the gateway still waits (30 s), also for a call that stood in line first. */
export const STATEMENT_TIMEOUT_MS = 20_000

interface Grantee {
  readonly name: string
  readonly may: (action: Action, object: DatabaseObject) => boolean
}

const GRANTEES: readonly Grantee[] = [
  ...ROLES.map((role): Grantee => {
    return {
      name: databaseRole(role),
      may: (action, { name }) => mayUseRoute(tableAccess(name, action), [role]),
    }
  }),
  { name: SERVICE_ROLE, may: (action, { name }) => tableAccess(name, action) !== 'nobody' },
]
const CALLING_ROLES = GRANTEES.map(({ name }) => name)
const ALL_ROLES = [...CALLING_ROLES, ANONYMOUS_ROLE]

/**
 * Makes roles and rights exactly those of the matrix, whatever they were. Run it inside a transaction, so that a running
 * PostgREST never sees the moment without rights.
 */
export async function applyGrants(client: PoolClient, authenticatorPassword?: string): Promise<void> {
  await client.query(rolesSql())
  if (authenticatorPassword !== undefined)
    await client.query(`alter role ${AUTHENTICATOR_ROLE} password ${escapeLiteral(authenticatorPassword)}`)
  const objects = await readObjects(client)
  await client.query([revokeSql(), ...GRANTEES.flatMap((grantee) => grantSql(grantee, objects))].join(';\n'))
}

/** Relation kinds of pg_class that this schema has, and functions. */
interface DatabaseObject {
  /** As in `TABLE_ACCESS`. */
  name: string
  kind: 'table' | 'view' | 'function'
  /** Quoted, as GRANT takes it. */
  reference: string
  /** Sequences behind the table's defaults. */
  sequences: string[]
}

/** @internal exported for the test that compares the schema with `TABLE_ACCESS` */
async function readObjects(client: Pick<PoolClient, 'query'>): Promise<DatabaseObject[]> {
  const { rows } = await client.query<DatabaseObject>(`
    select relname as name, case relkind when 'r' then 'table' else 'view' end as kind, oid::regclass::text as reference,
      array(select objid::regclass::text from pg_depend
        join pg_class as sequence on sequence.oid = objid and sequence.relkind = 'S'
        where refobjid = relation.oid and deptype in ('a', 'i')) as sequences
    from pg_class as relation
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p')
    union all
    select 'rpc/' || proname, 'function', oid::regprocedure::text, '{}'
    from pg_proc
    where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
    order by name`)
  return rows
}

function rolesSql(): string {
  return `
    do $$ begin
      ${ALL_ROLES.map((role) => createRoleSql(role, 'nologin')).join('\n')}
      ${createRoleSql(AUTHENTICATOR_ROLE, 'login noinherit')}
    end $$;
    grant ${ALL_ROLES.join(', ')} to ${AUTHENTICATOR_ROLE};
    ${CALLING_ROLES.map((role) => `alter role ${role} set statement_timeout = '${String(STATEMENT_TIMEOUT_MS)}ms'`).join(';\n')}`
}

/** Roles belong to the whole server: another database of it, or another process, may have made them. */
function createRoleSql(role: string, attributes: string): string {
  return `begin create role ${role} ${attributes}; exception when duplicate_object or unique_violation then null; end;`
}

function revokeSql(): string {
  const everyone = ['public', ...ALL_ROLES].join(', ')
  return `
    revoke all on all tables in schema public from ${everyone};
    revoke all on all sequences in schema public from ${everyone};
    revoke all on all functions in schema public from ${everyone};
    revoke all on schema public from ${everyone};
    grant usage on schema public to ${CALLING_ROLES.join(', ')}`
}

function grantSql({ name, may }: Grantee, objects: readonly DatabaseObject[]): string[] {
  const readable = objects.filter((object) => may('read', object))
  const writable = objects.filter((object) => object.kind === 'table' && may('write', object))
  const grant = (rights: string, references: string[]): string[] =>
    references.length > 0 ? [`grant ${rights} ${references.join(', ')} to ${name}`] : []
  return [
    ...grant(
      'select on',
      readable.filter(({ kind }) => kind !== 'function').map(({ reference }) => reference),
    ),
    ...grant(
      'execute on function',
      readable.filter(({ kind }) => kind === 'function').map(({ reference }) => reference),
    ),
    ...grant(
      'insert, update, delete on',
      writable.map(({ reference }) => reference),
    ),
    ...grant(
      'usage on sequence',
      writable.flatMap(({ sequences }) => sequences),
    ),
  ]
}
