/**
 * A UUID of version 7 (RFC 9562, 5.7): sorts by creation time, so that new rows stay together.
 *
 * @param now milliseconds since the epoch
 * @param random 0 ≤ x < 1, with 32 random bits; cryptographic, because ids from different browsers must not collide
 */
export function uuidV7(now: number, random: () => number): string {
  const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0')
  const bits = (count: number): number => Math.floor(random() * 2 ** count)
  // The estimated server time has fractions, and a dot in an id would be refused by the database.
  const time = hex(Math.floor(now), 12)
  const variant = hex(0x8000 | bits(14), 4)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(bits(12), 3)}-${variant}-${hex(bits(24), 6)}${hex(bits(24), 6)}`
}
