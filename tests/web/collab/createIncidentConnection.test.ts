import { DocumentEditError, encodeOwnFrame, FRAME, LIMITS, rootOf, TYPING_ORIGIN } from '@watchroom/shared/collab'
import { CLOSE_CODES } from '@watchroom/shared/protocol'
import * as decoding from 'lib0/decoding'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { ANA, BO, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, type Page, titleAt } from '#support/incidentWorld.ts'
import { createMemoryDocumentStorage } from '#support/memoryDocumentStorage.ts'

import { LONG_OFFLINE_MS } from '../../../web/src/collab/createConnectionState.ts'
import { IDLE_MS } from '../../../web/src/collab/createOwnPresence.ts'
import { StoredNoteSchema } from '../../../web/src/collab/documentStorage.ts'

const QUEUE = testId('h', 2)
const PRINTER = testId('h', 3)

let world: IncidentWorld
beforeEach(async () => {
  world = await createIncidentWorld()
})
afterEach(() => world.close())

const retitle = (page: Page, title: string, id = QUEUE): void =>
  page.edit.replaceText(page.edit.hypothesisTitle(id), title)

const titleOn = (page: Page, id = QUEUE): string | undefined => page.room().view.hypotheses.get(id)?.title

/** Writes around the editor's rules, as a broken client would. */
function forceTitle(page: Page, title: string): void {
  const text = page.edit.hypothesisTitle(QUEUE)
  text.doc?.transact(() => text.insert(0, title), TYPING_ORIGIN)
}

/** Number of own updates in the log. */
const logged = (userId: string): number => world.log.entries.filter((entry) => entry.userId === userId).length

describe('a link that goes silent', () => {
  const beat = (): void => {
    for (const socket of world.server.sockets)
      socket.peer.send(encodeOwnFrame({ type: 'beat', value: { everyMs: 2_000 } }))
  }

  it('[COLLAB-27] proves nothing 3 s after its last word, is given up after 4.5 s, and what is typed stays', async () => {
    const ana = await world.openPage()
    beat()
    await world.settle()
    await world.clock.advance(2_900)
    expect(ana.room()).toMatchObject({ link: 'online', save: { state: 'saved', isProven: true } })
    await world.clock.advance(200)
    expect(ana.room()).toMatchObject({ link: 'offline', save: { state: 'offline', isProven: false } })
    world.server.isHeld = true
    retitle(ana, 'Queue is stuck')
    await world.clock.advance(20)
    expect(ana.room().save).toMatchObject({ state: 'offline', unsent: 1 })
    expect(world.server.sockets[0]?.isOpen()).toBe(true)
    await world.clock.advance(1_500)
    expect(world.server.sockets[0]?.isOpen()).toBe(false)
    world.server.isHeld = false
    await world.clock.advance(5_000)
    expect(ana.room()).toMatchObject({ link: 'online', save: { isProven: true } })
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
  })

  it('[COLLAB-27] is well again with the next word', async () => {
    const ana = await world.openPage()
    beat()
    await world.clock.advance(3_100)
    expect(ana.room().link).toBe('offline')
    beat()
    await world.settle()
    expect(ana.room()).toMatchObject({ link: 'online', save: { state: 'saved', isProven: true } })
    await world.clock.advance(2_900)
    expect(ana.room().link).toBe('online')
    expect(world.server.sockets).toHaveLength(1)
  })

  it('[COLLAB-27] is not suspected where the gateway never promised to speak', async () => {
    const ana = await world.openPage()
    await world.clock.advance(12_000)
    expect(ana.room()).toMatchObject({ link: 'online', save: { state: 'saved' } })
  })
})

