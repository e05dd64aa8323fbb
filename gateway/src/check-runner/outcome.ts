import type { CheckOutcome } from './contract.ts'

type Details = Record<string, unknown>

export function passed(durationMs: number, message: string, details?: Details): CheckOutcome {
  return { passed: true, durationMs, message, ...(details && { details }) }
}

export function notPassed(durationMs: number, error: string, details?: Details): CheckOutcome {
  return { passed: false, durationMs, error, ...(details && { details }) }
}

/** The check could not be executed as it is defined, or not on this machine. */
export function invalid(durationMs: number, error: string): CheckOutcome {
  return { passed: false, invalid: true, durationMs, error }
}

/** The connection it names was not looked up. */
export const NO_ADDRESS = 'the check has no address'

/** Passes when there are no faults. */
export function judged(durationMs: number, faults: readonly string[], message: string, details: Details): CheckOutcome {
  if (faults.length === 0) return passed(durationMs, message, details)
  return { ...notPassed(durationMs, faults.join('; '), details), message }
}
