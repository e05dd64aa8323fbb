import { Callout } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { NOTIFICATION_EVENTS, REPEAT_INTERVALS } from '@watchroom/shared/notifications'
import { useState } from 'react'

import { type ConnectionOption, connectionOptionsQuery, toReference } from '../../../api/connectionOptions.ts'
import { personName, usePeople } from '../../../api/people.ts'
import { useSession } from '../../../api/session.tsx'
import { teamOptionsQuery } from '../../../api/teams.ts'
import { CheckboxesField } from '../../../ui/form/CheckboxesField.tsx'
import { CodeField } from '../../../ui/form/CodeField.tsx'
import { RadioField } from '../../../ui/form/RadioField.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { unreadText } from '../../../ui/form/unreadText.ts'
import type { Form } from '../../../ui/form/useForm.ts'
import { findFilterGap, isMailed, NEW_RULE, type RuleFields as Fields, strangersOf } from '../ruleForm.ts'

const KINDS = ['check', 'component', 'config', 'playbook'] as const
const KIND_LABELS = { check: 'Checks', component: 'Components', config: 'Catalog', playbook: 'Playbooks' } as const
const EVENT_GROUPS = KINDS.map((kind) => ({
  label: KIND_LABELS[kind],
  options: NOTIFICATION_EVENTS.filter((event) => event.startsWith(`${kind}.`)).map((value) => ({
    value,
    label: value,
  })),
}))

const RECIPIENT_OPTIONS = [
  { value: 'person', label: 'Person' },
  { value: 'team', label: 'Team' },
  { value: 'others', label: 'Others' },
]
const FALLBACK_OPTIONS = [{ value: 'none', label: 'Nobody' }, ...RECIPIENT_OPTIONS]
const TEMPLATE_OPTIONS = [
  { value: 'default', label: 'Default' },
  { value: 'custom', label: 'Custom Template' },
]

const REPEAT_LABELS: Readonly<Record<(typeof REPEAT_INTERVALS)[number], string>> = {
  '1h': '1 hour',
  '2h': '2 hours',
  '3h': '3 hours',
  '6h': '6 hours',
  '1d': '1 day',
  '1w': '1 week',
  '1m': '1 month',
}
const REPEAT_OPTIONS = REPEAT_INTERVALS.map((value) => ({ value, label: REPEAT_LABELS[value] }))

interface RuleFieldsProps {
  form: Form<Fields>
  isReadOnly: boolean
}

/** @param ownService what the stored rule sends to that is no connection */
export function RuleFields({ form, isReadOnly, ownService = null }: RuleFieldsProps & { ownService?: string | null }) {
  const { recipient, fallback, template } = form.values
  const gap = findFilterGap(form.values)
  const choose = (kind: string): void => {
    form.set('recipient', kind)
    // Only one recipient is kept.
    for (const name of ['person', 'team', 'connection', 'connectionName'] as const) form.set(name, NEW_RULE[name])
  }
  return (
    <>
      <TextField
        label="Title"
        isFirst
        isReadOnly={isReadOnly}
        help="Prefixes the event. With {{ expressions }} it becomes the whole subject."
        {...form.field('title')}
      />
      <CheckboxesField
        label="Events"
        mark="required"
        groups={useEventGroups(form.values.events)}
        isReadOnly={isReadOnly}
        {...form.field('events')}
      />
      <RadioField
        label="Recipient"
        options={RECIPIENT_OPTIONS}
        isReadOnly={isReadOnly}
        {...form.field('recipient')}
        onChange={choose}
      />
      <RecipientField form={form} kind={recipient} names={FIRST} unchosen={ownService} isReadOnly={isReadOnly} />
      <CodeField
        label="Filter"
        language="cel"
        isReadOnly={isReadOnly}
        help="An expression that must be true, for example check.name == 'api'. Empty: everything."
        {...form.field('filter')}
      />
      <div aria-live="polite">
        {gap === null ? null : (
          <Callout role="note" icon={null} compact intent="warning">
            {gap}
          </Callout>
        )}
      </div>
      <RadioField
        label="Fallback"
        options={FALLBACK_OPTIONS}
        isReadOnly={isReadOnly}
        help="Notified when the last attempt to send has failed."
        {...form.field('fallback')}
      />
      {fallback === 'none' ? null : (
        <>
          <RecipientField form={form} kind={fallback} names={INSTEAD} isReadOnly={isReadOnly} />
          <TextField
            label="Fallback after"
            isCode
            isReadOnly={isReadOnly}
            help="For example 10m: notify the fallback by then, before the last attempt. Empty: after the last attempt."
            {...form.field('fallbackAfter')}
          />
        </>
      )}
      {isMailed(form.values) ? <MailField form={form} isReadOnly={isReadOnly} /> : null}
      <SelectField
        label="Repeat interval"
        placeholder="Every time"
        options={REPEAT_OPTIONS}
        isReadOnly={isReadOnly}
        help="Repeats for the same resource within this time are counted, not sent."
        {...form.field('repeat')}
      />
      <TextField
        label="Wait"
        isCode
        isReadOnly={isReadOnly}
        help="For example 5m: send only what’s still true by then. Empty: send at once."
        {...form.field('wait')}
      />
      <TextField
        label="Group by"
        isCode
        isReadOnly={isReadOnly}
        help="type, status_reason, description, labels:name or tags:name, comma-separated. Events with the same values become one message."
        {...form.field('group')}
      />
      <RadioField label="Template" options={TEMPLATE_OPTIONS} isReadOnly={isReadOnly} {...form.field('template')} />
      {template === 'custom' ? (
        <TextField
          label="Text"
          mark="required"
          isMultiline
          isCode
          isReadOnly={isReadOnly}
          help="{{ check.name }}, {{ if … }}, {{ else }}, {{ range … }}, {{ end }}"
          {...form.field('text')}
        />
      ) : null}
    </>
  )
}