describe('a document', () => {
  it('[COLLAB-1] shows what the gateway holds, and the edits of others', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    expect(ana.room()).toMatchObject({ state: 'ready', link: 'online', canWrite: true, failure: null })
    expect(titleOn(ana)).toBe('Queue is full')
    retitle(bo, 'Queue is stuck')
    await world.settle()
    expect(titleOn(ana)).toBe('Queue is stuck')
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
  })

  it('keeps the identity of everything that did not change', async () => {
    const ana = await world.openPage()
    const before = ana.room()
    retitle(ana, 'Queue is stuck')
    await world.settle()
    const after = ana.room()
    expect(after.view.hypotheses.get(QUEUE)).not.toBe(before.view.hypotheses.get(QUEUE))
    expect(after.view.hypotheses.get(PRINTER)).toBe(before.view.hypotheses.get(PRINTER))
    expect(after.view.childrenOf.get('')).toBe(before.view.childrenOf.get(''))
    expect(after.view.comments).toBe(before.view.comments)
    expect(after.view.evidence).toBe(before.view.evidence)
    expect(after.view.incident).toBe(before.view.incident)
    expect(after.edit).toBe(before.edit)
    expect(after.peers).toBe(before.peers)
    expect(after.self).toBe(before.self)
  })

  it('shows own commands at once, and typing and a burst of others together', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    await world.settle()
    const rendersBefore = ana.renders()
    for (let index = 0; index < 20; index++) retitle(bo, `Queue ${index}`)
    await world.settle()
    expect(titleOn(ana)).toBe('Queue 19')
    expect(ana.renders() - rendersBefore).toBe(1)
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    expect(ana.room().view.hypotheses.get(QUEUE)?.status).toBe('proven')
    await world.saved()
    const rendersTyping = ana.renders()
    world.log.hold = true
    for (let index = 0; index < 20; index++) retitle(ana, `Queue ${index}`)
    await world.settle()
    world.log.hold = false
    world.log.release()
    expect(ana.renders() - rendersTyping).toBe(1)
    expect(titleOn(ana)).toBe('Queue 19')
  })

  it('takes in what many write within a frame as one change of the document, and reads what it touched', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    const { doc } = ana.edit.hypothesisTitle(QUEUE)
    let changes = 0
    doc?.on('update', () => (changes += 1))
    const before = ana.room().view
    for (let index = 0; index < 50; index++) {
      bo.edit.hypothesisTitle(QUEUE).insert(0, 'x')
      bo.edit.hypothesisTitle(PRINTER).insert(0, 'y')
    }
    await world.settle()
    expect(titleOn(ana)).toBe(`${'x'.repeat(50)}Queue is full`)
    expect(changes).toBe(1)
    const { view } = ana.room()
    const isSame = [...view.hypotheses.keys()].filter((id) => view.hypotheses.get(id) === before.hypotheses.get(id))
    expect(isSame).toEqual([...view.hypotheses.keys()].filter((id) => id !== QUEUE && id !== PRINTER))
    expect(view.comments).toBe(before.comments)
  })

  it('writes behind what others wrote in the same frame', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    bo.edit.hypothesisTitle(QUEUE).insert(0, 'Bo: ')
    for (let turn = 0; turn < 50; turn++) await world.clock.advance(0)
    // Not shown yet: her caret stands where it stood.
    forceTitle(ana, 'Ana: ')
    await world.settle()
    expect(new Set([titleOn(ana), titleOn(bo), titleAt(world, QUEUE)]).size).toBe(1)
    expect(titleOn(ana)).toContain('Ana: ')
    expect(titleOn(ana)).toContain('Bo: ')
  })

  it('gives new entries ids of version 7 in the order of their creation, and times of the clock', async () => {
    const ana = await world.openPage()
    const first = ana.edit.addComment({ hypothesisId: null, body: 'one' })
    await world.clock.advance(5)
    const second = ana.edit.addComment({ hypothesisId: null, body: 'two' })
    expect([first, second].toSorted()).toEqual([first, second])
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const comment = ana.room().view.comments.find(({ id }) => id === second)
    expect(Date.parse(comment?.created_at ?? '')).toBe(world.clock.now())
  })

  it('[DOC-13] takes back own edits alone', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    bo.edit.setHypothesisStatus(PRINTER, 'proven')
    await world.settle()
    expect(ana.room().undo.undo()).toBe(true)
    await world.settle()
    expect(bo.room().view.hypotheses.get(QUEUE)?.status).toBe('likely')
    expect(bo.room().view.hypotheses.get(PRINTER)?.status).toBe('proven')
    expect(ana.room().undo.redo()).toBe(true)
    expect(ana.room().view.hypotheses.get(QUEUE)?.status).toBe('proven')
  })
})

const SAVED = { state: 'saved', isProven: true, unsent: 0, isKept: true, problems: [], since: null }

describe('the save state', () => {
  it('[COLLAB-4] goes from typed to received to saved', async () => {
    const ana = await world.openPage()
    expect(ana.room().save).toEqual(SAVED)
    world.log.hold = true
    const typedAt = world.clock.now()
    retitle(ana, 'Queue is stuck')
    await world.settle()
    expect(ana.room().save).toEqual({ ...SAVED, state: 'typed', unsent: 1, since: typedAt })
    world.log.hold = false
    world.log.release()
    await world.settle()
    expect(ana.room().save).toEqual({ ...SAVED, state: 'received', since: typedAt })
    await world.saved()
    expect(ana.room().save).toEqual(SAVED)
  })

  it('[COLLAB-4] counts edits one by one as their frames become durable', async () => {
    const ana = await world.openPage()
    world.log.hold = true
    retitle(ana, 'Queue 1')
    await world.settle()
    retitle(ana, 'Queue 2')
    ana.edit.setHypothesisStatus(PRINTER, 'likely')
    await world.settle()
    // Two fields, one of them edited twice.
    expect(ana.room().save.unsent).toBe(2)
    expect(ana.hasUnsent()).toBe(true)
    world.log.hold = false
    world.log.release()
    await world.settle()
    expect(ana.room().save.unsent).toBe(0)
    expect(ana.hasUnsent()).toBe(false)
    expect(logged(ANA)).toBe(3)
  })

  it('[COLLAB-5] stays received while the tables hold less than the own edits', async () => {
    const ana = await world.openPage()
    retitle(ana, 'Queue 1')
    await world.settle()
    const early = world.server.room?.sequence() ?? 0
    retitle(ana, 'Queue 2')
    await world.settle()
    await world.saved([], early)
    expect(ana.room().save.state).toBe('received')
    await world.saved()
    expect(ana.room().save.state).toBe('saved')
  })

  it('[COLLAB-5] says received to whoever loads the page anew before the tables hold what it typed', async () => {
    const before = await world.openPage()
    const early = world.server.room?.sequence() ?? 0
    retitle(before, 'Queue is stuck')
    await world.settle()
    await before.close()
    const after = await world.openPage()
    await world.saved([], early)
    expect(after.room().save).toEqual({ ...SAVED, state: 'received' })
    await world.saved()
    expect(after.room().save.state).toBe('saved')
  })

  it('[COLLAB-5] says received again when it comes back to tables that are behind', async () => {
    const ana = await world.openPage()
    await world.saved()
    retitle(ana, 'Queue is stuck')
    await world.settle()
    await world.saved()
    expect(ana.room().save.state).toBe('saved')
    await world.stopGateway()
    await world.startGateway()
    ana.nudge()
    await world.settle()
    await world.saved([], 0)
    expect(ana.room().save.state).toBe('received')
  })

  it('does not count edits of others', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    await world.saved()
    const early = world.server.room?.sequence() ?? 0
    retitle(bo, 'Queue is stuck')
    await world.settle()
    await world.saved([], early)
    expect(ana.room().save.state).toBe('saved')
    expect(bo.room().save.state).toBe('received')
  })

  it('[COLLAB-5] names what the backend refuses, until it does not any more', async () => {
    const ana = await world.openPage()
    const problem = { entity: 'hypotheses', id: QUEUE, message: 'title is not allowed' }
    retitle(ana, 'Queue is stuck')
    await world.settle()
    await world.saved([problem])
    expect(ana.room().save).toMatchObject({ state: 'problem', problems: [problem] })
    await world.saved()
    expect(ana.room().save).toMatchObject({ state: 'saved', problems: [] })
  })
})

