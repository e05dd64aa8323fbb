import type { Pool } from 'pg'

import { inTransaction } from '../../platform/database/inTransaction.ts'
import type { Step } from '../../step-runner/contract.ts'
import { fillTemplate } from '../../step-runner/templates.ts'
import type { Mailer } from '../mail/createMailer.ts'

export interface NotificationDeps {
  readonly pool: Pool
  readonly mailer: Pick<Mailer, 'enqueue' | 'link'>
}

/** A mail to people and to everyone of teams, each once. */
export const runNotification: Step<'notification', NotificationDeps> = async ({
  spec,
  scope,
  pool,
  mailer,
  lookUp,
  runId,
  openOutput,
}) => {
  const { people = [], teams = [] } = spec
  const title = await fillTemplate(spec.title, scope, lookUp)
  const text = await fillTemplate(spec.message, scope, lookUp)
  const { rows } = await pool.query<{ email: string }>(
    `select distinct lower(people.email) as email from people
     left join team_members on team_members.person_id = people.id
     left join teams on teams.id = team_members.team_id and teams.deleted_at is null
     where people.deleted_at is null and people.email is not null
       and (lower(people.email) = any(select lower(unnest($1::text[]))) or teams.name = any($2))
     order by email`,
    [people, teams],
  )
  const recipients = rows.map(({ email }) => email)
  if (recipients.length === 0) return { result: null, error: 'there is nobody to be told: no such people or teams' }
  const url = mailer.link(`/playbooks/runs/${runId}`)
  // What must not be shown must not be mailed.
  const output = openOutput([])
  await output.write('stdout', `${title}\n\n${text}`)
  const { stdout } = await output.end()
  const [subject = '', ...rest] = stdout.split('\n\n')
  const data = { title: subject.slice(0, 500), text: rest.join('\n\n').slice(0, 8_000), url }
  await inTransaction(pool, async (client) => {
    for (const to of recipients) await mailer.enqueue(client, { to, template: 'notification', data })
  })
  return { result: { title: data.title, message: data.text, recipients }, error: null }
}
