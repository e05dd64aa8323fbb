// How a team is called in: its client of a type with the credentials in place, for as long as it takes to use them.
import { z } from 'zod'

import { collectSecrets } from '../../check-runner/maskOutcome.ts'
import { readConnection } from '../connections/readConnection.ts'
import { toOpenedConnection } from '../outbound/openedConnection.ts'
import { OutboundFault } from '../outbound/outboundFault.ts'
import { tryParseConnection } from '../secrets/resolveConnection.ts'
import type { BackendContext } from '../server/context.ts'

/** A text, or an object with it as the form of checks has it. */
const credential = z
  .union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)])
  .nullish()
  .transform((text) => text ?? '')
const text = z
  .string()
  .nullish()
  .transform((word) => word ?? '')

const ClientSchema = z.object({
  /** `connection://namespace/name` of type HTTP: address and credentials. */
  connection: z.string().nullish(),
  url: text,
  username: credential,
  password: credential,
  /** Of Microsoft Planner. */
  tenant_id: text,
  client_id: text,
  group_id: text,
  /** Of Microsoft Planner in a cloud of a country. */
  login_url: text,
  /** Fixed by the team, whatever a form says. */
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).nullish(),
})

export interface ResponderClient extends Omit<z.output<typeof ClientSchema>, 'connection' | 'values'> {
  readonly values: Readonly<Record<string, string>>
  readonly isInsecure: boolean
  /** Texts that must appear nowhere. */
  readonly secrets: readonly string[]
}

type Deps = Pick<BackendContext, 'pool' | 'vault'>

/** Null when the team has no client of that type. @throws OutboundFault when it cannot be used */
export async function readClient(deps: Deps, teamId: string, type: string): Promise<ResponderClient | null> {
  const { pool, vault } = deps
  const { rows } = await pool.query<{ spec: unknown }>('select spec from teams where id = $1 and deleted_at is null', [
    teamId,
  ])
  if (!rows[0]) return null
  const stored = (await vault.list(pool, 'teams', [teamId])).get(teamId) ?? []
  const { document, secrets: filled } = await vault.fillIn(rows[0], stored)
  const clients = new Map(Object.entries(Object(Object(Object(document).spec).responder_clients)))
  if (!clients.has(type)) return null
  const parsed = ClientSchema.safeParse(clients.get(type) ?? {})
  if (!parsed.success) throw new OutboundFault(`responder_clients.${type}: ${z.prettifyError(parsed.error)}`)
  const { connection, values, ...own } = parsed.data
  const access = connection ? await readAccess(deps, connection) : { ...own, isInsecure: false, secrets: [] }
  const secrets = collectSecrets({ username: access.username, password: access.password }, [
    ...filled,
    ...access.secrets,
  ])
  return { ...own, ...access, values: values ?? {}, secrets: [...secrets] }
}

/** Credentials of a connection go to its own address, and sign in where Microsoft does. */
async function readAccess(deps: Deps, reference: string) {
  const named = tryParseConnection(reference)
  if (named === null) throw new OutboundFault(`connection: expected connection://namespace/name, not ${reference}`)
  const { rows } = await deps.pool.query<{ id: string }>(
    'select id from connections where namespace = $1 and name = $2 and deleted_at is null',
    [named.namespace, named.name],
  )
  const found = rows[0] && (await readConnection(deps, rows[0].id))
  if (!found) throw new OutboundFault(`there is no connection ${reference}`)
  if (found.type !== 'http') throw new OutboundFault(`the connection ${named.name} is not of type HTTP`)
  const opened = toOpenedConnection('http', found.row)
  return {
    url: opened.needed('url'),
    username: opened.text('username'),
    password: opened.text('password'),
    login_url: '',
    isInsecure: opened.tls.isInsecure,
    secrets: found.filled,
  }
}
