import { toLabelKey, tryParseLabelKey } from '@watchroom/shared/catalog'

import { parseThreeWay, stringifyThreeWay, type ThreeWayChoice, type ThreeWayFilter } from '../../url/threeWay.ts'

/** A label or tag that is required or excluded. */
export interface PairChoice {
  readonly key: string
  readonly value: string
  readonly choice: ThreeWayChoice
}

// Commas separate the entries, so they are escaped in values, as everywhere in URLs.
const encode = (text: string): string => text.replaceAll(',', '||||')
const decode = (text: string): string => text.replaceAll('||||', ',')

/** Reads `key__:__value,!key__:__other`; invalid pairs are dropped. */
export function parseLabels(text: string): PairChoice[] {
  return text.split(',').flatMap((entry): PairChoice[] => {
    const isExcluded = entry.startsWith('!')
    const pair = tryParseLabelKey(decode(isExcluded ? entry.slice(1) : entry))
    return pair === null ? [] : [{ ...pair, choice: isExcluded ? -1 : 1 }]
  })
}

export const stringifyLabels = (pairs: readonly PairChoice[]): string =>
  pairs.map(({ key, value, choice }) => `${choice === -1 ? '!' : ''}${encode(toLabelKey(key, value))}`).join()

/** Tags stand in three-way filters as `key:value`; the first colon ends the key. */
export function parseTags(text: string): PairChoice[] {
  return Array.from(parseThreeWay(text)).flatMap(([pair, choice]): PairChoice[] => {
    const at = pair.indexOf(':')
    return at <= 0 ? [] : [{ key: pair.slice(0, at), value: pair.slice(at + 1), choice }]
  })
}

export const stringifyTags = (pairs: readonly PairChoice[]): string =>
  stringifyThreeWay(new Map(pairs.map(({ key, value, choice }) => [`${key}:${value}`, choice])))

/** Pairs as a filter; the last choice for a pair wins. */
export const toPairFilter = (pairs: readonly PairChoice[]): ThreeWayFilter =>
  new Map(pairs.map(({ key, value, choice }) => [toLabelKey(key, value), choice]))

export const fromPairFilter = (filter: ThreeWayFilter): PairChoice[] =>
  Array.from(filter).flatMap(([text, choice]) => {
    const pair = tryParseLabelKey(text)
    return pair === null ? [] : [{ ...pair, choice }]
  })

/** Values by key: any of the wanted ones, none of the others. */
export function byKey(pairs: readonly PairChoice[]): Map<string, { wanted: string[]; unwanted: string[] }> {
  const keys = new Map<string, { wanted: string[]; unwanted: string[] }>()
  for (const { key, value, choice } of pairs) {
    const values = keys.get(key) ?? { wanted: [], unwanted: [] }
    keys.set(key, values)
    ;(choice === 1 ? values.wanted : values.unwanted).push(value)
  }
  return keys
}
