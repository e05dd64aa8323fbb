import { rootOf, watchChange } from '@watchroom/shared/collab'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { ANA, BO, buildPeer, testId, type TestPeer } from '#support/incidentDocument.ts'

const QUEUE = testId('h', 2)
const at = '2026-03-01T09:00:00.000Z'

/** Lets `change` happen at a peer and judges its update on a fresh copy of the document. */
function judge(
  change: (peer: TestPeer) => void,
  options: { userId?: string; isModerator?: boolean } = {},
): string | null {
  const userId = options.userId ?? BO
  const peer = buildPeer(userId, { clientId: 2 })
  const guard = buildPeer(userId, { clientId: 3 }).doc
  change(peer)
  const watch = watchChange(guard, { userId, isModerator: options.isModerator ?? false })
  Y.applyUpdate(guard, Y.encodeStateAsUpdate(peer.doc, Y.encodeStateVector(guard)))
  return watch.finish()?.reason ?? null
}

const map = (entries: Record<string, unknown>): Y.Map<unknown> => new Y.Map(Object.entries(entries))
const hypothesis = (overrides: Record<string, unknown> = {}): Y.Map<unknown> =>
  map({
    core: { type: 'factor', created_by: BO, created_at: at },
    title: new Y.Text('x'),
    status: 'possible',
    ...overrides,
  })

const comment = (core: Record<string, unknown> = {}): Y.Map<unknown> =>
  map({
    core: {
      hypothesis_id: QUEUE,
      created_by: BO,
      created_at: at,
      external_created_by: null,
      responder_id: null,
      ...core,
    },
    body: new Y.Text('x'),
  })

const evidence = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  hypothesis_id: QUEUE,
  type: 'comment',
  description: 'x',
  config_id: null,
  config_change_id: null,
  config_analysis_id: null,
  component_id: null,
  check_id: null,
  evidence: null,
  properties: null,
  created_by: BO,
  created_at: at,
  ...overrides,
})

describe('[DOC-7] allowed', () => {
  const cases: [string, (peer: TestPeer) => void][] = [
    ['evidence', ({ doc }) => rootOf(doc, 'evidence').set(testId('e', 9), evidence({ evidence: { a: ['b'] } }))],
    ['an empty description', ({ edit }) => edit.replaceText(edit.incidentText('description'), '')],
    [
      'a title that is replaced as a whole',
      ({ doc, edit }) =>
        doc.transact(() => {
          edit.hypothesisTitle(QUEUE).delete(0, 'Queue is full'.length)
          edit.hypothesisTitle(QUEUE).insert(0, '\u{1F600}')
        }),
    ],
    ['a new hypothesis', ({ edit }) => edit.addHypothesis({ title: 'New', parentId: QUEUE, afterId: null })],
    ['a status', ({ edit }) => edit.setHypothesisStatus(QUEUE, 'proven')],
    ['typing into a title', ({ edit }) => edit.replaceText(edit.hypothesisTitle(QUEUE), 'Queue is very full')],
    ['a move', ({ edit }) => edit.moveHypothesis(QUEUE, { parentId: testId('h', 3), afterId: null })],
    ['removing a hypothesis of someone else', ({ edit }) => edit.removeHypothesis(QUEUE)],
    [
      'an entry that its author wrote and removed while nobody saw it',
      ({ doc }) => rootOf(doc, 'hypotheses').set(testId('z', 1), hypothesis({ removed: { by: BO, at } })),
    ],
    ['taking the removal back', ({ edit }) => (edit.removeHypothesis(QUEUE), edit.restoreHypothesis(QUEUE))],
    [
      'a comment and its correction',
      ({ edit }) => edit.replaceText(edit.commentBody(edit.addComment({ hypothesisId: QUEUE, body: 'hi' })), 'hello'),
    ],
    ['an item of the definition of done', ({ edit }) => edit.setDefinitionOfDone(testId('e', 1), false)],
    ['other words of a condition', ({ doc }) => rootOf(doc, 'dod').set(`${testId('e', 1)}:text`, 'Tell everyone')],
    ['marking an item as done', ({ edit }) => edit.setDone(testId('e', 1), true)],
    ['an allowed incident status', ({ edit }) => edit.setStatus('mitigated')],
  ]
  it.each(cases)('%s', (_, change) => {
    expect(judge(change)).toBeNull()
  })
})

