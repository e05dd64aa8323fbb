// A backend of another make that counts what it is asked, by what the question is about. It announces nothing, and knows as many
// people as ask: the session `person-{n}` is that of the n-th.
import { startBoardUpstream } from './boardUpstream.ts'
import { sendJson } from './fakeBackend.ts'

const ROWS = 1_000

export interface RequestCounts {
  readonly sessions: number
  readonly roles: number
  /** How many rows of a source someone is shown. */
  readonly sights: number
  readonly reads: number
}

export interface CountedUpstream {
  readonly url: string
  readonly counts: () => RequestCounts
  readonly stop: () => Promise<void>
}

const idOf = (session: string): string => `00000000-0000-4000-8000-${session.replace(/\D/g, '').padStart(12, '0')}`

/** @param isScoped people are shown fewer rows than the gateway */
export async function startCountedUpstream({ isScoped }: { readonly isScoped: boolean }): Promise<CountedUpstream> {
  const { backend } = await startBoardUpstream(ROWS)
  backend.on('GET /kratos/sessions/whoami', ({ headers }, response) => {
    const session = String(headers['x-session-token'])
    const traits = { email: `${session}@example.test`, name: { first: 'Person', last: session } }
    sendJson(response, 200, { id: session, active: true, identity: { id: idOf(session), traits } })
  })
  backend.on('GET /db/people_roles', ({ url }, response) => {
    const ids = /id=in\.\(([^)]*)\)/.exec(url)?.[1]?.split(',') ?? []
    sendJson(
      response,
      200,
      ids.map((id) => ({ id, roles: ['viewer'] })),
    )
  })
  backend.shows = (caller) => (isScoped && caller !== 'service' ? ROWS - 1 : ROWS)

  return {
    url: backend.url,
    counts: () => {
      const of = (matches: (url: string, prefer: unknown) => boolean): number =>
        backend.requests.filter(({ url, headers }) => matches(url, headers.prefer)).length
      const sessions = of((url) => url.startsWith('/kratos/sessions/whoami'))
      const roles = of((url) => url.startsWith('/db/people_roles'))
      const sights = of((_url, prefer) => prefer === 'count=exact')
      return { sessions, roles, sights, reads: backend.requests.length - sessions - roles - sights }
    },
    stop: () => backend.stop(),
  }
}
