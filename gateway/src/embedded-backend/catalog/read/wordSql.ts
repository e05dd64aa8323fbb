import type { WordFilter } from '@watchroom/shared/catalog'

import type { Bind } from '../../resources/requirementSql.ts'

/** What `matchesWordFilter` says of a value, as SQL: what is empty is neither wanted nor unwanted. */
export function ofWords(column: string, { included, excluded, patterns }: WordFilter, bind: Bind): string[] {
  return [
    ...(included.length === 0 ? [] : [`${column} = any(${bind(included)}::text[])`]),
    ...(excluded.length === 0 ? [] : [`${column} <> all(${bind(excluded)}::text[])`]),
    ...patterns.map((pattern) => `${column} like ${bind(toLike(pattern))}`),
    ...(excluded.length + patterns.length === 0 ? [] : [`${column} <> ''`]),
  ]
}

const toLike = (pattern: string): string => pattern.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '%')
