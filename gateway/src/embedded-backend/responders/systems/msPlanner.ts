// Microsoft Planner, by Microsoft Graph: a task, and the conversation of its group about it.
import { z } from 'zod'

import { readJson } from '../../outbound/callHttp.ts'
import { joinUrl } from '../../outbound/joinUrl.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { CreateTicketSystem } from '../ticketSystem.ts'

const GRAPH = 'https://graph.microsoft.com'
const LOGIN = 'https://login.microsoftonline.com'
const MAX_PAGES = 20
const MAX_PLANS = 50
const MAX_TITLE_CHARACTERS = 200

/** As Graph counts them. */
const PRIORITIES = new Map([
  ['Urgent', 1],
  ['Important', 3],
  ['Medium', 5],
  ['Low', 9],
])

const id = z.string().min(1)
const TaskSchema = z.object({
  id,
  title: z.string(),
  conversationThreadId: z.string().nullish(),
  '@odata.etag': z.string(),
})
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ value: z.array(item), '@odata.nextLink': z.string().nullish() })

const PostSchema = z.object({
  id,
  body: z.object({ content: z.string(), contentType: z.string().nullish() }),
  from: z.object({ emailAddress: z.object({ name: z.string().nullish() }).nullish() }).nullish(),
})

export const createMsPlanner: CreateTicketSystem = ({ client, call }) => {
  const base = client.url || GRAPH
  for (const name of ['tenant_id', 'client_id', 'group_id', 'username', 'password'] as const) {
    if (client[name] === '') throw new OutboundFault(`ms_planner: ${name} is missing`)
  }
  const group = encodeURIComponent(client.group_id)
  let token: Promise<string> | null = null

  async function signIn(): Promise<string> {
    const answer = await call({
      url: joinUrl(client.login_url || LOGIN, `${encodeURIComponent(client.tenant_id)}/oauth2/v2.0/token`),
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: client.client_id,
        username: client.username,
        password: client.password,
        scope: `${new URL(base).origin}/.default`,
      }).toString(),
    })
    return z.object({ access_token: z.string() }).parse(readJson(answer)).access_token
  }

  async function send(method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown, etag?: string) {
    token ??= signIn()
    return call({
      url,
      method,
      headers: {
        authorization: `Bearer ${await token}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(etag !== undefined && { 'if-match': etag }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
  const urlOf = (path: string): string => joinUrl(base, `v1.0/${path}`)
  const ask = async (path: string): Promise<unknown> => readJson(await send('GET', urlOf(path)))

  async function list<Item extends z.ZodType>(path: string, item: Item): Promise<z.output<Item>[]> {
    const all: z.output<Item>[] = []
    let url: string | null = urlOf(path)
    for (let pages = 0; url !== null && pages < MAX_PAGES; pages++) {
      // The token goes nowhere else.
      if (new URL(url).origin !== new URL(base).origin) throw new OutboundFault('a page of a list stands elsewhere')
      const page: z.output<ReturnType<typeof pageOf<Item>>> = pageOf(item).parse(readJson(await send('GET', url)))
      all.push(...page.value)
      url = page['@odata.nextLink'] ?? null
    }
    return all
  }

  async function converse(task: z.output<typeof TaskSchema>, description: string): Promise<string> {
    if (task.conversationThreadId) return task.conversationThreadId
    const made = await send('POST', urlOf(`groups/${group}/threads`), {
      topic: task.title,
      posts: [{ body: { contentType: 'text', content: description } }],
    })
    const thread = z.object({ id }).parse(readJson(made))
    const path = `planner/tasks/${encodeURIComponent(task.id)}`
    await send('PATCH', urlOf(path), { conversationThreadId: thread.id }, task['@odata.etag'])
    return thread.id
  }

  async function describe(taskId: string, description: string): Promise<void> {
    const path = `planner/tasks/${encodeURIComponent(taskId)}/details`
    const details = z.object({ '@odata.etag': z.string(), description: z.string().nullish() }).parse(await ask(path))
    if (!details.description) await send('PATCH', urlOf(path), { description }, details['@odata.etag'])
  }

  const threadPath = (threadId: string | null): string => {
    if (threadId === null) throw new OutboundFault('the task has no conversation')
    return `groups/${group}/threads/${encodeURIComponent(threadId)}`
  }

  return {
    open: async ({ fields, mark, mayExist }) => {
      const { plan_id: planId = '', bucket_id: bucketId = '', priority = '', description = '' } = fields
      // Graph keeps no field for what others call a task: its title says it, and people see which one it is.
      const title = `${(fields['title'] ?? '').slice(0, MAX_TITLE_CHARACTERS)} [${mark}]`
      const earlier = mayExist ? await list(`planner/plans/${encodeURIComponent(planId)}/tasks`, TaskSchema) : []
      const found = earlier.find((task) => task.title.endsWith(`[${mark}]`))
      const level = PRIORITIES.get(priority)
      const task =
        found ??
        TaskSchema.parse(
          readJson(
            await send('POST', urlOf('planner/tasks'), {
              planId,
              bucketId,
              title,
              ...(level !== undefined && { priority: level }),
            }),
          ),
        )
      await describe(task.id, description)
      const threadId = await converse(task, description)
      const link = `https://tasks.office.com/${encodeURIComponent(client.tenant_id)}/Home/Task/${encodeURIComponent(task.id)}`
      return { externalId: task.id, threadId, link }
    },
    comment: async ({ threadId }, text) => {
      const post = { body: { contentType: 'text', content: text } }
      await send('POST', urlOf(`${threadPath(threadId)}/reply`), { post })
    },
    comments: async ({ threadId }) => {
      const posts = await list(`${threadPath(threadId)}/posts`, PostSchema)
      // The first one is the description.
      return posts.slice(1).map(({ id: externalId, body, from }) => ({
        externalId,
        text: body.contentType === 'text' ? body.content : toText(body.content),
        author: from?.emailAddress?.name || 'Microsoft Planner',
      }))
    },
    offers: async () => {
      const plans = await list(`groups/${group}/planner/plans`, z.object({ id, title: z.string() }))
      const offered = []
      for (const plan of plans.slice(0, MAX_PLANS)) {
        const buckets = await list(
          `planner/plans/${encodeURIComponent(plan.id)}/buckets`,
          z.object({ id, name: z.string() }),
        )
        offered.push({ id: plan.id, name: plan.title, buckets: buckets.map((bucket) => ({ ...bucket })) })
      }
      return { plans: offered, priorities: [...PRIORITIES.keys()] }
    },
  }
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&nbsp;', ' '],
  ['&amp;', '&'],
])

/** Mail programs make HTML of what people write. */
const toText = (html: string): string =>
  html
    .replaceAll(/<(?:style|script|head)\b[^]*?<\/(?:style|script|head)>/gi, '')
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/<br\b[^>]*>|<\/(?:p|div|li|h\d)>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => ENTITIES.get(entity) ?? entity)
    .replaceAll(/[ \t]+\n|\n[ \t]+/g, '\n')
    .trim()
