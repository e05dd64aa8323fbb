// The fields of a playbook as someone edits them, and what is saved of them. Pure.
import { PlaybookSpecSchema, toPlaybookJsonSchema } from '@watchroom/shared/playbooks'
import { z } from 'zod'

import type { JsonSchema } from '../../editor/contract.ts'
import { readSpecText, toSpecText } from '../../editor/readSpecText.ts'
import { requiredText } from '../../ui/form/rules.ts'
import type { PlaybookRow } from './playbookQueries.ts'

/** For the editor: what it marks and completes. One object, so that editors share it. */
export const PLAYBOOK_JSON_SCHEMA = toPlaybookJsonSchema() as JsonSchema

/** A playbook's spec as YAML or JSON. It is saved as it was written: the defaults are those of the backend that runs it. */
const playbookSpecRule = z.string().transform((text, context): Record<string, unknown> => {
  const { spec, problem, locate } = readSpecText(text)
  const refuse = (message: string): never => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  if (spec === null) return refuse(`Line ${problem?.line}: ${problem?.message}`)
  if (Object.keys(spec).length === 0) return refuse('This field is required')
  const [issue] = PlaybookSpecSchema.safeParse(spec).error?.issues ?? []
  if (issue === undefined) return { ...spec }
  const path = issue.path.filter((key) => typeof key !== 'symbol')
  return refuse(`Line ${locate(path).line}: ${[path.join('.'), issue.message].filter(Boolean).join(': ')}`)
})

export const PlaybookFormSchema = z.object({
  title: requiredText,
  category: z.string().trim(),
  description: z.string().trim(),
  icon: z.string().trim(),
  spec: playbookSpecRule,
})
export type PlaybookFields = z.input<typeof PlaybookFormSchema>
export type PlaybookForm = z.output<typeof PlaybookFormSchema>

export const NEW_PLAYBOOK: PlaybookFields = {
  title: '',
  category: '',
  description: '',
  icon: '',
  spec: `actions:
  - name: hello
    exec:
      script: echo "Hello"
`,
}

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
