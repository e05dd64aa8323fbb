// Who hears of what in the demo: members of its teams, connections that lead to its own target, rules, and one silence. Nothing leaves
// this machine: mails stay in the outbox.
import type { Role } from '@watchroom/shared/access'
import { CONNECTION_TYPES, type ConnectionTypeName, encodeConnection } from '@watchroom/shared/settings/connections'
import type { Pool, PoolClient } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { demoEmail } from '../identity/bootstrap.ts'

interface Deps {
  readonly adminEmail: string
  readonly target: { readonly host: string; readonly port: number }
  /** A folder that checks of the demo may look into. */
  readonly spool: string
}

/** The first administrator is beside them in the team of the platform. */
const MEMBERS: Readonly<Record<string, readonly Role[]>> = {
  Shop: ['editor', 'viewer'],
  Tracking: ['responder', 'editor'],
  Payments: ['commander', 'responder'],
  Depots: ['responder', 'commander'],
  Platform: ['admin', 'editor'],
  'Edge platform (demo)': ['commander', 'responder'],
}
const TEAM_OF_FIRST_ADMIN = 'Platform'

interface ConnectionSeed {
  readonly id: string
  readonly name: string
  readonly type: ConnectionTypeName
  readonly values: Readonly<Record<string, string | boolean>>
}

const toId = (number: number): string => `01980000-0000-7000-8000-0000000000${number}`
const ON_CALL_ID = toId(21)

const toConnections = ({ target, spool }: Deps): readonly ConnectionSeed[] => {
  const address = `${target.host}:${target.port}`
  const hook = { contentType: 'application/json', requestMethod: 'POST', key: 'message', titleKey: 'title' }
  const shop = `http://${address}/storefront/web-shop/home-page`
  return [
    {
      id: ON_CALL_ID,
      name: 'on-call-display',
      type: 'generic_webhook',
      values: { url: `http://${address}/hooks/on-call`, ...hook },
    },
    {
      id: toId(22),
      name: 'depot-pagers',
      type: 'ntfy',
      values: { host: address, topic: 'depots', insecure_tls: true },
    },
    {
      id: toId(23),
      name: 'web-shop',
      type: 'http',
      values: { url: shop, username: 'reporting', password: 'q3-parcel-read' },
    },
    { id: toId(24), name: 'label-spool', type: 'folder', values: { path: spool } },
  ]
}

interface RuleSeed {
  readonly columns: Readonly<Record<string, unknown>>
  /** By name. */
  readonly team?: string
}

const RULES: readonly RuleSeed[] = [
  {
    team: 'Depots',
    columns: {
      title: 'Depots',
      events: ['check.failed', 'check.passed'],
      filter: `labels.team == 'depots'`,
      repeat_interval: '1h',
    },
  },
  {
    columns: {
      title: 'Critical checks',
      custom_services: JSON.stringify([{ connection: ON_CALL_ID, name: 'on-call-display' }]),
      events: ['check.failed'],
      filter: `check.severity == 'critical'`,
    },
  },
  {
    team: 'Shop',
    columns: {
      title: 'Shop, if it lasts',
      events: ['check.failed', 'check.passed'],
      filter: `labels.team == 'shop'`,
      wait_for: 30e9,
      group_by: ['labels:team'],
    },
  },
  {
    team: 'Platform',
    columns: { title: 'Components', events: ['component.unhealthy', 'component.warning'], group_by: ['type'] },
  },
]

/** Nothing when there are any rules or connections, also deleted ones: what people made or changed stays so. */
export async function seedNotifications(pool: Pool, deps: Deps): Promise<void> {
  await followTarget(pool, deps)
  const { rows } = await pool.query<{ editor: string | null; exists: boolean }>(
    `select (select id from people where email = $1 and deleted_at is null) as editor,
       exists (select from notifications) or exists (select from connections) as exists`,
    [demoEmail('editor')],
  )
  const editorId = rows[0]?.editor ?? null
  if (editorId === null || rows[0]?.exists === true) return
  await inTransaction(pool, async (client) => {
    await seedMembers(client, deps.adminEmail)
    for (const connection of toConnections(deps)) await insertConnection(client, connection, editorId)
    for (const rule of RULES) await insertRule(client, rule, editorId)
    await client.query(
      `insert into notification_silences (check_id, "from", until, description, source, created_by)
       select checks.id, now() - interval '20 minutes', now() + interval '2 days', 'Hamburg replaces the gate sensor', 'UI', $1
       from checks join canaries on canaries.id = checks.canary_id
       where canaries.source = 'demo' and checks.name = 'hamburg/gate' and checks.deleted_at is null`,
      [editorId],
    )
  })
}

async function seedMembers(client: PoolClient, adminEmail: string): Promise<void> {
  const members = Object.entries(MEMBERS).flatMap(([team, roles]) =>
    [...roles.map(demoEmail), ...(team === TEAM_OF_FIRST_ADMIN ? [adminEmail] : [])].map((email) => ({ team, email })),
  )
  await client.query(
    `insert into team_members (team_id, person_id)
     select teams.id, people.id from jsonb_to_recordset($1) as member (team text, email text)
     join teams on teams.name = member.team and teams.deleted_at is null
     join people on people.email = member.email and people.deleted_at is null
     on conflict do nothing`,
    [JSON.stringify(members)],
  )
}

async function insertConnection(client: PoolClient, seed: ConnectionSeed, editorId: string): Promise<void> {
  const { id, name, type, values } = seed
  const row = encodeConnection(CONNECTION_TYPES[type], values)
  const isTestedByItself = CONNECTION_TYPES[type].test === 'connect'
  const properties = { ...row.properties, ...(isTestedByItself && { testEvery: '5m' }) }
  await client.query(
    `insert into connections (id, name, namespace, type, url, username, password, insecure_tls, properties, source, created_by)
     values ($1, $2, 'demo', $3, $4, $5, $6, coalesce($7, false), $8, 'UI', $9)`,
    [id, name, type, row.url, row.username, row.password, row.insecure_tls, JSON.stringify(properties), editorId],
  )
}

async function insertRule(client: PoolClient, { team, columns }: RuleSeed, editorId: string): Promise<void> {
  const all = { source: 'UI', created_by: editorId, ...columns }
  const places = Object.keys(all).map((_, index) => `$${index + 2}`)
  await client.query(
    `insert into notifications (team_id, ${Object.keys(all).join(', ')})
     values ((select id from teams where name = $1 and deleted_at is null), ${places.join(', ')})`,
    [team ?? null, ...Object.values(all)],
  )
}

/** The port of the target may be taken by someone else at the next start. */
async function followTarget(pool: Pick<Pool, 'query'>, deps: Deps): Promise<void> {
  const { host, port } = deps.target
  const ids = toConnections(deps).map(({ id }) => id)
  await pool.query(
    `update connections set url = regexp_replace(url, $2, $3), properties = regexp_replace(properties::text, $2, $3)::jsonb
     where id = any($1) and url ~ $2 and position($3 in url) = 0`,
    [ids, `${host.replaceAll('.', String.raw`\.`)}:[0-9]+`, `${host}:${port}`],
  )
}
