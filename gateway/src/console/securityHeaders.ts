import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/** What a Host header looks like; anything else must not reach the policy, where `;` begins another directive. */
const HOST = /^[\w.[\]:-]+$/

/** Two years, the least that browsers' own lists ask for. */
const HSTS_MAX_AGE_S = 63_072_000

/** Browser features that nothing here uses. Copying to the clipboard and full screen stay. */
const PERMISSIONS_POLICY = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'serial', 'midi']
  .map((feature) => `${feature}=()`)
  .join(', ')

/**
 * Tells browsers to load nothing but our own files and to let nobody frame us.
 * The client needs no exception: React and Blueprint set styles through the object model, which the policy does not govern.
 */
export const securityHeaders = fastifyPlugin(async (app: FastifyInstance) => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        manifestSrc: ["'self'"],
        // Some browsers do not count the WebSocket schemes of the same host as 'self'.
        connectSrc: ["'self'", (request) => socketSource(request.headers.host)],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Sent below, and only where it is true.
    strictTransportSecurity: false,
    // Path and query of a page name what someone investigates.
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('permissions-policy', PERMISSIONS_POLICY)
    if (request.protocol === 'https') void reply.header('strict-transport-security', `max-age=${HSTS_MAX_AGE_S}`)
  })
})

function socketSource(host: string | undefined): string {
  return host !== undefined && HOST.test(host) ? `ws://${host} wss://${host}` : "'self'"
}
