// Tells the backend who is present when someone confirms a dangerous step: two people have to be on the page of its run.
import { PLAYBOOK_ROUTES, type RouteRule } from '@watchroom/shared/access'
import type { FastifyRequest } from 'fastify'

import { PRESENT_HEADER } from '../platform/backendCaller.ts'
import type { PagePresence } from '../presence/contract.ts'

/** Headers are short: a person has few runs open, and a step asks for two people. */
const MAX_RUNS = 8
const MAX_PEOPLE = 24

export const createPresentHeader =
  (presence: Pick<PagePresence, 'companyOf'>) =>
  ({ identity }: FastifyRequest, { path }: RouteRule): Readonly<Record<string, string>> => {
    if (path !== PLAYBOOK_ROUTES.confirm.path || !identity) return {}
    const { userId } = identity
    const runs = presence.companyOf('playbook_runs', userId).slice(0, MAX_RUNS)
    const people = runs.map(([id, all]) => [
      id,
      [userId, ...all.filter((other) => other !== userId)].slice(0, MAX_PEOPLE),
    ])
    return { [PRESENT_HEADER]: JSON.stringify(Object.fromEntries(people)) }
  }
