import { Button } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import { can, highestRole, type Resource, type Role, ROLES } from '@watchroom/shared/access'

import { useSession } from '../api/session.tsx'
import { copyText } from '../ui/copyToClipboard.ts'

import styles from './shell.module.css'

/** The names that people use; other resources go by their own. */
const NAMES: Partial<Record<Resource, string>> = {
  canaries: 'health checks',
  config_scrapers: 'scrapers',
  database: 'the catalog and records',
  identities: 'people',
  incident: 'incidents',
  rbac: 'roles',
}
const nameOf = (resource: Resource): string => NAMES[resource] ?? resource.replaceAll('_', ' ')

/** The lowest role with the right: nobody should ask for more than they need. */
function roleFor(resource: Resource): Role {
  return ROLES.findLast((role) => can([role], 'read', resource)) ?? 'admin'
}

/** Which right is missing, who can grant it, and a message to send them. */
export function RightRequest({ resource }: { resource: Resource }) {
  const { user, roles } = useSession()
  const role = roleFor(resource)
  // A backend's own policy may withhold what the role would have.
  const isWithheld = can(roles, 'read', resource)
  const giver = isWithheld ? 'which the policy of the backend withholds' : `which the role ${role} has`
  const account = [user.name, user.email ? `(${user.email})` : ''].filter(Boolean).join(' ')
  const text = `Please let me open ${window.location.href}. It needs the right to read ${nameOf(resource)}, ${giver}. My account is ${account}, with the role ${highestRole(roles)}.`
  return (
    <section className={styles['request']} aria-label="What to ask for">
      <h2>What to ask for</h2>
      <dl>
        <dt>Right</dt>
        <dd>Read {nameOf(resource)}</dd>
        <dt>Your role</dt>
        <dd>{highestRole(roles)}</dd>
        <dt>Role that has it</dt>
        <dd>{isWithheld ? 'Yours, but the backend’s policy denies it' : role}</dd>
        <dt>Who can give it</dt>
        <dd>An administrator, in Settings, Users</dd>
      </dl>
      <blockquote>{text}</blockquote>
      <Button icon={<Duplicate />} text="Copy request" onClick={() => void copyText(text)} />
    </section>
  )
}