/** Including unknown events of the rule: they stay, and can be removed. */
function useEventGroups(chosen: readonly string[]) {
  const [strangers, setStrangers] = useState<readonly string[]>([])
  const more = strangersOf(chosen).filter((event) => !strangers.includes(event))
  if (more.length > 0) setStrangers([...strangers, ...more])
  return strangers.length === 0
    ? EVENT_GROUPS
    : [...EVENT_GROUPS, { label: 'Others', options: strangers.map((value) => ({ value, label: value })) }]
}

/** Fields of the recipients, and of the fallback. */
const FIRST = { person: 'person', team: 'team', connection: 'connection', before: '' } as const
const INSTEAD = {
  person: 'fallbackPerson',
  team: 'fallbackTeam',
  connection: 'fallbackConnection',
  before: 'Fallback: ',
} as const

interface RecipientFieldProps extends RuleFieldsProps {
  kind: string
  names: typeof FIRST | typeof INSTEAD
  /** What stands for no connection. */
  unchosen?: string | null
}

function RecipientField({ form, kind, names, unchosen = null, isReadOnly }: RecipientFieldProps) {
  const { present, hasFailed } = usePeople()
  const teams = useQuery({ ...teamOptionsQuery, enabled: kind === 'team' })
  const mayList = useSession().can('write', 'notifications')
  const connections = useQuery({ ...connectionOptionsQuery, enabled: kind === 'others' && mayList })
  if (kind === 'team') {
    return (
      <SelectField
        label={`${names.before}Team`}
        placeholder="Choose a team"
        options={(teams.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        isReadOnly={isReadOnly}
        help={teams.isError ? unreadText('Teams') : undefined}
        {...form.field(names.team)}
      />
    )
  }
  if (kind === 'others') {
    const chosen = form.field(names.connection)
    const choose = (value: string): void => {
      chosen.onChange(value)
      if (names === FIRST) form.set('connectionName', connections.data?.find(({ id }) => id === value)?.name ?? '')
    }
    const listed = (connections.data ?? []).map((option) => ({
      value: toValue(option, chosen.value),
      label: option.type ? `${option.name} (${option.type})` : option.name,
    }))
    // People who may not list connections see the name stored in the rule.
    const kept = { value: chosen.value, label: (names === FIRST && form.values.connectionName) || 'A connection' }
    return (
      <SelectField
        label={`${names.before}Connection`}
        placeholder={unchosen ?? 'Choose a connection'}
        options={mayList || chosen.value === '' ? listed : [kept]}
        isReadOnly={isReadOnly}
        help={connections.isError ? unreadText('Connections') : undefined}
        {...chosen}
        onChange={choose}
      />
    )
  }
  return (
    <SelectField
      label={`${names.before}Person`}
      placeholder="Choose a person"
      options={present.map((person) => ({ value: person.id, label: personName(person) }))}
      isReadOnly={isReadOnly}
      help={hasFailed ? unreadText('People') : undefined}
      {...form.field(names.person)}
    />
  )
}

/** Through which server people are mailed. */
function MailField({ form, isReadOnly }: RuleFieldsProps) {
  const mayList = useSession().can('write', 'notifications')
  const connections = useQuery({ ...connectionOptionsQuery, enabled: mayList })
  const chosen = form.field('mailConnection')
  const listed = (connections.data ?? []).flatMap((option) =>
    option.type === 'email' ? [{ value: toValue(option, chosen.value), label: option.name }] : [],
  )
  const kept = { value: chosen.value, label: 'A connection' }
  return (
    <SelectField
      label="Mail connection"
      placeholder="The server’s own mail"
      options={mayList || chosen.value === '' ? listed : [kept]}
      isReadOnly={isReadOnly}
      help={connections.isError ? unreadText('Connections') : 'Emails to people are sent through this connection.'}
      {...chosen}
    />
  )
}

/** By id, unless the rule refers to it by name, like definitions in files. */
const toValue = ({ id, name, namespace }: ConnectionOption, chosen: string): string =>
  isNamed(chosen, name, namespace) ? chosen : id

/** Whether a text refers to the connection by name, like definitions in files. */
const isNamed = (text: string, name: string, namespace: string | null | undefined): boolean =>
  text === toReference({ name, namespace }) ||
  ((namespace || 'default') === 'default' && text === `connection://${name}`)