describe('without a link', () => {
  it('keeps edits, says how many, and sends them when it is back', async () => {
    const ana = await world.openPage()
    world.server.cut()
    await world.settle()
    expect(ana.room()).toMatchObject({ state: 'ready', link: 'offline', save: { state: 'offline', unsent: 0 } })
    world.server.isOpening = true
    retitle(ana, 'Queue is stuck')
    ana.edit.addComment({ hypothesisId: QUEUE, body: 'rebooting' })
    expect(ana.room().save).toMatchObject({ state: 'offline', unsent: 2 })
    expect(ana.hasUnsent()).toBe(true)
    world.server.isOpening = false
    world.server.sockets.at(-1)?.admit()
    await world.clock.advance(1_000)
    expect(ana.room()).toMatchObject({ link: 'online', save: { state: 'received', unsent: 0 } })
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
    // Everything of the time without a link is one answer to the gateway's state.
    expect(logged(ANA)).toBe(1)
  })

  it('[COLLAB-3] holds back what is typed before the gateway said what it has: it may build on offline edits', async () => {
    const ana = await world.openPage()
    world.server.cut()
    await world.settle()
    retitle(ana, 'Queue is stuck')
    world.server.isOpening = true
    await world.clock.advance(1_000)
    expect(world.server.sockets.at(-1)?.isOpen()).toBe(true)
    retitle(ana, 'Queue is stuck again')
    await world.settle()
    world.server.sockets.at(-1)?.admit()
    await world.settle()
    expect(ana.room().rejected).toEqual([])
    expect(ana.room()).toMatchObject({ link: 'online', save: { state: 'received', unsent: 0 } })
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck again')
  })

  it('merges with what others did meanwhile', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    world.server.sockets[0]?.cut()
    await world.settle()
    retitle(ana, 'Queue is full of labels')
    retitle(bo, 'Print queue is full')
    await world.clock.advance(1_000)
    expect(titleOn(ana)).toBe('Print queue is full of labels')
    expect(titleOn(bo)).toBe('Print queue is full of labels')
  })

  it('says so at full width after ten seconds, and no longer once it is back', async () => {
    const ana = await world.openPage()
    await world.stopGateway()
    await world.clock.advance(LONG_OFFLINE_MS - 100)
    expect(ana.room().isLongOffline).toBe(false)
    await world.clock.advance(200)
    expect(ana.room().isLongOffline).toBe(true)
    await world.startGateway()
    await world.clock.advance(15_000)
    expect(ana.room()).toMatchObject({ isLongOffline: false, link: 'online' })
  })

  it('comes back in at most fifteen seconds however long it took, and never all pages at once', async () => {
    await world.openPage()
    await world.openPage()
    await world.stopGateway()
    await world.clock.advance(120_000)
    const times: number[] = []
    const before = world.server.sockets.length
    for (let elapsedMs = 0; elapsedMs < 30_000; elapsedMs += 10) {
      const count = world.server.sockets.length
      await world.clock.advance(10)
      if (world.server.sockets.length > count) times.push(elapsedMs)
    }
    expect(world.server.sockets.length - before).toBeGreaterThanOrEqual(4)
    expect(world.server.sockets.length - before).toBeLessThanOrEqual(10)
    expect(new Set(times).size).toBe(times.length)
    await world.startGateway()
  })

  it('[COLLAB-13] survives a restart of the gateway with an edit that was not acknowledged, once', async () => {
    const ana = await world.openPage()
    world.log.hold = true
    retitle(ana, 'Queue is stuck')
    await world.settle()
    world.log.failWith = new Error('the disk is gone')
    world.log.release()
    await world.settle()
    expect(ana.room()).toMatchObject({ link: 'offline', save: { state: 'offline', unsent: 1 } })
    world.log.failWith = null
    world.log.hold = false
    await world.startGateway()
    await world.clock.advance(2_000)
    expect(ana.room()).toMatchObject({ link: 'online', save: { state: 'received', unsent: 0 } })
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
    expect(logged(ANA)).toBe(1)
  })

  it('connects anew when an acknowledgement does not come', async () => {
    const ana = await world.openPage()
    world.server.isHeld = true
    retitle(ana, 'Queue is stuck')
    await world.clock.advance(14_000)
    expect(ana.room().link).toBe('online')
    world.server.isHeld = false
    await world.clock.advance(2_500)
    expect(ana.room().save).toMatchObject({ state: 'received', unsent: 0 })
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
  })

  it('does not wait when the network says that it is back', async () => {
    const ana = await world.openPage()
    await world.stopGateway()
    await world.clock.advance(60_000)
    await world.startGateway()
    ana.nudge()
    await world.settle()
    expect(ana.room().link).toBe('online')
  })

  it('notices at once when the browser says that the network is gone', async () => {
    const ana = await world.openPage()
    ana.networkLost()
    await world.clock.advance(0)
    expect(ana.room().link).toBe('offline')
  })
})

