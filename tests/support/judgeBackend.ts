// What someone may get: what our matrix and the backend, asked past the gateway with their own credential, both allow at this moment.
import { can, type Resource, type Role } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { TOPICS } from '@watchroom/shared/protocol'

import { DOCUMENT_KINDS } from '../../gateway/src/app/documentKinds.ts'
import type { BackendCall, RawAnswer } from './embeddedBackend.ts'
import { eventually } from './eventually.ts'
import type { DocumentKindName } from './judgedDocument.ts'
import {
  type AskedTopic,
  idsOf,
  isMadeOfShared,
  type JudgedPerson,
  type JudgedWorld,
  type Side,
} from './judgedWorld.ts'

export interface TopicVerdict {
  readonly isOpen: boolean
  /** Of all rows that it may have. */
  readonly ids: readonly string[]
  /** What the backend answered of them. */
  readonly texts: readonly string[]
}

export interface DocumentVerdict {
  readonly mayRead: boolean
  readonly mayWrite: boolean
}

interface AnyTopic {
  source(params: object): string
  resource(params: object): Resource
  readonly quotes?: readonly string[]
}
const definitionOf = ({ name }: AskedTopic): AnyTopic => TOPICS[name]

const withIds = (source: string): string =>
  source.includes('select=') ? `/db/${source}` : `/db/${source}${source.includes('?') ? '&' : '?'}select=id`
export const sourceOf = (topic: AskedTopic): string => withIds(definitionOf(topic).source(topic.params))

/** Whoever is sent away because there were too many questions is told nothing about what they may. */
export const askPatiently = (side: Side, person: JudgedPerson, path: string, call?: BackendCall): Promise<RawAnswer> =>
  eventually(
    async () => {
      const answer = await side.ask(person, path, call)
      if (answer.status === 503) throw new Error(`${path}: ${answer.text}`)
      return answer
    },
    { timeout: 40_000, interval: 200 },
  )

/** Ids that the backend answers this person; null where it refuses. */
export async function readIds(side: Side, person: JudgedPerson, path: string): Promise<string[] | null> {
  return idsOf(await askPatiently(side, person, path))
}

/** Whether the backend shows this person all of a topic's rows, and of what they quote. */
export async function seesAll(
  { backend }: JudgedWorld,
  side: Side,
  person: JudgedPerson,
  topic: AskedTopic,
): Promise<boolean> {
  const sources = [sourceOf(topic), ...(definitionOf(topic).quotes ?? []).map(withIds)]
  const verdicts = await Promise.all(
    sources.map(async (path) => {
      const [own, all] = [await readIds(side, person, path), idsOf(await backend.callAsService(path))]
      return own !== null && own.length === all?.length
    }),
  )
  return verdicts.every(Boolean)
}

export async function judgeTopic(
  world: JudgedWorld,
  side: Side,
  person: JudgedPerson,
  role: Role,
  topic: AskedTopic,
): Promise<TopicVerdict> {
  const asked = await Promise.all([sourceOf(topic), ...topic.answers].map((path) => askPatiently(side, person, path)))
  const isShown = asked.every((answer) => idsOf(answer) !== null)
  const isAllowed = isShown && can([role], 'read', definitionOf(topic).resource(topic.params))
  const isOpen = isAllowed && (!isMadeOfShared(topic.name) || (await seesAll(world, side, person, topic)))
  const answers = isOpen ? asked.slice(1) : []
  const ids = answers.flatMap((answer) => idsOf(answer) ?? [])
  return { isOpen, ids: ids.toSorted(), texts: answers.map(({ text }) => text) }
}

export async function judgeDocument(
  side: Side,
  person: JudgedPerson,
  role: Role,
  kind: DocumentKindName,
  id: string,
): Promise<DocumentVerdict> {
  const { entities, resource, ...definition } = DOCUMENT_KINDS[kind]
  const row = await readIds(side, person, withIds(definition.source(id)))
  const mayRead = can([role], 'read', resource) && row?.length === 1
  const patches = entities.map(({ name, editable }) =>
    askPatiently(side, person, `/db/${name}?id=eq.${NIL_UUID}`, { method: 'PATCH', body: { [editable]: null } }),
  )
  const isTaken = (await Promise.all(patches)).every(({ status }) => status < 300)
  return { mayRead, mayWrite: mayRead && isTaken && can([role], 'write', resource) }
}
