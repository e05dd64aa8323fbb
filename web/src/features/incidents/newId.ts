import { uuidV7 } from '../../collab/uuidV7.ts'

/** An id for a row that this browser makes. `crypto.randomUUID` does not exist on plain http. */
export function newId(): string {
  return uuidV7(Date.now(), () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32)
}
