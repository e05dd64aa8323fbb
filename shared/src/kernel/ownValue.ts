/**
 * What a plain object itself holds under a key that someone else chose: a label, a word of an address, a type on the wire.
 * Square brackets would also find what every object inherits (`constructor`, `__proto__`, `toString`).
 */
export function ownValue<Value>(
  record: { readonly [key: string]: Value } | null | undefined,
  key: string,
): Value | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined
}
