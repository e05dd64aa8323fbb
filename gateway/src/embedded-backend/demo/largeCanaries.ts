// 10,000 checks for load work: real runs, but cheap and rare ones.
import type { CanarySpec } from '@watchroom/shared/health/check-types'

import type { Service } from './behavior.ts'
import type { CanarySeed } from './seedCanaries.ts'

export const LARGE_CANARIES = 200
const CHECKS_PER_CANARY = 50
const INTERVAL_S = 300
/** Each tenth check is an HTTP request to the target, the others ask the process itself. */
const HTTP_EVERY = 10
/** Each this many services of the target is down. */
const FAILING_EVERY = 20
/** Namespaces. */
export const LARGE_GROUP_AREAS = 20
export const LARGE_TEAMS = ['north', 'south', 'east', 'west', 'center']
const TIERS = ['web', 'service', 'data', 'edge']

const pad = (number: number, digits: number): string => String(number).padStart(digits, '0')
const pathOf = (canary: number, check: number): string => `/large/${pad(canary, 3)}/${pad(check, 2)}`

export const largeArea = (canary: number): string => `area-${pad(canary % LARGE_GROUP_AREAS, 2)}`
export const largeCheck = (canary: number, check: number): string => `check ${pad(canary, 3)}-${pad(check, 2)}`

/** Services of the target for the checks of `largeCanaries`, by path. */
export function largeServices(): Map<string, Service> {
  const services = new Map<string, Service>()
  for (let canary = 0; canary < LARGE_CANARIES; canary++) {
    for (let check = 0; check < CHECKS_PER_CANARY; check += HTTP_EVERY) {
      const seed = canary * CHECKS_PER_CANARY + check
      const isFailing = (seed / HTTP_EVERY) % FAILING_EVERY === 0
      services.set(pathOf(canary, check), {
        behavior: isFailing ? 'failing' : 'steady',
        usualMs: 5 + (seed % 40),
        seed,
      })
    }
  }
  return services
}

function toSpec(canary: number, targetUrl: string): CanarySpec {
  const checks = Array.from({ length: CHECKS_PER_CANARY }, (_, check) => check)
  const common = (check: number): { name: string; labels: Record<string, string> } => ({
    name: largeCheck(canary, check),
    labels: { tier: TIERS[check % TIERS.length] ?? 'web' },
  })
  return {
    interval: INTERVAL_S,
    self: checks
      .filter((check) => check % HTTP_EVERY !== 0)
      .map((check) => ({ ...common(check), probe: 'build-info' as const })),
    http: checks
      .filter((check) => check % HTTP_EVERY === 0)
      .map((check) => ({ ...common(check), url: `${targetUrl}${pathOf(canary, check)}`, timeout: '5s' })),
  }
}

export function largeCanaries(targetUrl: string): CanarySeed[] {
  return Array.from({ length: LARGE_CANARIES }, (_, canary) => ({
    name: `group ${pad(canary, 3)}`,
    namespace: largeArea(canary),
    source: 'demo',
    labels: { demo: 'true', team: LARGE_TEAMS[canary % LARGE_TEAMS.length] ?? 'north' },
    spec: toSpec(canary, targetUrl),
  }))
}
