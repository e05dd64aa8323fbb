import type { ExpandedCheck } from '@watchroom/shared/health/check-types'

/** What the definition of a check says of it, named as the columns of `checks` and as agents push them. */
export interface CheckColumns {
  readonly type: string
  readonly name: string
  readonly namespace: string
  readonly description: string | null
  readonly icon: string | null
  readonly spec: unknown
  readonly labels: Record<string, string>
  readonly owner: string | null
  readonly severity: string | null
}

export function toCheckColumns(check: ExpandedCheck, namespace: string): CheckColumns {
  const { type, name, description, icon, spec, labels, owner, severity } = check
  return { type, name, namespace, description, icon, spec, labels, owner, severity }
}