describe('a reload', () => {
  it('without a link shows the document with the own edits, and sends them later', async () => {
    const storage = createMemoryDocumentStorage()
    const before = await world.openPage({ storage })
    await world.stopGateway()
    retitle(before, 'Queue is stuck')
    await world.clock.advance(500)
    await before.close()

    const after = await world.openPage({ storage })
    await world.settle()
    expect(after.room()).toMatchObject({ state: 'ready', link: 'offline', save: { state: 'offline', unsent: 1 } })
    expect(titleOn(after)).toBe('Queue is stuck')
    await world.startGateway()
    await world.clock.advance(2_000)
    expect(after.room()).toMatchObject({ link: 'online', save: { state: 'received', unsent: 0 } })
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
  })

  it('keeps the reason for a text that was not accepted', async () => {
    const storage = createMemoryDocumentStorage()
    const before = await world.openPage({ storage })
    forceTitle(before, 'x'.repeat(LIMITS.titleLength))
    await world.clock.advance(2_000)
    const [parked] = before.room().rejected
    await before.close()
    const after = await world.openPage({ storage })
    expect(after.room().rejected).toEqual([parked])
    after.room().dismiss(parked?.id ?? '')
    await world.clock.advance(500)
    await after.close()
    expect((await world.openPage({ storage })).room().rejected).toEqual([])
  })

  it('keeps it also while another tab writes down what it saw itself', async () => {
    const storage = createMemoryDocumentStorage()
    const other = await world.openPage({ storage })
    const before = await world.openPage({ storage })
    forceTitle(before, 'x'.repeat(LIMITS.titleLength))
    await world.clock.advance(2_000)
    const [parked] = before.room().rejected
    expect(parked).toBeDefined()
    // Both write their notes, the one without the text last.
    await before.close()
    other.edit.setSeverity('low')
    await world.clock.advance(2_000)
    await other.close()
    expect((await world.openPage({ storage })).room().rejected).toEqual([parked])
  })

  it('keeps what is unsent also while another tab writes down that it has nothing', async () => {
    const storage = createMemoryDocumentStorage()
    const other = await world.openPage({ storage })
    const before = await world.openPage({ storage })
    await world.stopGateway()
    retitle(before, 'Queue is stuck')
    await world.clock.advance(500)
    // The one without the text writes its note last.
    other.setHidden(true)
    await world.clock.advance(10_000)
    await before.close()
    await other.close()

    const after = await world.openPage({ storage })
    await world.settle()
    expect(after.room().save).toMatchObject({ state: 'offline', unsent: 1 })
    world.server.grants.set(ANA, { canWrite: false })
    await world.startGateway()
    await world.clock.advance(5_000)
    expect(after.room().rejected.map(({ text }) => text)).toEqual(['Queue is stuck'])
    await after.close()
    // Answered for once: nobody asks for it again.
    expect((await world.openPage({ storage })).room().save.unsent).toBe(0)
  })

  it('leaves to a tab what it adds after another one took over what it had written down', async () => {
    const storage = createMemoryDocumentStorage()
    const first = await world.openPage({ storage })
    await world.stopGateway()
    retitle(first, 'Queue is stuck')
    await world.clock.advance(500)
    const second = await world.openPage({ storage })
    await world.clock.advance(500)
    first.edit.setSeverity('low')
    await world.clock.advance(500)
    second.edit.setType('cost')
    await world.clock.advance(500)
    await Promise.all([first.close(), second.close()])
    const [note] = [...storage.stored.values()].map((entry) => StoredNoteSchema.parse(entry.note))
    const fields = Object.values(note?.pending ?? {}).flatMap((pending) => pending.fields)
    expect(fields.filter((field) => field.startsWith('incident/')).toSorted()).toEqual([
      'incident/severity',
      'incident/type',
    ])
  })

  it('reads the note of the version before, which counted the edits of all tabs as one’s', async () => {
    const storage = createMemoryDocumentStorage()
    const before = await world.openPage({ storage })
    await world.stopGateway()
    retitle(before, 'Queue is stuck')
    await world.clock.advance(500)
    await before.close()
    const [entry] = storage.stored.values()
    const { pending, ...note } = StoredNoteSchema.parse(entry?.note)
    if (entry) entry.note = { ...note, pending: Object.values(pending)[0] }
    expect((await world.openPage({ storage })).room().save.unsent).toBe(1)
  })

  it('asks before leaving while a refused text is nowhere but in the page', async () => {
    const storage = createMemoryDocumentStorage()
    const ana = await world.openPage({ storage })
    forceTitle(ana, 'x'.repeat(LIMITS.titleLength))
    await eventually(async () => {
      await world.clock.advance(1)
      expect(ana.room().rejected).toHaveLength(1)
    })
    expect(ana.room()).toMatchObject({ state: 'loading', save: { unsent: 0 } })
    expect(ana.hasUnsent()).toBe(true)
    await world.clock.advance(2_000)
    expect(ana.room().state).toBe('ready')
    expect(ana.hasUnsent()).toBe(false)
  })

  it('works where the browser keeps nothing', async () => {
    const storage = createMemoryDocumentStorage()
    storage.failWith = new Error('storage is forbidden')
    const ana = await world.openPage({ storage })
    expect(ana.room().state).toBe('ready')
    retitle(ana, 'Queue is stuck')
    await world.clock.advance(500)
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
    expect(ana.room().save.isKept).toBe(false)
  })

  it('says where what is unsent is only on this page: the browser ran out of room, until it has some again', async () => {
    const storage = createMemoryDocumentStorage()
    const ana = await world.openPage({ storage })
    await world.stopGateway()
    storage.failWith = new Error('no room')
    retitle(ana, 'Queue is stuck')
    await world.clock.advance(500)
    expect(ana.room().save).toMatchObject({ state: 'offline', unsent: 1, isKept: false })
    storage.failWith = null
    retitle(ana, 'Queue is full again')
    await world.clock.advance(500)
    expect(ana.room().save.isKept).toBe(true)
  })

  it('does not wait for a storage that never opens', async () => {
    const storage = createMemoryDocumentStorage()
    storage.find = () => new Promise(() => {})
    const ana = await world.openPage({ storage })
    expect(ana.room().state).toBe('loading')
    await world.clock.advance(2_000)
    expect(ana.room().state).toBe('ready')
  })
})

