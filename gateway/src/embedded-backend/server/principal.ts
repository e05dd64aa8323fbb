import type { Role } from '@watchroom/shared/access'

import type { KnownAgent } from '../agents/createAgentService.ts'

/** Who makes a request, once that is known. */
export interface Principal {
  /** `service` is the gateway itself: it acts with an administrator's rights for nobody in particular. */
  readonly kind: 'person' | 'service' | 'agent'
  /** Person id, an agent's included; NIL_UUID for the service. */
  readonly id: string
  readonly email: string
  readonly name: string
  readonly roles: readonly Role[]
  /** As they are in the database, names unknown to the console included. */
  readonly roleNames: readonly string[]
  /** The service that speaks for someone with this role: it may do what they may, and nothing of its own. */
  readonly actsAs?: Role
  /** A person's access token speaks for them, perhaps with less than their role. */
  readonly token?: {
    /** Never when null. */
    readonly expiresAt: Date | null
  }
  /** Of kind `agent` alone. */
  readonly agent?: KnownAgent
}

/** The gateway in its own name, which may write what no person may. */
export const isService = ({ kind, actsAs }: Principal): boolean => kind === 'service' && actsAs === undefined

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler of every route that is not public. */
    principal: Principal | null
  }
}