describe('[DOC-7] hidden where nobody looks', () => {
  const refusal = 'there is no place for this here'

  it('a list in a map at the top', () => {
    const doc = new Y.Doc()
    doc.getText('incident').insert(0, 'hidden')
    const guard = buildPeer(BO, { clientId: 3 }).doc
    const watch = watchChange(guard, { userId: BO, isModerator: true })
    Y.applyUpdate(guard, Y.encodeStateAsUpdate(doc))
    expect(watch.finish()).toEqual({ path: 'incident', reason: refusal })
  })

  it('attributes of a text, there before or new', () => {
    const change = (text: unknown): void => (text instanceof Y.Text ? text.setAttribute('hidden', 'x') : undefined)
    expect(judge(({ edit }) => change(edit.hypothesisTitle(QUEUE)))).toBe(refusal)
    const title = new Y.Text('x')
    title.setAttribute('hidden', 'x')
    expect(judge(({ doc }) => rootOf(doc, 'hypotheses').set(testId('h', 9), hypothesis({ title })))).toBe(
      'not an entry',
    )
  })
})

describe('[DOC-7] refused because whoever gets it from someone who got it has something else', () => {
  /** Written under a name that a decoder takes for what the object inherits: it is read, and never written again. */
  const inherited = (value: unknown): unknown => JSON.parse(`{"__proto__": ${JSON.stringify(value)}}`)
  const core = { type: 'factor', created_by: BO, created_at: at }
  const commentCore = {
    hypothesis_id: QUEUE,
    created_by: BO,
    created_at: at,
    external_created_by: null,
    responder_id: null,
  }
  const removal = { by: BO, at }
  const item = testId('e', 1)
  const cases: [string, (peer: TestPeer) => void][] = [
    ['a hypothesis', ({ doc }) => rootOf(doc, 'hypotheses').set(testId('h', 9), hypothesis({ core: inherited(core) }))],
    [
      'a hypothesis that is removed at once',
      ({ doc }) => rootOf(doc, 'hypotheses').set(testId('h', 9), hypothesis({ removed: inherited(removal) })),
    ],
    [
      'a comment',
      ({ doc }) =>
        rootOf(doc, 'comments').set(testId('m', 9), map({ core: inherited(commentCore), body: new Y.Text('x') })),
    ],
    ['evidence', ({ doc }) => rootOf(doc, 'evidence').set(testId('e', 9), inherited(evidence()))],
    [
      'a part of evidence',
      ({ doc }) => rootOf(doc, 'evidence').set(testId('e', 9), evidence({ evidence: { a: [inherited({ b: 1 })] } })),
    ],
    [
      'bytes in evidence',
      ({ doc }) => rootOf(doc, 'evidence').set(testId('e', 9), evidence({ evidence: { a: new Uint8Array(2) } })),
    ],
    [
      'a large number in evidence',
      ({ doc }) => rootOf(doc, 'evidence').set(testId('e', 9), evidence({ evidence: { a: 5n } })),
    ],
    [
      'a removal',
      ({ doc }) => (rootOf(doc, 'hypotheses').get(QUEUE) as Y.Map<unknown>).set('removed', inherited(removal)),
    ],
    ['a removal of evidence', ({ doc }) => rootOf(doc, 'evidenceOff').set(item, inherited(removal))],
    ['a verdict', ({ doc }) => rootOf(doc, 'dod').set(`${item}:done`, inherited({ done: true, ...removal }))],
    ['a place in the tree', ({ doc }) => rootOf(doc, 'edges').set(`${QUEUE}>`, [1, 'V\0'])],
  ]
  it.each(cases)('%s', (_, change) => {
    expect(judge(change, { isModerator: true })).toBe('this holds characters that cannot be stored')
  })
})

