import { uuidV7 } from './uuidV7.ts'

/** 0 ≤ x < 1, with 32 random bits. */
export function cryptographicRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
}

/** An id for a row that this browser creates. `crypto.randomUUID` does not exist on plain http. */
export function newId(): string {
  return uuidV7(Date.now(), cryptographicRandom)
}
