// Agents as accounts: made with a token that is shown once, recognised by it, gone with it. Knows nothing of HTTP.
import { randomBytes } from 'node:crypto'

import { AGENT_ROLE_NAME } from '@watchroom/shared/access'
import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import { createAccessToken } from './accessToken.ts'
import type { TokenHasher } from './createTokenHasher.ts'

/** Lifetime of an agent's token (backend reference 3.1). */
const TOKEN_LIFETIME_MS = 365 * 86_400_000

export interface NewAgent {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  /** Person who makes it; null when the gateway itself does. */
  readonly createdBy: string | null
}

/** Answer of `POST /agent/generate`. `id` is the person's, not the agent's. */
export interface GeneratedAgent {
  readonly id: string
  readonly username: string
  readonly access_token: string
}

/** An agent whose token is valid right now. */
export interface KnownAgent {
  readonly id: string
  readonly name: string
  readonly personId: string
}

export interface AgentService {
  /** @throws the database's error, for example 23505 when a live agent has the name */
  generate(agent: NewAgent): Promise<GeneratedAgent>
  /** Asks the database every time: a token dies with its agent, at once. Null when it is wrong, expired or revoked. */
  recognise(token: string): Promise<KnownAgent | null>
}

export function createAgentService(deps: { pool: Pool; clock: Clock; hasher: TokenHasher }): AgentService {
  const { pool, clock, hasher } = deps
  return {
    generate: async ({ name, properties, createdBy }) => {
      const username = `agent-${randomBytes(8).toString('hex')}`
      const { token, hash } = await createAccessToken()
      const expiresAt = new Date(clock.now() + TOKEN_LIFETIME_MS)
      const id = await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ id: string }>(
          `insert into people (name, email, type) values ($1, $1 || '@local', 'agent') returning id`,
          [username],
        )
        const personId = rows[0]?.id
        await client.query(
          `insert into access_tokens (name, value, person_id, expires_at) values ('default', $1, $2, $3)`,
          [hash, personId, expiresAt],
        )
        await client.query(`insert into casbin_rule (ptype, v0, v1) values ('g', $1, $2)`, [personId, AGENT_ROLE_NAME])
        await client.query(
          `insert into agents (name, username, person_id, properties, created_by) values ($1, $2, $3, $4, $5)`,
          [name, username, personId, JSON.stringify({ ...properties, type: 'agent' }), createdBy],
        )
        return personId ?? ''
      })
      return { id, username, access_token: token }
    },

    recognise: async (token) => {
      const hash = await hasher.hashOf(token)
      if (hash === null) return null
      const { rows } = await pool.query<{ id: string; name: string; person_id: string }>(
        `select agents.id, agents.name, agents.person_id
         from access_tokens join agents on agents.person_id = access_tokens.person_id
         where access_tokens.value = $1 and (access_tokens.expires_at is null or access_tokens.expires_at > $2)
           and agents.deleted_at is null
         limit 1`,
        [hash, new Date(clock.now())],
      )
      const [row] = rows
      return row ? { id: row.id, name: row.name, personId: row.person_id } : null
    },
  }
}