describe('[DOC-7] refused', () => {
  const cases: [string, (peer: TestPeer) => void, string][] = [
    ['[DOC-3] a server-only map', ({ doc }) => rootOf(doc, 'meta').set('schema', 9), 'only the server writes here'],
    ['[DOC-2] an unknown part', ({ doc }) => doc.getMap('extra').set('a', 1), 'unknown part of the document'],
    [
      'an entry of another author',
      ({ doc }) =>
        rootOf(doc, 'hypotheses').set(
          testId('z', 1),
          hypothesis({ core: { type: 'factor', created_by: ANA, created_at: at } }),
        ),
      'the author is someone else',
    ],
    [
      'an entry that someone else has removed',
      ({ doc }) => rootOf(doc, 'hypotheses').set(testId('z', 1), hypothesis({ removed: { by: ANA, at } })),
      'the author is someone else',
    ],
    [
      'an incomplete entry',
      ({ doc }) => rootOf(doc, 'hypotheses').set(testId('z', 1), map({ title: new Y.Text('x') })),
      'the entry is not complete',
    ],
    [
      'an entry with a foreign field',
      ({ doc }) => rootOf(doc, 'hypotheses').set(testId('z', 1), hypothesis({ admin: true })),
      'admin is not an allowed field',
    ],
    [
      '[DOC-17] an entry under a name of its own',
      ({ doc }) => rootOf(doc, 'hypotheses').set('constructor', hypothesis()),
      'this is not an id',
    ],
    [
      '[DOC-17] an entry under another spelling of an id',
      ({ doc }) => rootOf(doc, 'hypotheses').set('ABCDEF00-0000-4000-8000-000000000001', hypothesis()),
      'this is not an id',
    ],
    [
      '[DOC-17] evidence under a name of its own',
      ({ doc }) => rootOf(doc, 'evidence').set('mine', {}),
      'this is not an id',
    ],
    ['a replaced entry', ({ doc }) => rootOf(doc, 'hypotheses').set(QUEUE, hypothesis()), 'already exists'],
    [
      'a deleted entry',
      ({ doc }) => rootOf(doc, 'hypotheses').delete(QUEUE),
      'entries are marked as removed, never deleted',
    ],
    [
      'a rewritten core',
      ({ doc }) => (rootOf(doc, 'hypotheses').get(QUEUE) as Y.Map<unknown>).set('core', {}),
      'this field does not change',
    ],
    [
      'an unknown status',
      ({ doc }) => (rootOf(doc, 'hypotheses').get(QUEUE) as Y.Map<unknown>).set('status', 'maybe'),
      'not an allowed value',
    ],
    [
      'an overlong title',
      ({ edit }) => edit.hypothesisTitle(QUEUE).insert(0, 'x'.repeat(400)),
      'longer than 300 characters',
    ],
    [
      '[DOC-22] a title that is emptied',
      ({ edit }) => edit.hypothesisTitle(QUEUE).delete(0, 'Queue is full'.length),
      'this must not be empty',
    ],
    [
      '[DOC-22] a title of blanks that nobody sees',
      ({ edit }) => {
        edit.hypothesisTitle(QUEUE).delete(0, 'Queue is full'.length)
        edit.hypothesisTitle(QUEUE).insert(0, ' \u200b\u3164')
      },
      'this must not be empty',
    ],
    [
      '[DOC-22] a title of the incident that is emptied',
      ({ edit }) => edit.incidentText('title').delete(0, 'Labels are late'.length),
      'this must not be empty',
    ],
    [
      '[DOC-22] a new hypothesis without a title',
      ({ doc }) => rootOf(doc, 'hypotheses').set(testId('h', 9), hypothesis({ title: new Y.Text(' ') })),
      'title: this must not be empty',
    ],
    [
      '[DOC-22] a new comment of nothing',
      ({ doc }) => {
        const empty = comment()
        empty.set('body', new Y.Text(''))
        rootOf(doc, 'comments').set(testId('m', 9), empty)
      },
      'body: this must not be empty',
    ],
    [
      '[DOC-22] a condition of blanks',
      ({ doc }) => rootOf(doc, 'dod').set(`${testId('e', 1)}:text`, ' \u2800'),
      'this must not be empty',
    ],
    [
      '[DOC-22] NUL in a title',
      ({ edit }) => edit.hypothesisTitle(QUEUE).insert(0, '\0'),
      'this holds characters that cannot be stored',
    ],
    [
      '[DOC-22] NUL in a script',
      ({ doc }) => rootOf(doc, 'dod').set(`${testId('e', 1)}:script`, 'true\0'),
      'this holds characters that cannot be stored',
    ],
    [
      '[DOC-22] NUL deep in evidence',
      ({ doc }) => rootOf(doc, 'evidence').set(testId('e', 9), evidence({ evidence: { a: [{ 'b\0': 1 }] } })),
      'this holds characters that cannot be stored',
    ],
    [
      '[DOC-23] a child of a solution',
      ({ doc }) => {
        rootOf(doc, 'hypotheses').set(
          testId('h', 9),
          hypothesis({ core: { type: 'solution', created_by: BO, created_at: at } }),
        )
        rootOf(doc, 'edges').set(`${QUEUE}>${testId('h', 9)}`, [1, 'V'])
      },
      'a solution cannot get children',
    ],
    [
      'formatted text',
      ({ edit }) => edit.hypothesisTitle(QUEUE).insert(0, 'x', { bold: true }),
      'only plain text is allowed',
    ],
    [
      'a removal in the name of another',
      ({ doc }) => (rootOf(doc, 'hypotheses').get(QUEUE) as Y.Map<unknown>).set('removed', { by: ANA, at }),
      'the author is someone else',
    ],
    [
      'removing the comment of another',
      ({ edit }) => edit.removeComment(testId('m', 1)),
      'only its author may remove it',
    ],
    [
      'editing the comment of another',
      ({ edit }) => edit.commentBody(testId('m', 1)).insert(0, 'x'),
      'only its author may change a comment',
    ],
    [
      'removing the evidence of another',
      ({ edit }) => edit.removeEvidence(testId('e', 1)),
      'only its author may remove it',
    ],
    [
      'a comment in the name of someone outside',
      ({ doc }) => rootOf(doc, 'comments').set(testId('m', 9), comment({ external_created_by: 'The chief' })),
      'the author is someone else',
    ],
    [
      'a comment in the name of a responder',
      ({ doc }) => rootOf(doc, 'comments').set(testId('m', 9), comment({ responder_id: testId('r', 1) })),
      'the author is someone else',
    ],
    [
      'a comment on a hypothesis of elsewhere',
      ({ doc }) => rootOf(doc, 'comments').set(testId('m', 9), comment({ hypothesis_id: testId('z', 9) })),
      'there is no such hypothesis',
    ],
    [
      'a counter far ahead',
      ({ doc }) => rootOf(doc, 'edges').set(`${QUEUE}>`, [1_000_000, 'V']),
      'the counter is too far ahead',
    ],
    [
      'a place below nothing',
      ({ doc }) => rootOf(doc, 'edges').set(`${QUEUE}>${testId('z', 9)}`, [1, 'V']),
      'there is no such hypothesis',
    ],
    [
      'done in the name of another',
      ({ doc }) => rootOf(doc, 'dod').set(`${testId('e', 1)}:done`, { done: true, by: ANA, at }),
      'the author is someone else',
    ],
    [
      'a status that cannot follow',
      ({ doc }) => rootOf(doc, 'incident').set('status', 'new'),
      'the status cannot change from open to new',
    ],
  ]
  it.each(cases)('%s', (_, change, reason) => {
    expect(judge(change)).toBe(reason)
  })

  it('lets a moderator remove what others wrote', () => {
    expect(judge(({ edit }) => edit.removeComment(testId('m', 1)), { isModerator: true })).toBeNull()
    expect(judge(({ edit }) => edit.removeEvidence(testId('e', 1)), { isModerator: true })).toBeNull()
  })

  it.each([
    [
      'comment',
      (doc: Y.Doc, mark: unknown) =>
        (rootOf(doc, 'comments').get(testId('m', 1)) as Y.Map<unknown>).set('removed', mark),
    ],
    ['evidence', (doc: Y.Doc, mark: unknown) => rootOf(doc, 'evidenceOff').set(testId('e', 1), mark)],
  ])('lets nobody but its author and moderators bring a removed %s back', (_, mark) => {
    const restoreAs = (userId: string, isModerator: boolean): string | null => {
      const guard = buildPeer(ANA, { clientId: 3 }).doc
      mark(guard, { by: ANA, at })
      const other = new Y.Doc()
      Y.applyUpdate(other, Y.encodeStateAsUpdate(guard))
      mark(other, null)
      const watch = watchChange(guard, { userId, isModerator })
      Y.applyUpdate(guard, Y.encodeStateAsUpdate(other, Y.encodeStateVector(guard)))
      return watch.finish()?.reason ?? null
    }
    expect(restoreAs(BO, false)).toBe('only its author may bring it back')
    expect(restoreAs(BO, true)).toBeNull()
    expect(restoreAs(ANA, false)).toBeNull()
  })
})
