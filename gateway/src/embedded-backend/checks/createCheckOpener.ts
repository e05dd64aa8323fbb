// Puts stored credentials and connections into a definition at the moment its check runs. Rows, logs and results never have
// them: whoever calls gives `secrets` to the runner, which masks them in what it reports.
import { tryParseCheckSpec } from '@watchroom/shared/health/check-types'
import { type Clock, failed, ok, type Result } from '@watchroom/shared/kernel'
import { ConnectionRowSchema } from '@watchroom/shared/settings/connections'
import type { Pool } from 'pg'

import type { ListFolder, RunnableCheck } from '../../check-runner/contract.ts'
import { openFolder } from '../connections/folders/openFolder.ts'
import { createNetwork, type Network } from '../outbound/createNetwork.ts'
import { SecretUnreadable, type StoredSecret, type Vault } from '../secrets/createVault.ts'
import { type OpenConnection, resolveConnection, tryParseConnection } from '../secrets/resolveConnection.ts'

/** A check as it was written, with *** for its secrets. */
export interface SealedElement {
  readonly element: unknown
  /** With paths inside the element. */
  readonly secrets: readonly StoredSecret[]
}

export interface OpenedCheck {
  readonly check: RunnableCheck
  readonly secrets: readonly string[]
  /** Of a check of a folder behind a connection. */
  readonly listFolder?: ListFolder
}

export interface CheckOpener {
  /** @returns the check as the runner takes it, or why it cannot run, in words for its author */
  open(check: RunnableCheck, sealed?: SealedElement): Promise<Result<OpenedCheck, string>>
}

const COLUMNS = ['url', 'username', 'password', 'certificate', 'properties'] as const

type ConnectionRow = Record<(typeof COLUMNS)[number], unknown> & {
  id: string
  type: string
  insecure_tls: boolean | null
}

interface Deps {
  readonly pool: Pick<Pool, 'query'>
  readonly vault: Vault
  readonly clock: Pick<Clock, 'now'>
  readonly network?: Network
}

export function createCheckOpener({ pool, vault, clock, network = createNetwork() }: Deps): CheckOpener {
  async function fillIn(check: RunnableCheck, sealed: SealedElement): Promise<Result<OpenedCheck, string>> {
    const filled = await vault.fillIn(sealed.element, sealed.secrets)
    const parsed = tryParseCheckSpec(check.type, filled.document)
    if (!parsed.ok) return failed(parsed.error.map(({ path, message }) => `${path}: ${message}`).join('; '))
    return ok({ check: { ...check, ...parsed.value }, secrets: filled.secrets })
  }

  async function connect(opened: OpenedCheck): Promise<Result<OpenedCheck, string>> {
    const { check } = opened
    const named = tryParseConnection('connection' in check.spec ? check.spec.connection : undefined)
    if (named === null) return ok(opened)
    const { rows } = await pool.query<ConnectionRow>(
      `select id, type, ${COLUMNS.join(', ')}, insecure_tls from connections
       where namespace = $1 and name = $2 and deleted_at is null`,
      [named.namespace, named.name],
    )
    const [row] = rows
    if (!row) return failed(`connection: there is none named ${named.name} in the namespace ${named.namespace}`)
    const stored = (await vault.list(pool, 'connections', [row.id])).get(row.id) ?? []
    const filled = await vault.fillIn(row, stored)
    const document = filled.document as ConnectionRow
    if (check.type === 'folder') {
      const found = openFolder(row.type, ConnectionRowSchema.parse(document), { network, now: () => clock.now() })
      if (!found.ok) return found
      const { connection: _, ...spec } = check.spec
      const secrets = [...opened.secrets, ...filled.secrets]
      return ok({ check: { ...check, type: 'folder', spec }, secrets, listFolder: found.value })
    }
    const connection = toConnection(document)
    const resolved = resolveConnection(check, connection)
    if (!resolved.ok) return resolved
    const secrets = [...opened.secrets, ...filled.secrets, ...textsOf(connection)]
    return ok({ check: { ...check, ...resolved.value }, secrets })
  }

  return {
    open: async (check, sealed) => {
      try {
        const filled = sealed ? await fillIn(check, sealed) : ok({ check, secrets: [] })
        return filled.ok ? await connect(filled.value) : filled
      } catch (error) {
        if (error instanceof SecretUnreadable) return failed(error.message)
        throw error
      }
    },
  }
}

const toText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

function toConnection(row: ConnectionRow): OpenConnection {
  return {
    url: toText(row.url),
    username: toText(row.username),
    password: toText(row.password),
    certificate: toText(row.certificate),
    properties: new Map(Object.entries(Object(row.properties) as Record<string, unknown>)),
    insecureTls: row.insecure_tls === true,
  }
}

/** Written as they are, for example a reference that only another backend can read. */
function textsOf({ password, certificate }: OpenConnection): string[] {
  return [password, certificate].filter((text) => text !== null)
}