describe('a refusal', () => {
  it('[COLLAB-7] moves the own text to the tray, starts over and sends nothing again', async () => {
    const storage = createMemoryDocumentStorage()
    const ana = await world.openPage({ userId: ANA, storage })
    const bo = await world.openPage({ userId: BO })
    const text = 'x'.repeat(LIMITS.titleLength)
    forceTitle(ana, text)
    await world.clock.advance(2_000)
    expect(ana.room().rejected).toMatchObject([
      {
        field: `hypotheses/${QUEUE}/title`,
        label: 'Hypothesis',
        text: `${text}Queue is full`,
        reason: `longer than ${LIMITS.titleLength} characters`,
      },
    ])
    expect(ana.room()).toMatchObject({ state: 'ready', link: 'online', save: { state: 'saved', unsent: 0 } })
    expect(titleOn(ana)).toBe('Queue is full')
    expect(titleOn(bo)).toBe('Queue is full')
    expect(bo.room().link).toBe('online')
    expect(logged(ANA)).toBe(0)
    // What this browser keeps no longer has it either.
    await ana.close()
    await world.stopGateway()
    const reloaded = await world.openPage({ userId: ANA, storage })
    expect(titleOn(reloaded)).toBe('Queue is full')
    await world.startGateway()
  })

  it('[COLLAB-7] parks only what had not arrived', async () => {
    const ana = await world.openPage()
    world.log.hold = true
    const comment = ana.edit.addComment({ hypothesisId: null, body: 'This one is fine' })
    await world.settle()
    forceTitle(ana, 'x'.repeat(LIMITS.titleLength))
    await world.settle()
    world.log.hold = false
    world.log.release()
    await world.clock.advance(2_000)
    expect(ana.room().rejected.map(({ field }) => field)).toEqual([`hypotheses/${QUEUE}/title`])
    expect(ana.room().view.comments.find(({ id }) => id === comment)?.body).toBe('This one is fine')
  })

  it('lets the person go on after it', async () => {
    const ana = await world.openPage()
    forceTitle(ana, 'x'.repeat(LIMITS.titleLength))
    await world.clock.advance(2_000)
    retitle(ana, 'Queue is stuck')
    await world.settle()
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
    ana.room().dismiss(ana.room().rejected[0]?.id ?? '')
    expect(ana.room().rejected).toEqual([])
  })

  it('names changes that have no text of their own', async () => {
    const ana = await world.openPage()
    const core = { type: 'factor', created_by: BO, created_at: '2026-01-01T00:00:00.000Z' }
    const { doc } = ana.edit.hypothesisTitle(QUEUE)
    doc?.transact(() => {
      doc.getMap('incident').set('severity', 'critical')
      doc.getMap('comments').set(testId('z', 1), core)
    })
    await world.clock.advance(2_000)
    expect(ana.room().rejected).toMatchObject([{ label: 'Severity', text: 'critical', reason: 'not an entry' }])
  })

  it('[COLLAB-8] of a role that ended in mid-typing parks the text and makes the document read-only', async () => {
    const ana = await world.openPage()
    world.server.isHeld = true
    retitle(ana, 'Queue is stuck')
    await world.settle()
    const socket = world.server.sockets[0]
    if (!socket || !world.server.room) throw new Error('there is no socket')
    world.server.room.changeRole(socket.peer, { canWrite: false, isModerator: false })
    await world.settle()
    expect(ana.room().canWrite).toBe(false)
    expect(() => ana.edit.setSeverity('low')).toThrow(DocumentEditError)
    expect(ana.room().undo.undo()).toBe(false)
    world.server.grants.set(ANA, { canWrite: false })
    world.server.isHeld = false
    socket.release()
    await world.clock.advance(2_000)
    expect(ana.room().rejected).toMatchObject([{ text: 'Queue is stuck', reason: expect.stringContaining('read') }])
    expect(ana.room()).toMatchObject({ state: 'ready', link: 'online', canWrite: false })
    expect(titleOn(ana)).toBe('Queue is full')
    expect(logged(ANA)).toBe(0)
  })

  it('[COLLAB-8] meets edits that were made offline before the role was lowered', async () => {
    const ana = await world.openPage()
    world.server.cut()
    await world.settle()
    retitle(ana, 'Queue is stuck')
    world.server.grants.set(ANA, { canWrite: false })
    await world.clock.advance(3_000)
    expect(ana.room().rejected.map(({ text }) => text)).toEqual(['Queue is stuck'])
    expect(ana.room()).toMatchObject({ state: 'ready', link: 'online', canWrite: false, save: { unsent: 0 } })
    expect(titleOn(ana)).toBe('Queue is full')
  })
})

