// The fields of a settings row as someone edits them, and what is saved of them. Pure.
import { type SettingsResource, type SettingsRow, SettingsRowSchema } from '@watchroom/shared/settings'
import { findSpecFault } from '@watchroom/shared/specs'
import { z } from 'zod'

import { readSpecText, toSpecText } from '../../editor/readSpecText.ts'
import { pairsRule, toPairs } from '../../ui/form/pairs.ts'
import { requiredText } from '../../ui/form/rules.ts'
import { specRule } from '../../ui/form/specRule.ts'

const SettingsFormSchema = z.object({
  name: requiredText,
  namespace: requiredText,
  icon: z.string().trim(),
  labels: pairsRule,
  schedule: z.string().trim(),
  spec: specRule,
})
export type SettingsFields = z.input<typeof SettingsFormSchema>
export type SettingsForm = z.output<typeof SettingsFormSchema>

/**
 * What is saved into a table must be what its readers understand.
 *
 * @param isJudged whether the backend refuses what is not known here: else its readers may know more
 */
export const settingsFormSchema = (
  { table }: SettingsResource,
  isJudged: boolean,
): z.ZodType<SettingsForm, SettingsFields> =>
  isJudged
    ? SettingsFormSchema.extend({
        spec: specRule.superRefine((spec, context) => {
          const message = findSpecFault(table, spec)
          if (message !== null) context.addIssue({ code: 'custom', message })
        }),
      })
    : SettingsFormSchema

/** What our own backend would not understand of the text; null also where it cannot be read, which nobody saves. */
export function findTextFault({ table }: SettingsResource, text: string): string | null {
  const { spec } = readSpecText(text)
  return spec === null ? null : findSpecFault(table, spec)
}

const DEFAULT_NAMESPACE = 'default'

/** What the text of a spec begins with, by table: it can be saved, and shows which keys there are. */
const NEW_SPECS: ReadonlyMap<string, string> = new Map([
  [
    'incident_rules',
    `components:
  - labelSelector: team=example
filter:
  status: [unhealthy]
template:
  type: availability
  severity: medium
autoAssignOwner: true
`,
  ],
  [
    'logging_backends',
    `backends:
  - file:
      path: [example/*.log]
      routes:
        - type: Service
`,
  ],
  [
    'topologies',
    `components:
  - name: Example
    type: Product
    components:
      - name: API
        type: Service
        checks:
          - selector: { labelSelector: team=example }
`,
  ],
])

/** Fields that a table lacks keep what they begin with, which every rule allows. */
export const newFields = ({ table }: SettingsResource): SettingsFields => ({
  name: '',
  namespace: DEFAULT_NAMESPACE,
  icon: '',
  labels: [],
  schedule: '',
  spec: NEW_SPECS.get(table) ?? '',
})

export const toFields = (row: SettingsRow): SettingsFields => ({
  name: row.name,
  namespace: row.namespace || DEFAULT_NAMESPACE,
  icon: row.icon ?? '',
  labels: toPairs(row.labels),
  schedule: row.schedule ?? '',
  spec: toSpecText(row.spec ?? {}),
})

/** What may change after a row was added: not its name and namespace. */
export type SettingsValues = Pick<SettingsRow, 'spec'> & Partial<Pick<SettingsRow, 'icon' | 'labels' | 'schedule'>>

export function toValues({ fields }: SettingsResource, { icon, labels, schedule, spec }: SettingsForm): SettingsValues {
  return {
    ...(fields.includes('icon') ? { icon: icon || null } : {}),
    ...(fields.includes('labels') ? { labels } : {}),
    ...(fields.includes('schedule') ? { schedule: schedule || null } : {}),
    spec,
  }
}

export const toNewRow = (definition: SettingsResource, form: SettingsForm, userId: string) => ({
  name: form.name,
  ...(definition.fields.includes('namespace') ? { namespace: form.namespace } : {}),
  ...toValues(definition, form),
  source: 'UI',
  created_by: userId,
})

/** A version as one text, to be compared with another. */
export function toComparable({ icon, labels, schedule, spec }: SettingsFields): string {
  const entered = labels.filter(({ key }) => key !== '')
  return [
    ...(icon === '' ? [] : [`# icon: ${icon}`]),
    ...(schedule === '' ? [] : [`# schedule: ${schedule}`]),
    ...(entered.length === 0 ? [] : ['# labels', ...entered.map(({ key, value }) => `#   ${key}: ${value}`)]),
    spec.trimEnd(),
  ].join('\n')
}

const FormerSchema = SettingsRowSchema.pick({ icon: true, labels: true, schedule: true, spec: true })

/** What is to be saved so that a row is again what an earlier version was. */
export function toRestored({ fields }: SettingsResource, former: Readonly<Record<string, unknown>>): SettingsValues {
  const { icon, labels, schedule, spec } = FormerSchema.parse(former)
  return {
    ...(fields.includes('icon') && { icon: icon ?? null }),
    ...(fields.includes('labels') && { labels: labels ?? {} }),
    ...(fields.includes('schedule') && { schedule: schedule ?? null }),
    spec: spec ?? {},
  }
}
