// What the sign-in page of a demo offers: the accounts and their password, to a browser on this machine and to nobody else.
import { DEMO_ROUTES, ROLES } from '@watchroom/shared/access'
import { DemoOfferSchema } from '@watchroom/shared/identity'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Identity } from '../access/contract.ts'
import { createDefineRoute, registerRoutes, type RoutePolicy, type RouteTable } from '../platform/http/defineRoute.ts'
import { isLoopback } from '../platform/plainAddress.ts'

export interface DemoOptions {
  /** Of the demo's accounts; null while there is no demo, or where it may be seen from elsewhere. */
  readonly password: () => string | null
  readonly policy: RoutePolicy<Identity>
}

const defineRoute = createDefineRoute<Identity>()

/** Whoever speaks for someone else says so in one of these. */
const FORWARDING = /^(?:x-forwarded-|forwarded$|via$|x-real-ip$|x-client-ip$|true-client-ip$|cf-)/

export async function demoPlugin(app: FastifyInstance, options: DemoOptions): Promise<void> {
  const routes = {
    // A POST, because browsers then say which page asks: behind a proxy that says nothing itself, that is not one of this machine.
    readDemo: defineRoute({
      rule: DEMO_ROUTES.readDemo,
      response: DemoOfferSchema,
      handle: ({ request }) => {
        const password = isBrowserHere(request) ? options.password() : null
        if (password === null) return { demo: null }
        return { demo: { password, accounts: ROLES.map((role) => ({ role, email: `${role}@demo.watchroom.local` })) } }
      },
    }),
  } satisfies RouteTable<typeof DEMO_ROUTES, Identity>
  registerRoutes(app, routes, options.policy)
}

function isBrowserHere(request: FastifyRequest): boolean {
  const { headers, socket, httpVersion } = request.raw
  if (!isLoopback(socket.remoteAddress ?? '') || Object.keys(headers).some((name) => FORWARDING.test(name)))
    return false
  // Proxies that add nothing to a request often speak the old version; browsers never do.
  if (httpVersion === '1.0' || headers.origin === undefined || !URL.canParse(headers.origin)) return false
  const page = new URL(headers.origin)
  return (
    page.protocol === 'http:' && page.host === headers.host && isLoopback(page.hostname.replace(/^\[(.*)\]$/, '$1'))
  )
}