describe('a closed socket', () => {
  const refuse = async (name: keyof typeof CLOSE_CODES): Promise<void> => {
    world.server.refuseWith = CLOSE_CODES[name].code
    world.server.cut()
    await world.clock.advance(1_000)
  }

  it('[COLLAB-6] 4401 asks for a sign-in, keeps the document and comes back when told to', async () => {
    const ana = await world.openPage()
    await refuse('loginNeeded')
    expect(world.signIns).toEqual([ANA])
    expect(ana.room()).toMatchObject({ state: 'ready', link: 'offline' })
    await world.clock.advance(600_000)
    expect(world.signIns).toEqual([ANA])
    world.server.refuseWith = null
    ana.nudge()
    await world.settle()
    expect(ana.room().link).toBe('online')
  })

  it('[COLLAB-6] 4403 shows and keeps nothing of the document, and saves own texts', async () => {
    const storage = createMemoryDocumentStorage()
    // Something in it may wait to be sent.
    const key = { userId: ANA, incidentId: testId('i', 9), epoch: 'epoch-1' }
    storage.stored.set('another incident', { key, updates: [], note: undefined })
    const ana = await world.openPage({ storage })
    world.server.cut()
    await world.settle()
    retitle(ana, 'Queue is stuck')
    await refuse('accessRemoved')
    expect(ana.room()).toMatchObject({ state: 'denied', view: { comments: [] } })
    expect(ana.room().view.hypotheses.size).toBe(0)
    expect(ana.room().rejected.map(({ text }) => text)).toEqual(['Queue is stuck'])
    // Only this page has it now.
    expect(ana.hasUnsent()).toBe(true)
    expect([...storage.stored.keys()]).toEqual(['another incident'])
    const sockets = world.server.sockets.length
    ana.nudge()
    await world.clock.advance(600_000)
    expect(world.server.sockets).toHaveLength(sockets)
  })

  it('[COLLAB-42] 4505 keeps the document and what is typed, says why nothing is saved, and comes back by itself', async () => {
    const ana = await world.openPage()
    await refuse('gatewayRefused')
    retitle(ana, 'Queue is stuck')
    expect(ana.room()).toMatchObject({ state: 'ready', failure: null, link: 'offline', rejected: [] })
    expect(
      ana
        .room()
        .save.problems.map(({ message }) => message)
        .join(),
    ).toContain('Watchroom’s own credential')
    world.server.refuseWith = null
    await world.clock.advance(20_000)
    expect(ana.room()).toMatchObject({ link: 'online', save: { problems: [] } })
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
  })

  it('[COLLAB-42] 4505 says why an incident does not open', async () => {
    world.server.refuseWith = CLOSE_CODES.gatewayRefused.code
    const ana = await world.openPage()
    expect(ana.room()).toMatchObject({ state: 'loading', failure: expect.stringContaining('own credential') })
    world.server.refuseWith = null
    await world.clock.advance(20_000)
    expect(ana.room()).toMatchObject({ state: 'ready', failure: null })
  })

  it('[COLLAB-6] 4404 says that there is no such incident', async () => {
    world.server.refuseWith = CLOSE_CODES.notFound.code
    const ana = await world.openPage()
    expect(ana.room().state).toBe('notFound')
  })

  it('4426 asks for a reload', async () => {
    const ana = await world.openPage()
    await refuse('versionUnknown')
    expect(ana.room()).toMatchObject({ state: 'failed', failure: expect.stringContaining('Reload') })
  })

  it('4410 starts over with the new document', async () => {
    const ana = await world.openPage()
    await refuse('epochGone')
    world.server.refuseWith = null
    await world.clock.advance(15_000)
    expect(ana.room()).toMatchObject({ state: 'ready', link: 'online' })
    expect(titleOn(ana)).toBe('Queue is full')
  })

  it('[COLLAB-19] [COLLAB-20] 4504 and then 4410: what nobody got goes to the tray, the former copy is dropped, the new one is complete', async () => {
    const storage = createMemoryDocumentStorage()
    const ana = await world.openPage({ storage })
    retitle(ana, 'Queue is stuck')
    await world.settle()
    world.server.isHeld = true
    retitle(ana, 'Queue is stuck since nine')
    await world.settle()
    await world.renew('epoch-2')
    world.server.isHeld = false
    await world.clock.advance(30_000)
    expect(ana.room()).toMatchObject({ state: 'ready', link: 'online', save: { unsent: 0 } })
    expect(titleOn(ana)).toBe('Queue is stuck')
    expect(ana.room().rejected).toMatchObject([{ text: 'Queue is stuck since nine' }])
    // Nothing of the former epoch came along.
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
    expect(world.server.room?.epoch).toBe('epoch-2')
    retitle(ana, 'Queue is fine')
    await world.settle()
    expect(titleAt(world, QUEUE)).toBe('Queue is fine')
    expect([...storage.stored.keys()].some((name) => name.includes('epoch-1'))).toBe(false)
  })

  it('[DOC-1] a layout that is newer than the page makes it read-only, with the reason, while it is open', async () => {
    const ana = await world.openPage()
    await world.server.room?.writeAsServer((doc) => rootOf(doc, 'meta').set('schema', 99))
    await world.settle()
    expect(ana.room()).toMatchObject({ state: 'ready', link: 'online', canWrite: false })
    expect(ana.room().save).toMatchObject({
      state: 'problem',
      problems: [{ message: expect.stringContaining('newer version of Watchroom. Reload') }],
    })
    expect(() => ana.room().edit.setHypothesisStatus(QUEUE, 'proven')).toThrow('not change it')
    const bo = await world.openPage({ userId: BO })
    expect(bo.room()).toMatchObject({ state: 'ready', canWrite: false })
    expect(titleOn(bo)).toBe('Queue is full')
  })

  it('[COLLAB-10] 4429 keeps the edits, says why, and comes back after five minutes', async () => {
    const ana = await world.openPage()
    await refuse('rateExceeded')
    retitle(ana, 'Queue is stuck')
    await world.settle()
    expect(ana.room().save).toMatchObject({ state: 'problem', unsent: 1 })
    const sockets = world.server.sockets.length
    await world.clock.advance(290_000)
    expect(world.server.sockets).toHaveLength(sockets)
    world.server.refuseWith = null
    await world.clock.advance(15_000)
    expect(ana.room().save).toMatchObject({ state: 'received', problems: [] })
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
  })

  it('leaves no timer and no socket behind when the screen goes', async () => {
    const timers = world.clock.pending
    const ana = await world.openPage()
    retitle(ana, 'Queue is stuck')
    await world.settle()
    await ana.close()
    await world.settle()
    expect(world.server.sockets.every((socket) => !socket.isOpen())).toBe(true)
    // The room's own: a snapshot and the presence that just ended.
    await world.clock.advance(5_000)
    expect(world.clock.pending).toBe(timers)
  })
})

