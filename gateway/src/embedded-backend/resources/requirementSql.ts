// One condition of a selector as SQL; what someone wrote is a parameter.
import type { Requirement } from '@watchroom/shared/resources'

/** Takes a value as a parameter of the statement. @returns its placeholder */
export type Bind = (value: unknown) => string

/** @param labels an expression of JSON; absent where there are none */
export const ofLabels = (labels: string | undefined, requirement: Requirement, bind: Bind): string =>
  compareRequirement(
    labels === undefined ? 'null::text' : `(${labels} ->> ${bind(requirement.key)}::text)`,
    requirement,
    bind,
  )

export function compareRequirement(value: string, { operator, values }: Requirement, bind: Bind): string {
  switch (operator) {
    case 'in':
      return `${value} = any(${bind(values)}::text[])`
    case 'not-in':
      return `coalesce(${value} <> all(${bind(values)}::text[]), true)`
    case 'exists':
      return `${value} is not null`
    case 'absent':
      return `${value} is null`
  }
}
