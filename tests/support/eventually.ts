import { vi } from 'vitest'

/** Longer than the slowest machine takes for anything that comes soon: what fails is told later, and never by a busy machine. */
const PATIENCE_MS = 20_000
const INTERVAL_MS = 20

/**
 * Tries until it passes, where something outside has to happen first. Vitest's own wait gives up after one second.
 *
 * @returns what `check` returns
 * @throws what `check` threw last
 */
export function eventually<Value>(
  check: () => Value | Promise<Value>,
  { timeout = PATIENCE_MS, interval = INTERVAL_MS }: { timeout?: number; interval?: number } = {},
): Promise<Value> {
  return vi.waitFor(check, { timeout, interval })
}
