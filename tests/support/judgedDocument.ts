// A client of shared documents that keeps every byte it is sent, and asks nobody whether it may write.
import { rootOf, toDocumentName } from '@watchroom/shared/collab'
import * as Y from 'yjs'

import type { DOCUMENT_KINDS } from '../../gateway/src/app/documentKinds.ts'
import { type BenchClient, openBenchClient } from './benchClient.ts'
import { until } from './processes.ts'

export type DocumentKindName = keyof typeof DOCUMENT_KINDS

/** A change that someone with the right to write may make. */
const EDITS: { readonly [Name in DocumentKindName]: (doc: Y.Doc, word: string) => void } = {
  incident: (doc, word) => {
    const title = rootOf(doc, 'incident').get('title')
    if (title instanceof Y.Text) title.insert(title.length, word)
  },
}

export interface JudgedDocument {
  readonly client: BenchClient
  /** As text; words stand in it as they were typed. */
  readonly received: () => string
  /** Types a word. @returns whether it was taken */
  edit(): Promise<boolean>
}

/** Resolves when it is open, or closed by the gateway. */
export async function openDocument(
  gatewayUrl: string,
  headers: Readonly<Record<string, string>>,
  kind: DocumentKindName,
  id: string,
): Promise<JudgedDocument> {
  const url = `${gatewayUrl.replace('http', 'ws')}/collab/${toDocumentName(kind, id)}`
  const client = openBenchClient({ url, headers: { ...headers }, prefix: null })
  const received: string[] = []
  client.socket.on('message', (data: Buffer) => received.push(data.toString('latin1')))
  await until(() => client.isSynced() || client.closed() !== null, { what: `${kind} ${id}`, maxMs: 90_000 })
  return {
    client,
    received: () => received.join('\n'),
    edit: async () => {
      const refused = client.rejections()
      client.write((doc) => EDITS[kind](doc, '.'))
      // The answer to the greeting may be acknowledged only now, and says nothing of the edit.
      const { sent } = client.frames()
      const isTaken = (): boolean => client.frames().acknowledged >= sent
      const isAnswered = (): boolean => client.rejections() > refused || isTaken()
      await until(() => isAnswered() || client.closed() !== null, { what: 'an answer to an edit', maxMs: 15_000 })
      return isTaken() && client.rejections() === refused
    },
  }
}
