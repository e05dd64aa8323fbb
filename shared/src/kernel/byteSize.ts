import { ownValue } from './ownValue.ts'

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
  t: 1e12,
  tb: 1e12,
  ki: 2 ** 10,
  kib: 2 ** 10,
  mi: 2 ** 20,
  mib: 2 ** 20,
  gi: 2 ** 30,
  gib: 2 ** 30,
  ti: 2 ** 40,
  tib: 2 ** 40,
}

/** Bytes of a text such as `500`, `10MB` (1000) or `1.5Gi` (1024); null when it is not a size. */
export function tryParseByteSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s?([a-z]*)$/i.exec(text.trim())
  const unit = ownValue(UNITS, match?.[2]?.toLowerCase() ?? '?')
  return match && unit !== undefined ? Math.round(Number(match[1]) * unit) : null
}

/** Size for people, in units of 1024: `512 B`, `1.5 GiB`. */
export function formatByteSize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes
  let unit = 0
  // After rounding, so that a byte less than 1 GiB does not read as 1024 MiB.
  while (Number(value.toFixed(1)) >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${Number(value.toFixed(1))} ${units[unit]}`
}
