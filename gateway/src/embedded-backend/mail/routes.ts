// The outbox, for administrators.
import { MAIL_ROUTES } from '@watchroom/shared/access'
import { OutboxSchema } from '@watchroom/shared/people'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { Principal } from '../server/principal.ts'
import type { MailService } from './createMailer.ts'

export async function mailRoutes(app: FastifyInstance, { mailer }: { readonly mailer: MailService }): Promise<void> {
  const routes = {
    listMails: defineBackendRoute({
      rule: MAIL_ROUTES.listMails,
      response: OutboxSchema,
      handle: async () => ({ isKept: mailer.kind === 'outbox', mails: await mailer.list() }),
    }),
    retryMail: defineBackendRoute({
      rule: MAIL_ROUTES.retryMail,
      params: z.object({ id: z.guid() }),
      response: 'empty',
      handle: async ({ params }) => {
        if (!(await mailer.retry(params.id))) throw new Refusal(404, { error: 'There is no such mail to send' })
      },
    }),
  } satisfies RouteTable<typeof MAIL_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
