// Runs that other programs start. The playbook says how they prove themselves.
import type { IncomingHttpHeaders } from 'node:http'

import { PLAYBOOK_ROUTES } from '@watchroom/shared/access'
import { type PlaybookSpec, PlaybookSpecSchema } from '@watchroom/shared/playbooks'
import { z } from 'zod'

import { isTooDeep } from '../../platform/jsonDepth.ts'
import { defineBackendRoute } from '../server/backendPolicy.ts'
import { authenticateWebhook, type WebhookAuthentication } from './authenticateWebhook.ts'
import type { PlaybookRow } from './createRuns.ts'
import { MessageSchema, type PlaybookRoutesDeps, refuse } from './requests.ts'

/** Headers of a webhook that a run may look at: whatever proves the caller stays here. */
const KEPT_HEADER = /^(?:content-type|user-agent|x-github-(?:event|delivery)|svix-id)$/

/** JSON where it is some, else the text. */
function toContent(body: string): unknown {
  if (isTooDeep(Buffer.from(body))) return body
  try {
    return JSON.parse(body) as unknown
  } catch {
    return body
  }
}

/** Of a message whose signature is of it, too; null for any other. */
function findMessageId({ basic, github, svix }: WebhookAuthentication, headers: IncomingHttpHeaders): string | null {
  return svix && !basic && !github ? String(headers['svix-id']) : null
}

/** Takes the body as a text: signatures are of what came. */
export function webhookRoute({ context, playbooks }: PlaybookRoutesDeps) {
  const { pool, clock, vault, logger } = context
  const { runs, callers } = playbooks
  /** Signed messages that are being taken. */
  const taking = new Map<string, Promise<void>>()

  /** Signed messages carry an id: one that was not answered in time is sent again, or by whoever overheard it. */
  const hasRun = async (playbookId: string, messageId: string): Promise<boolean> => {
    const { rowCount } = await pool.query(
      `select from playbook_runs
       where playbook_id = $1 and created_at > now() - interval '1 day' and request -> 'headers' ->> 'svix-id' = $2 limit 1`,
      [playbookId, messageId],
    )
    return rowCount === 1
  }

  /** Who sends a message again while it is taken gets the same answer: one that fails is sent once more. */
  const takeOnce = (playbookId: string, messageId: string, start: () => Promise<void>): Promise<void> => {
    const key = `${playbookId} ${messageId}`
    const taken =
      taking.get(key) ??
      (async () => {
        if (!(await hasRun(playbookId, messageId))) await start()
      })().finally(() => taking.delete(key))
    taking.set(key, taken)
    return taken
  }

  /** Nobody whose keys cannot be read is let in. */
  const isSigned = async (token: string, keysUrl: string): Promise<boolean> => {
    try {
      return await callers.isSigned(token, keysUrl)
    } catch (error) {
      logger.warn({ err: error, keysUrl }, 'the keys of those who call a webhook cannot be read')
      return false
    }
  }

  /** With its secrets, to hold what a caller shows against. */
  const findWebhook = async (path: string): Promise<{ playbook: PlaybookRow; spec: PlaybookSpec } | null> => {
    const { rows } = await pool.query<PlaybookRow>(
      `select id, name, title, spec from playbooks
       where deleted_at is null and spec -> 'on' -> 'webhook' ->> 'path' = $1 order by created_at limit 1`,
      [path],
    )
    const [playbook] = rows
    if (!playbook) return null
    const secrets = (await vault.list(pool, 'playbooks', [playbook.id])).get(playbook.id) ?? []
    const filled = await vault.fillIn({ spec: playbook.spec }, secrets)
    const spec = PlaybookSpecSchema.safeParse((filled.document as { spec: unknown }).spec)
    return spec.success ? { playbook, spec: spec.data } : null
  }

  return {
    webhook: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.webhook,
      params: z.object({ '*': z.string().min(1) }),
      response: MessageSchema,
      handle: async ({ params, request }) => {
        const found = await findWebhook(params['*'])
        if (!found) throw refuse(404, 'webhook not found')
        const { headers } = request
        const body = typeof request.body === 'string' ? request.body : ''
        const authentication = found.spec.on?.webhook?.authentication ?? {}
        const verdict = await authenticateWebhook(authentication, { headers, body, now: clock.now(), isSigned })
        if (verdict === 'missing') throw refuse(403, 'this webhook asks its callers to prove themselves')
        if (verdict === 'wrong') throw refuse(401, 'this is not the credential of this webhook')
        const kept = Object.entries(headers).filter(([name]) => KEPT_HEADER.test(name))
        const { playbook } = found
        const start = async (): Promise<void> => {
          const asked = await runs.ask({
            playbook,
            target: null,
            params: {},
            by: null,
            request: { url: request.url, headers: Object.fromEntries(kept), content: toContent(body) },
          })
          if (!asked.ok) throw refuse(asked.error.status, asked.error.error)
        }
        const messageId = findMessageId(authentication, headers)
        await (messageId === null ? start() : takeOnce(playbook.id, messageId, start))
        return { message: 'ok' }
      },
    }),
  }
}
