// Who is to be told: a person, the connections or else the active members of a team, or the connections of the rule itself.
import { failed, isUuid, ok, type Result } from '@watchroom/shared/kernel'
import type { ClientBase } from 'pg'

import { IS_ACTIVE_PERSON } from '../people/activePerson.ts'
import { tryParseConnection } from '../secrets/resolveConnection.ts'
import { type Rule, textProperty } from './rule.ts'

export interface Recipient {
  readonly personId: string | null
  readonly connectionId: string | null
  /** As people read it. */
  readonly name: string
  /** Whose machine takes the message. */
  readonly receiver: string
}

/** The mail server that Watchroom is set up with. */
export const MAIL = 'mail'
/** Why a person cannot be told. */
export const NO_ADDRESS = 'the person is not here any more, is inactive, or has no e-mail address'

type Database = Pick<ClientBase, 'query'>
type RecipientOf = Pick<Rule, 'person_id' | 'team_id' | 'custom_services' | 'properties'>

/** @returns why there is nobody, in words for the author of the rule */
export async function findRecipients(database: Database, rule: RecipientOf): Promise<Result<Recipient[], string>> {
  const receiver = await findMailReceiver(database, rule)
  if (!receiver.ok) return receiver
  if (rule.person_id !== null) return findPeople(database, 'people.id = $1', rule.person_id, receiver.value)
  if (rule.team_id !== null) return findTeam(database, rule.team_id, receiver.value)
  return findConnections(database, rule.custom_services)
}

/** The connection that mails of the rule go through, by id; `mail` for the server that Watchroom is set up with. */
async function findMailReceiver(database: Database, rule: RecipientOf): Promise<Result<string, string>> {
  const named = textProperty(rule, 'connection')
  if (named === null) return ok(MAIL)
  const found = await findConnection(database, named)
  if (found === null) return failed(`properties: there is no connection ${named}`)
  return found.type === 'email' ? ok(found.id) : failed(`properties: the connection ${found.name} sends no mail`)
}

async function findTeam(database: Database, teamId: string, receiver: string): Promise<Result<Recipient[], string>> {
  const { rows } = await database.query<{ name: string; services: unknown }>(
    `select name, spec -> 'notifications' as services from teams where id = $1 and deleted_at is null`,
    [teamId],
  )
  const [team] = rows
  if (!team) return failed('the team was deleted')
  if (Array.isArray(team.services) && team.services.length > 0) {
    const found = await findConnections(database, team.services)
    return found.ok ? found : failed(`team ${team.name}: ${found.error}`)
  }
  const isMember = `people.id in (select person_id from team_members where team_id = $1)`
  const members = await findPeople(database, isMember, teamId, receiver)
  return members.ok ? members : failed(`team ${team.name} has no active member with an e-mail address`)
}

/** Each address once. */
async function findPeople(
  database: Database,
  condition: string,
  value: string,
  receiver: string,
): Promise<Result<Recipient[], string>> {
  const { rows } = await database.query<{ id: string; name: string | null; email: string }>(
    `select distinct on (lower(email)) id, name, email from people
     where ${condition} and ${IS_ACTIVE_PERSON} and email <> '' order by lower(email), id`,
    [value],
  )
  if (rows.length === 0) return failed(NO_ADDRESS)
  return ok(rows.map(({ id, name, email }) => ({ personId: id, connectionId: null, name: name ?? email, receiver })))
}

async function findConnections(database: Database, services: unknown): Promise<Result<Recipient[], string>> {
  const names = (Array.isArray(services) ? services : []).map((service: unknown) => {
    const { connection } = Object(service) as { connection?: unknown }
    return typeof connection === 'string' ? connection : ''
  })
  if (names.length === 0) return failed('the rule has no recipient')
  const found = new Map<string, Recipient>()
  for (const name of names) {
    if (name === '') return failed('a recipient names no connection')
    const connection = await findConnection(database, name)
    if (connection === null) return failed(`there is no connection ${name}`)
    const { id } = connection
    found.set(id, { personId: null, connectionId: id, name: connection.name, receiver: id })
  }
  return ok([...found.values()])
}

interface FoundConnection {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** By id, or `connection://namespace/name`. */
export async function findConnection(database: Database, text: string): Promise<FoundConnection | null> {
  const named = tryParseConnection(text)
  if (named === null && !isUuid(text)) return null
  const [condition, values] = named
    ? ['namespace = $1 and name = $2', [named.namespace, named.name]]
    : ['id = $1', [text]]
  const { rows } = await database.query<FoundConnection>(
    `select id, name, type from connections where ${condition} and deleted_at is null`,
    values,
  )
  return rows[0] ?? null
}
