import { TEMPLATE_KINDS, type TemplateKind } from '@watchroom/shared/health/check-types'

/** Languages in the words of the third specification, section 9. */
export const LANGUAGES: Readonly<Record<TemplateKind, string>> = {
  template: 'Go Template',
  javascript: 'Javascript',
  expr: 'Expr',
  jsonPath: 'JSONPath',
}

export interface WrittenTemplate {
  /** Null: there is none. */
  readonly kind: TemplateKind | null
  readonly text: string
}

export const NO_TEMPLATE: WrittenTemplate = { kind: null, text: '' }

/** Null when the form could not show it without losing a part. */
export function tryReadTemplate(written: unknown): WrittenTemplate | null {
  if (written === undefined || written === null) return NO_TEMPLATE
  if (typeof written !== 'object') return null
  const [first, ...others] = Object.entries(written as Record<string, unknown>)
  if (first === undefined) return NO_TEMPLATE
  const kind = TEMPLATE_KINDS.find((known) => known === first[0])
  if (kind === undefined || typeof first[1] !== 'string' || others.length > 0) return null
  return { kind, text: first[1] }
}
