// `GET /kubeconfig`: how kubectl reaches the cluster behind this address with the rights of whoever downloads it (backend reference 4.11).
import { randomUUID } from 'node:crypto'

import { KUBECONFIG_ROUTES } from '@watchroom/shared/access'
import type { FastifyInstance } from 'fastify'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'
import type { TokenService } from './createTokenService.ts'

interface KubeconfigDeps {
  readonly context: Pick<BackendContext, 'clock' | 'options'>
  readonly tokens: TokenService
}

export async function kubeconfigRoutes(app: FastifyInstance, { context, tokens }: KubeconfigDeps): Promise<void> {
  const { hostname, origin } = new URL(context.options.publicUrl)
  const routes = {
    download: defineBackendRoute({
      rule: KUBECONFIG_ROUTES.download,
      response: 'own',
      handle: async ({ caller, request, reply }) => {
        // A script that could make tokens would outlive the one that it was given.
        if (caller.kind !== 'person' || caller.token !== undefined) {
          throw new Refusal(403, { error: 'Sign in to download a kubeconfig.' })
        }
        // Another site's link would leave a token behind that nobody asked for.
        if (request.headers['sec-fetch-site'] === 'cross-site') {
          throw new Refusal(403, { error: 'Open the download from Watchroom.' })
        }
        const day = new Date(context.clock.now()).toISOString().slice(0, 10)
        const name = `kubeconfig ${day} ${randomUUID().slice(0, 8)}`
        const made = await tokens.create({ ownerId: caller.id, name, role: null, expiresAt: null })
        if (made === null) throw new Refusal(409, { error: 'You have too many access tokens: revoke one first.' })
        return reply
          .type('text/yaml')
          .header('content-disposition', `attachment; filename=${hostname}-kubeconfig.yaml`)
          .header('cache-control', 'no-store')
          .send(
            toKubeconfig({
              cluster: `mission-control-${hostname}`,
              server: `${origin}/api/kubeproxy`,
              token: made.token,
            }),
          )
      },
    }),
  } satisfies RouteTable<typeof KUBECONFIG_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}

/** JSON strings are YAML strings: whatever the address holds, it stays one value. */
function toKubeconfig(values: { cluster: string; server: string; token: string }): string {
  const cluster = JSON.stringify(values.cluster)
  return `apiVersion: v1
kind: Config
clusters:
- cluster:
    server: ${JSON.stringify(values.server)}
  name: ${cluster}
contexts:
- context:
    cluster: ${cluster}
    user: default-user
  name: default
current-context: default
users:
- name: default-user
  user:
    username: "token"
    password: ${JSON.stringify(values.token)}
`
}
