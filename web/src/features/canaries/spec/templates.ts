import type { CheckType } from '@watchroom/shared/health/check-types'

/** What a new check begins with: the field that says what is checked, empty. */
export const NEW_CHECKS: Readonly<Record<CheckType, Readonly<Record<string, unknown>>>> = {
  http: { url: '' },
  tcp: { endpoint: '' },
  dns: { query: '' },
  icmp: { endpoint: '' },
  exec: { script: '' },
  folder: { path: '' },
  postgres: { url: '' },
  redis: { addr: '' },
  self: { probe: '' },
  alertmanager: { url: '' },
  elasticsearch: { url: '', index: '', query: '' },
  mongodb: { url: '' },
}
