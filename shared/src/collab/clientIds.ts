/** Client ids of seeds lie above this (DOC-6). */
const SEED_CLIENT_ID_FLOOR = 2 ** 31

/** Under which the server writes what others did through the backend. No browser may use it (COLLAB-11). */
export const SERVER_CLIENT_ID = SEED_CLIENT_ID_FLOOR - 1

/** Client id for first content: another one for other content. */
export function toSeedClientId(content: unknown): number {
  return SEED_CLIENT_ID_FLOOR + (hash(JSON.stringify(content)) % SEED_CLIENT_ID_FLOOR)
}

/** FNV-1a, 32 bit: spreads seeds over the id range; not a secret. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value ^= text.charCodeAt(index)
    value = Math.imul(value, 0x01000193)
  }
  return value >>> 0
}
