import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ANA, BO, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, titleAt } from '#support/incidentWorld.ts'

const QUEUE = testId('h', 2)

let world: IncidentWorld
beforeEach(async () => {
  world = await createIncidentWorld()
})
afterEach(() => world.close())

describe('opening', () => {
  it('[COLLAB-1] shows the document of the gateway and the edits of others', async () => {
    const ana = await world.openPage({ userId: ANA })
    const bo = await world.openPage({ userId: BO })
    expect(ana.room().state).toBe('ready')
    expect(ana.room().link).toBe('online')
    expect(ana.room().view.hypotheses.get(QUEUE)?.title).toBe('Queue is full')
    bo.edit.replaceText(bo.edit.hypothesisTitle(QUEUE), 'Queue is stuck')
    await world.settle()
    expect(ana.room().view.hypotheses.get(QUEUE)?.title).toBe('Queue is stuck')
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
  })
})
