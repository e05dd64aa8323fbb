import { createDefineRoute, type RoutePolicy } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { Principal } from './principal.ts'

export const defineBackendRoute = createDefineRoute<Principal>()

/** `buildServer` asked who calls, and whether they may, before any route: also about paths that do not exist. */
export const BACKEND_POLICY: RoutePolicy<Principal> = {
  admit: ({ principal }) => principal,
  toError: ({ message }) => new Refusal(400, { error: message }),
}
