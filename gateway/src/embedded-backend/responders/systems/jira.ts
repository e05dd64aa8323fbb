// Jira, Cloud and Data Center, by version 2 of its REST interface.
import { z } from 'zod'

import { readJson, toBasic } from '../../outbound/callHttp.ts'
import { joinUrl } from '../../outbound/joinUrl.ts'
import { OutboundFault } from '../../outbound/outboundFault.ts'
import type { CreateTicketSystem } from '../ticketSystem.ts'

/** Of an issue: says which responder it is for. */
const PROPERTY = 'watchroom'
const MAX_PROJECTS = 50
const MAX_FOUND = '100'

const IssueSchema = z.object({ key: z.string().regex(/^[\w-]+$/) })
const FoundSchema = z.object({
  issues: z.array(IssueSchema.extend({ properties: z.record(z.string(), z.unknown()).nullish() })),
})
const CommentsSchema = z.object({
  comments: z.array(
    z.object({
      id: z.string(),
      body: z.string(),
      author: z.object({ displayName: z.string().nullish() }).nullish(),
    }),
  ),
})
const NamedSchema = z.object({ name: z.string() })
const ProjectSchema = NamedSchema.extend({ key: z.string() })

export const createJira: CreateTicketSystem = ({ client, call }) => {
  if (client.url === '') throw new OutboundFault('jira: url is missing')
  const authorization = client.username === '' ? `Bearer ${client.password}` : toBasic(client.username, client.password)
  const ask = (path: string, query: Readonly<Record<string, string>> = {}) =>
    call({ url: joinUrl(client.url, path, query), headers: { authorization, accept: 'application/json' } }).then(
      readJson,
    )
  const post = (path: string, body: unknown) =>
    call({
      url: joinUrl(client.url, path),
      method: 'POST',
      headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(readJson)

  /** The search of Data Center has another path than that of Cloud. */
  async function search(query: Readonly<Record<string, string>>): Promise<unknown> {
    try {
      return await ask('rest/api/2/search/jql', query)
    } catch (error) {
      if (!(error instanceof OutboundFault) || error.status !== 404) throw error
      return ask('rest/api/2/search', query)
    }
  }

  async function find(project: string, mark: string): Promise<string | null> {
    const found = FoundSchema.parse(
      await search({
        jql: `project = ${JSON.stringify(project)} AND created >= "-7d" ORDER BY created DESC`,
        fields: 'summary',
        properties: PROPERTY,
        maxResults: MAX_FOUND,
      }),
    )
    const own = found.issues.find(({ properties }) => Object(properties?.[PROPERTY]).mark === mark)
    return own?.key ?? null
  }

  const toTicket = (key: string) => ({ externalId: key, threadId: null, link: joinUrl(client.url, `browse/${key}`) })
  const pathOf = (key: string): string => `rest/api/2/issue/${encodeURIComponent(key)}/comment`

  return {
    open: async ({ fields, mark, mayExist }) => {
      const { project = '', issueType = '', priority = '', summary = '', description = '' } = fields
      const known = mayExist ? await find(project, mark) : null
      if (known !== null) return toTicket(known)
      const made = await post('rest/api/2/issue', {
        fields: {
          project: { key: project },
          issuetype: { name: issueType },
          ...(priority !== '' && { priority: { name: priority } }),
          summary,
          description,
        },
        properties: [{ key: PROPERTY, value: { mark } }],
      })
      return toTicket(IssueSchema.parse(made).key)
    },
    comment: async ({ externalId }, body) => {
      await post(pathOf(externalId), { body })
    },
    comments: async ({ externalId }) => {
      const { comments } = CommentsSchema.parse(
        await ask(pathOf(externalId), { orderBy: '-created', maxResults: MAX_FOUND }),
      )
      return comments
        .map(({ id, body, author }) => ({ externalId: id, text: body, author: author?.displayName || 'Jira' }))
        .toReversed()
    },
    offers: async () => {
      const projects = z.array(ProjectSchema).parse(await ask('rest/api/2/project'))
      const offered = []
      for (const { key, name } of projects.slice(0, MAX_PROJECTS)) {
        const project = z
          .object({ issueTypes: z.array(NamedSchema) })
          .parse(await ask(`rest/api/2/project/${encodeURIComponent(key)}`))
        offered.push({ key, name, issueTypes: project.issueTypes.map((type) => type.name) })
      }
      const priorities = z.array(NamedSchema).parse(await ask('rest/api/2/priority'))
      return { projects: offered, priorities: priorities.map(({ name }) => name) }
    },
  }
}
