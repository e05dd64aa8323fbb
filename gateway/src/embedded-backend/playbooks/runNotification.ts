import { createHash } from 'node:crypto'

import type { Pool } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import type { Step, StepOutcome } from '../../step-runner/contract.ts'
import { fillTemplate } from '../../step-runner/templates.ts'
import type { Mailer } from '../mail/createMailer.ts'
import { renderMail } from '../mail/mailTemplates.ts'
import { findConnection } from '../notifications/findRecipients.ts'
import type { NotificationMessage } from '../notifications/sender.ts'
import { cutText } from '../outbound/cutText.ts'
import { IS_ACTIVE_PERSON } from '../people/activePerson.ts'

export interface NotificationDeps {
  readonly pool: Pool
  readonly mailer: Pick<Mailer, 'enqueue' | 'link'>
  /** Hands a message to a connection. @throws SendFailure */
  readonly sendVia: (connectionId: string, message: NotificationMessage, signal: AbortSignal) => Promise<void>
}

export interface NotificationCall extends NotificationDeps {
  readonly stepName: string
}

const MAX_TITLE_CHARACTERS = 500
const MAX_TEXT_CHARACTERS = 8_000

/** A mail to people and to everyone of teams, each once, and a message to a connection. */
export const runNotification: Step<'notification', NotificationCall> = async (call) => {
  const { spec, scope, pool, lookUp, mailer, runId, openOutput } = call
  const { people = [], teams = [] } = spec
  const title = await fillTemplate(spec.title, scope, lookUp)
  const text = await fillTemplate(spec.message, scope, lookUp)
  const isForPeople = people.length + teams.length > 0 || spec.connection === undefined
  const addresses = isForPeople ? await findAddresses(pool, people, teams) : []
  if (isForPeople && addresses.length === 0) return fail('there is nobody to be told: no such people or teams')
  const connection = spec.connection === undefined ? null : await findConnection(pool, spec.connection)
  if (spec.connection !== undefined && connection === null) return fail(`there is no connection ${spec.connection}`)
  // What must not be shown must not be sent.
  const output = openOutput([])
  await output.write('stdout', `${title}\n\n${text}`)
  const { stdout } = await output.end()
  const [subject = '', ...rest] = stdout.split('\n\n')
  const url = mailer.link(`/playbooks/runs/${runId}`)
  const data: Told = {
    title: cutText(subject, MAX_TITLE_CHARACTERS),
    text: cutText(rest.join('\n\n'), MAX_TEXT_CHARACTERS),
    url,
  }
  const carriesMails = connection?.type === 'email'
  if (connection) await sendTo(call, connection.id, data, carriesMails ? addresses : [])
  if (!carriesMails && addresses.length > 0) {
    await inTransaction(pool, async (client) => {
      for (const to of addresses) await mailer.enqueue(client, { to, template: 'notification', data })
    })
  }
  const recipients = [
    ...addresses,
    ...(connection && (!carriesMails || addresses.length === 0) ? [connection.name] : []),
  ]
  return { result: { title: data.title, message: data.text, recipients }, error: null }
}

interface Told {
  readonly title: string
  readonly text: string
  readonly url: string
}

const fail = (error: string): StepOutcome => ({ result: null, error })

async function findAddresses(pool: Pool, people: readonly string[], teams: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ email: string }>(
    `select distinct lower(people.email) as email from people
     left join team_members on team_members.person_id = people.id
     left join teams on teams.id = team_members.team_id and teams.deleted_at is null
     where ${IS_ACTIVE_PERSON} and people.email is not null
       and (lower(people.email) = any(select lower(unnest($1::text[]))) or teams.name = any($2))
     order by email`,
    [people, teams],
  )
  return rows.map(({ email }) => email)
}

type Call = Parameters<typeof runNotification>[0]

/** One message, or one to each address: nobody reads who else is told. */
async function sendTo(
  { runId, stepName, signal, sendVia }: Call,
  connectionId: string,
  { title, text, url }: Told,
  addresses: readonly string[],
): Promise<void> {
  const { html } = renderMail({ template: 'notification', data: { title, text, url } })
  for (const to of addresses.length === 0 ? [null] : addresses) {
    // The same for every attempt of the step, so that a receiver can tell a repetition.
    const told = [runId, stepName, connectionId, to].join('\n')
    const idempotencyKey = createHash('sha256').update(told).digest('hex').slice(0, 32)
    signal.throwIfAborted()
    await sendVia(
      connectionId,
      { title, text, html, link: url, idempotencyKey, ...(to !== null && { to: [to] }) },
      signal,
    )
  }
}
