import { type ConfigChange, severitiesFrom, tryParseSeverity } from '@watchroom/shared/catalog'

import { parseThreeWay, stringifyThreeWay, type ThreeWayChoice } from '../../url/threeWay.ts'
import { type ChangeSearch, readTypes, writeTypes } from './search.ts'

/** A value of a row that the list can be filtered by. */
export interface CellFilter {
  /** Of the column. */
  readonly key: string
  readonly title: string
  /** As people read it. */
  readonly text: string
  /** What the filter matches, if that is more than the value. */
  readonly wanted?: string
  readonly canExclude: boolean
  /** The address with only this, or without it. */
  readonly toPatch: (search: ChangeSearch, choice: ThreeWayChoice) => Partial<ChangeSearch>
}

type ThreeWayKey = 'id' | 'summary' | 'source' | 'external_created_by' | 'changeType'

/** "Only this" replaces what was included; "not this" keeps other choices. */
const withValue = (current: ReadonlyMap<string, ThreeWayChoice>, value: string, choice: ThreeWayChoice) =>
  new Map([
    ...[...current].filter(([other, kept]) => other !== value && (choice === -1 || kept === -1)),
    [value, choice],
  ])

const threeWay = (
  column: string,
  title: string,
  key: ThreeWayKey,
  value: string | null | undefined,
  text = value ?? '',
): CellFilter[] =>
  value
    ? [
        {
          key: column,
          title,
          text,
          canExclude: true,
          toPatch: (search, choice) => ({
            [key]: stringifyThreeWay(withValue(parseThreeWay(search[key]), value, choice)),
            ...(key === 'external_created_by' ? { created_by: '' } : {}),
            page: 1,
          }),
        },
      ]
    : []

/** @param personOf name of the account that made a change */
export function toCellFilters(
  change: ConfigChange,
  personOf: (id: string) => string | undefined,
): readonly CellFilter[] {
  const { type, severity, created_by: personId } = change
  return [
    ...threeWay('name', 'Item', 'id', change.config_id, change.name ?? change.config_id),
    ...ofType(type),
    ...threeWay('change_type', 'Change', 'changeType', change.change_type),
    ...(severity
      ? [
          {
            key: 'severity',
            title: 'Severity',
            text: severity,
            ...(isWorst(severity) ? {} : { wanted: `${severity} or worse` }),
            canExclude: true,
            toPatch: (_search: ChangeSearch, choice: ThreeWayChoice) => ({
              severity: choice === 1 ? severity : `!${severity}`,
              page: 1,
            }),
          },
        ]
      : []),
    ...threeWay('summary', 'Summary', 'summary', change.summary),
    ...threeWay('source', 'Source', 'source', change.source),
    ...(personId
      ? [
          {
            key: 'by',
            title: 'By',
            text: personOf(personId) ?? personId,
            // The backend cannot filter for everyone else.
            canExclude: false,
            toPatch: () => ({ created_by: personId, external_created_by: '', page: 1 }),
          },
        ]
      : threeWay('by', 'By', 'external_created_by', change.external_created_by)),
  ]
}

/** Unknown severities match only themselves. */
function isWorst(word: string): boolean {
  const severity = tryParseSeverity(word)
  return severity === null || severitiesFrom(severity).length === 1
}

const ofType = (type: string | null | undefined): CellFilter[] =>
  type
    ? [
        {
          key: 'type',
          title: 'Type',
          text: type,
          canExclude: true,
          toPatch: (search, choice) => ({
            configTypes: writeTypes(withValue(readTypes(search), type, choice)),
            configType: '',
            page: 1,
          }),
        },
      ]
    : []
