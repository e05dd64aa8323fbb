// The built web client: files, and its page for every path that a person navigates to.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import fastifyStatic from '@fastify/static'
import { CONSOLE_ROUTES } from '@watchroom/shared/access'
import { ReleaseSchema } from '@watchroom/shared/wall'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { Identity } from '../access/contract.ts'
import { gzip, isCompressible } from '../platform/compress.ts'
import { CodedError } from '../platform/errors.ts'
import { createDefineRoute, registerRoutes, type RoutePolicy, type RouteTable } from '../platform/http/defineRoute.ts'
import { consoleErrors } from './errors.ts'
import { MISSING_CLIENT_PAGE } from './missingClientPage.ts'
import { readRelease } from './release.ts'

const INDEX = 'index.html'
/** Below it the build writes pages of single addresses, which name the scripts that these are going to need. */
const PAGES = 'pages'
/** The build puts a hash of the content into these names, so a browser may keep them for good. */
const HASHED = '/assets/'
const IMMUTABLE = 'public, max-age=31536000, immutable'
/** Asked for again each time, answered 304 while unchanged. */
const REVALIDATE = 'no-cache'

/** Paths of programs: a typing error there is a 404, not the page. */
const NOT_PAGES = ['/api/', '/gateway/', '/socket.io/', '/collab/', HASHED]

export interface ConsoleOptions {
  /** Directory of the built client. May be missing: a page then says how to build it. */
  readonly webRoot: string
  readonly policy: RoutePolicy<Identity>
}

const defineRoute = createDefineRoute<Identity>()

export async function consolePlugin(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  await app.register(fastifyStatic, {
    root: options.webRoot,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    index: false,
    redirect: false,
  })
  app.addHook('onSend', compressFiles)

  const sendPage = (request: FastifyRequest, reply: FastifyReply): void => {
    if (existsSync(join(options.webRoot, INDEX))) {
      const page = pagesOf(pathOf(request)).find((file) => existsSync(join(options.webRoot, file)))
      void reply
        .code(200)
        .headers({ 'cache-control': REVALIDATE, vary: 'accept-encoding' })
        .sendFile(page ?? INDEX)
    } else {
      void reply
        .code(503)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(MISSING_CLIENT_PAGE)
    }
  }

  const routes = {
    home: defineRoute({
      rule: CONSOLE_ROUTES.home,
      response: 'own',
      handle: ({ request, reply }) => sendPage(request, reply),
    }),
    release: defineRoute({
      rule: CONSOLE_ROUTES.release,
      response: ReleaseSchema,
      handle: () => readRelease(options.webRoot),
    }),
    oldCatalog: defineRoute({
      rule: CONSOLE_ROUTES.oldCatalog,
      response: 'own',
      handle: ({ request, reply }) => {
        void reply
          .removeHeader('cache-control')
          .redirect((request.raw.url ?? '').replace(/^\/config\//, '/catalog/'), 308)
      },
    }),
    file: defineRoute({
      rule: CONSOLE_ROUTES.file,
      params: z.object({ '*': z.string() }),
      response: 'own',
      handle: ({ params, reply }) => {
        const path = `/${params['*']}`
        void reply
          .headers({ 'cache-control': path.startsWith(HASHED) ? IMMUTABLE : REVALIDATE, vary: 'accept-encoding' })
          .sendFile(path)
      },
    }),
  } satisfies RouteTable<typeof CONSOLE_ROUTES, Identity>
  registerRoutes(app, routes, options.policy)

  app.setNotFoundHandler((request, reply) => {
    if (isNavigation(request)) {
      sendPage(request, reply)
      return
    }
    void reply.removeHeader('vary')
    throw new CodedError(consoleErrors.CONSOLE_NOTHING_HERE)
  })
}

const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?', 1)[0] ?? ''

/** Files that may be the page of an address, best first: `/incidents/1` has `pages/incidents/$id.html`. */
function pagesOf(path: string): string[] {
  if (!/^[\w/-]*$/.test(path)) return []
  const [area = 'index', id, ...below] = path.split('/').filter(Boolean)
  if (id === undefined) return [`${PAGES}/${area}.html`]
  return [
    [area, id, ...below],
    [area, '$id', ...below],
  ].map((parts) => `${PAGES}/${parts.join('/')}.html`)
}

/** A person opens a page; a script, an image or a program asks for something else. */
function isNavigation(request: FastifyRequest): boolean {
  const path = pathOf(request)
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    (request.headers.accept ?? '').includes('text/html') &&
    !NOT_PAGES.some((prefix) => path.startsWith(prefix))
  )
}

/** The build compresses what it writes; a client from elsewhere is compressed on the way. */
async function compressFiles(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (!(payload instanceof Readable) || reply.statusCode !== 200) return payload
  if (!isCompressible({ acceptEncoding: request.headers['accept-encoding'], headers: reply.getHeaders() }))
    return payload
  void reply.removeHeader('content-length').header('content-encoding', 'gzip')
  return gzip(payload)
}