describe('presence', () => {
  /** Client ids of every awareness entry that browsers sent. */
  const announced = (): number[][] =>
    world.server.received.flatMap((frame) => {
      const decoder = decoding.createDecoder(frame)
      if (decoding.readVarUint(decoder) !== FRAME.awareness) return []
      const entries = decoding.createDecoder(decoding.readVarUint8Array(decoder))
      return [
        Array.from({ length: decoding.readVarUint(entries) }, () => {
          const clientId = decoding.readVarUint(entries)
          decoding.readVarUint(entries)
          decoding.readVarString(entries)
          return clientId
        }),
      ]
    })

  it('[COLLAB-9] is sent for oneself alone, never as an echo of others', async () => {
    const pages = [await world.openPage(), await world.openPage({ userId: BO }), await world.openPage({ userId: BO })]
    const ids = pages.map((page) => page.room().self.clientId)
    world.server.received.length = 0
    pages[0]?.room().setPlace({ viewing: { entity: `hypotheses/${QUEUE}` } })
    await world.clock.advance(1_000)
    expect(announced()).toEqual([[ids[0]]])
    expect(pages[1]?.room().peers.find(({ clientId }) => clientId === ids[0])?.viewing).toEqual({
      entity: `hypotheses/${QUEUE}`,
    })
  })

  it('[COLLAB-9] shows one peer a tab, oneself excluded, with the identity of the session', async () => {
    const ana = await world.openPage({ userId: ANA })
    await world.openPage({ userId: BO })
    const second = await world.openPage({ userId: BO, canWrite: false })
    await world.clock.advance(500)
    expect(ana.room().peers).toHaveLength(2)
    expect(new Set(ana.room().peers.map(({ user }) => user.id))).toEqual(new Set([BO]))
    expect(new Set(ana.room().peers.map(({ color }) => color)).size).toBe(1)
    const peer = ana.room().peers.find(({ clientId }) => clientId === second.room().self.clientId)
    expect(peer).toMatchObject({ canWrite: false, presence: 'active' })
    await second.close()
    await world.clock.advance(500)
    expect(ana.room().peers).toHaveLength(1)
  })

  it('tells at most ten places a second, and the last one', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    await world.clock.advance(1_000)
    world.server.received.length = 0
    for (let index = 0; index < 100; index++) {
      ana.room().setPlace({ viewing: { entity: `hypotheses/${index}` } })
      await world.clock.advance(10)
    }
    expect(announced().length).toBeLessThanOrEqual(11)
    await world.clock.advance(300)
    expect(bo.room().peers[0]?.viewing?.entity).toBe('hypotheses/99')
  })

  it('is idle after a minute without input, away in a hidden tab, and active again with the next move', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    const seen = async (): Promise<unknown> => {
      await world.clock.advance(300)
      return bo.room().peers[0]?.presence
    }
    expect(await seen()).toBe('active')
    await world.clock.advance(IDLE_MS)
    expect(await seen()).toBe('idle')
    ana.noteActivity()
    expect(await seen()).toBe('active')
    ana.setHidden(true)
    expect(await seen()).toBe('away')
    ana.noteActivity()
    expect(await seen()).toBe('away')
    ana.setHidden(false)
    expect(await seen()).toBe('active')
  })

  it('follows only who agreed, tells them, and ends with their agreement', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    await world.clock.advance(300)
    const anaId = ana.room().self.clientId
    bo.room().follow(anaId)
    expect(bo.room().following).toBeNull()
    ana.room().lead(true, 0.25)
    ana.room().setPlace({ viewing: { entity: `hypotheses/${QUEUE}` } })
    await world.clock.advance(300)
    bo.room().follow(anaId)
    await world.clock.advance(300)
    expect(bo.room().following).toBe(anaId)
    expect(ana.room().followers.map(({ user }) => user.id)).toEqual([BO])
    expect(bo.room().peers[0]?.leading).toEqual({ ratio: 0.25 })
    ana.room().lead(false)
    await world.clock.advance(300)
    expect(bo.room().following).toBeNull()
    await world.clock.advance(300)
    expect(ana.room().followers).toEqual([])
  })

  it('knows for some seconds what others changed and who, and nothing of own edits or of what comes with a link', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO, name: 'Bo' })
    await world.clock.advance(300)
    retitle(ana, 'Queue is stuck')
    bo.edit.setHypothesisStatus(PRINTER, 'proven')
    bo.edit.setSeverity('low')
    await world.clock.advance(1_000)
    const touched = () => [...ana.room().touched].map(([path, { by }]) => [path, by?.user.name])
    expect(touched()).toEqual([
      [`hypotheses/${PRINTER}`, 'Bo'],
      ['incident/severity', 'Bo'],
    ])
    expect([...bo.room().touched.keys()]).toEqual([`hypotheses/${QUEUE}`])
    await world.clock.advance(2_000)
    bo.edit.setHypothesisStatus(PRINTER, 'likely')
    const { id } = ana.room().touched.get(`hypotheses/${PRINTER}`)!
    await world.clock.advance(3_000)
    // Whoever goes on is one touch.
    expect([...ana.room().touched]).toEqual([[`hypotheses/${PRINTER}`, expect.objectContaining({ id })]])
    await world.clock.advance(4_000)
    expect(touched()).toEqual([])
    const late = await world.openPage({ userId: ANA })
    await world.clock.advance(300)
    expect(late.room().touched.size).toBe(0)
  })

  it('is gone while a document is only kept open to send the rest', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    await world.clock.advance(300)
    ana.setShown(false)
    await world.clock.advance(300)
    expect(bo.room().peers).toEqual([])
    ana.setShown(true)
    await world.clock.advance(300)
    expect(bo.room().peers).toHaveLength(1)
  })
})

