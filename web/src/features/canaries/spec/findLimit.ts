// What the product's own runner cannot do, said in the form before it says so in a result. Other backends can: nothing of it
// keeps anyone from saving.
import type { CheckType } from '@watchroom/shared/health/check-types'

import type { CheckField } from './checkFields.ts'
import { CHECK_FORMS } from './checkForms.ts'
import { tryReadCredential } from './credential.ts'
import { LANGUAGES, tryReadTemplate } from './template.ts'

const FAILS = 'On Watchroom’s own runner this check fails and says why.'

/** For a type without a runner. */
export const describeNoRunner = (type: CheckType): string =>
  `Watchroom’s own runner and agents don’t run ${CHECK_FORMS[type].title} checks and say so in each result. Backends that support them do.`

/** Undefined when the runner can do what the field asks for. */
export function findLimit({ key, kind }: CheckField, value: unknown): string | undefined {
  if (kind === 'credential') {
    const source = tryReadCredential(value)?.source ?? 'value'
    return source === 'value' ? undefined : `Read by a backend in the cluster. ${FAILS}`
  }
  if (kind === 'pairs' && Array.isArray(value)) {
    const isElsewhere = value.some((row: unknown) => typeof row === 'object' && row !== null && 'valueFrom' in row)
    return isElsewhere ? `Secrets and config maps are read by a backend in the cluster. ${FAILS}` : undefined
  }
  if (kind !== 'template') return undefined
  const language = tryReadTemplate(value)?.kind ?? null
  if (language === null) return undefined
  if (key === 'transform') return `Done by other backends. ${FAILS}`
  return language === 'expr' ? undefined : `${LANGUAGES[language]} is evaluated by other backends. ${FAILS}`
}
