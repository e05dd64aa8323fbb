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

/** The same of what a map has under a key. What lacks the key is not unknown: it has none of the unwanted values. */
export function ofKeyWords(value: string, { excluded, ...wanted }: WordFilter, bind: Bind): string[] {
  return [
    ...ofWords(value, { ...wanted, excluded: [] }, bind),
    ...(excluded.length === 0 ? [] : [`(${value} is null or ${value} <> all(${bind(excluded)}::text[]))`]),
  ]
}

const toLike = (pattern: string): string => pattern.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '%')