describe('since you left', () => {
  it('counts what others did between the last look and a later visit, by author', async () => {
    const storage = createMemoryDocumentStorage()
    const before = await world.openPage({ userId: ANA, storage })
    retitle(before, 'Queue is stuck')
    await world.clock.advance(1_000)
    const leftAt = world.clock.now()
    await before.close()
    const bo = await world.openPage({ userId: BO })
    const comment = bo.edit.addComment({ hypothesisId: QUEUE, body: 'found it' })
    bo.edit.setHypothesisStatus(PRINTER, 'proven')
    await world.clock.advance(120_000)

    const after = await world.openPage({ userId: ANA, storage })
    const { digest } = after.room()
    expect(digest?.since).toBeLessThanOrEqual(leftAt)
    expect(digest?.entries).toEqual([
      { kind: 'hypotheses', id: PRINTER, change: 'changed', fields: ['status'], authorId: null },
      { kind: 'comments', id: comment, change: 'added', fields: [], authorId: BO },
    ])
    expect(digest?.byAuthor).toContainEqual({ authorId: BO, count: 1 })
    after.room().dismissDigest()
    expect(after.room().digest).toBeNull()
  })

  it('says nothing when nothing happened, and nothing of own edits', async () => {
    const storage = createMemoryDocumentStorage()
    const before = await world.openPage({ storage })
    await world.stopGateway()
    retitle(before, 'Queue is stuck')
    await world.clock.advance(1_000)
    await before.close()
    await world.startGateway()
    await world.clock.advance(120_000)
    const after = await world.openPage({ storage })
    await world.settle()
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
    expect(after.room().digest).toBeNull()
  })

  it('covers a tab that was hidden for a while, not a glance elsewhere', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    ana.setHidden(true)
    retitle(bo, 'Queue is stuck')
    await world.clock.advance(30_000)
    ana.setHidden(false)
    expect(ana.room().digest).toBeNull()
    ana.setHidden(true)
    bo.edit.removeHypothesis(PRINTER)
    await world.clock.advance(90_000)
    ana.setHidden(false)
    expect(ana.room().digest?.entries).toEqual([
      { kind: 'hypotheses', id: PRINTER, change: 'removed', fields: [], authorId: BO },
    ])
  })
})
