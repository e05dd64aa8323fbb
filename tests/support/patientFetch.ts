import { Agent, fetch } from 'undici'

/**
 * A process that is kept from its turn for ten seconds takes what it had no time to connect for unreachable. How long an answer may
 * take is the business of whoever asks.
 */
const patient = new Agent({ connect: { timeout: 120_000 } })

export const patientFetch: typeof fetch = (input, init) => fetch(input, { dispatcher: patient, ...init })
