// The fields of a playbook as someone edits them, and what is saved of them. Pure.
import { PlaybookSpecSchema, toPlaybookJsonSchema } from '@watchroom/shared/playbooks'
import { z } from 'zod'

import type { JsonSchema } from '../../editor/contract.ts'
import { readSpecText, toSpecText } from '../../editor/readSpecText.ts'
import { REQUIRED_TEXT, requiredText } from '../../ui/form/rules.ts'
import { specRule } from '../../ui/form/specRule.ts'
import type { PlaybookRow } from './playbookQueries.ts'

/** For the editor: what it marks and completes. One object, so that editors share it. */
export const PLAYBOOK_JSON_SCHEMA = toPlaybookJsonSchema() as JsonSchema

/** What our own backend would not run, with its line; null also where nothing is written that can be read. */
export function findPlaybookFault(text: string): string | null {
  const { spec, locate } = readSpecText(text)
  if (spec === null || Object.keys(spec).length === 0) return null
  const [issue] = PlaybookSpecSchema.safeParse(spec).error?.issues ?? []
  if (issue === undefined) return null
  const path = issue.path.filter((key) => typeof key !== 'symbol')
  return `Line ${locate(path).line}: ${[path.join('.'), issue.message].filter(Boolean).join(': ')}`
}

/** A playbook's spec as YAML or JSON. It is saved as it was written: the defaults are those of the backend that runs it. */
const playbookSpecRule = specRule.refine((spec) => Object.keys(spec).length > 0, REQUIRED_TEXT)

const judgedSpecRule = z
  .string()
  .superRefine((text, context) => {
    const message = findPlaybookFault(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .pipe(playbookSpecRule)

/** @param isJudged whether the backend refuses what is not known here: else only that is asked which no backend can read */
export const playbookFormSchema = (isJudged: boolean) =>
  z.object({
    title: requiredText,
    category: z.string().trim(),
    description: z.string().trim(),
    icon: z.string().trim(),
    spec: isJudged ? judgedSpecRule : playbookSpecRule,
  })
export type PlaybookFields = z.input<ReturnType<typeof playbookFormSchema>>
export type PlaybookForm = z.output<ReturnType<typeof playbookFormSchema>>

const FIRST_SCRIPT = `actions:
  - name: hello
    exec:
      script: echo "Hello"
`
const FIRST_CALL = `actions:
  - name: hello
    http:
      url: https://example.com
`

/** @param isAdmin only they may save scripts unless the operator allows it: for others it begins with a step that they can save */
export const newPlaybook = (isAdmin: boolean): PlaybookFields => ({
  title: '',
  category: '',
  description: '',
  icon: '',
  spec: isAdmin ? FIRST_SCRIPT : FIRST_CALL,
})

export const toFields = (row: PlaybookRow): PlaybookFields => ({
  title: row.title || row.name,
  category: row.category ?? '',
  description: row.description ?? '',
  icon: row.icon ?? '',
  spec: toSpecText(row.spec ?? {}),
})

/** What is written of an edit. A category that stands in the spec alone counts, too. */
export const toValues = ({ category, ...form }: PlaybookForm) => ({
  ...form,
  category: category || (typeof form.spec['category'] === 'string' ? form.spec['category'] : ''),
})

export const toNewPlaybook = (form: PlaybookForm, userId: string) => ({
  ...toValues(form),
  name: form.title,
  source: 'UI',
  created_by: userId,
})

/** A version as one text, to be compared with another. */
export const toComparable = ({ spec, ...fields }: PlaybookFields): string =>
  [...Object.entries(fields).map(([name, value]) => `# ${name}: ${value}`), spec.trimEnd()].join('\n')
