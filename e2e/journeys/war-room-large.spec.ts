import { randomUUID } from 'node:crypto'

import { callBackend, personId } from '../fixtures/backend.ts'
import { expect, test } from '../fixtures/test.ts'
import { openResponder } from '../fixtures/warRoom.ts'

const HYPOTHESES = 90
const COMMENTS = 160

test.setTimeout(180_000)

/** An incident with more in it than a window shows, by the doors that scripts use. */
async function seed(url: string): Promise<{ path: string; commentIds: string[] }> {
  const created_by = await personId(url, 'commander')
  const id = randomUUID()
  // What is inserted at once is of one moment, and then stands in the order of its ids.
  const inOrder = (_: unknown, index: number): string => `${String(index).padStart(8, '0')}${randomUUID().slice(8)}`
  const hypothesisIds = Array.from({ length: HYPOTHESES }, inOrder)
  const commentIds = Array.from({ length: COMMENTS }, inOrder)
  await callBackend(url, '/db/incidents', {
    id,
    title: 'A long night',
    description: '',
    severity: 'high',
    type: 'availability',
    status: 'open',
    created_by,
    commander_id: created_by,
    communicator_id: created_by,
  })
  await callBackend(
    url,
    '/db/hypotheses',
    hypothesisIds.map((hypothesisId, index) => ({
      id: hypothesisId,
      incident_id: id,
      parent_id: index === 0 ? null : hypothesisIds[0],
      type: index === 0 ? 'root' : 'factor',
      status: 'possible',
      title: `Cause ${index + 1}`,
      created_by,
    })),
  )
  await callBackend(
    url,
    '/db/comments',
    commentIds.map((commentId, index) => ({
      id: commentId,
      incident_id: id,
      hypothesis_id: hypothesisIds[index % 30],
      comment: `Remark ${index + 1}`,
      created_by,
    })),
  )
  return { path: `/incidents/${id}`, commentIds }
}

test('a large room is written in, scrolled and walked through like a small one', async ({ browser, gateway }) => {
  const { path, commentIds } = await seed(gateway.url)
  const ana = await openResponder(browser, gateway, 'responder')
  const { page, room } = ana
  await page.goto(path)
  const remark = (number: number) => page.getByText(`Remark ${number}`, { exact: true })

  // Only what is near the window is there, and the box below all of it can be written in at once.
  await expect(remark(1)).toBeVisible({ timeout: 60_000 })
  await expect(remark(COMMENTS)).toHaveCount(0)
  const box = page.getByRole('textbox', { name: 'Comment' })
  await box.pressSequentially('Found it')
  await box.press('Enter')
  await expect(box).toHaveValue('')
  await expect(page.getByText('Found it', { exact: true })).toBeInViewport()
  await expect(remark(COMMENTS)).toBeVisible()
  await expect(remark(1)).toHaveCount(0)

  // A link to a comment shows it, with the keyboard on it.
  await page.goto(`${path}?comment=${commentIds[79]}`)
  await expect(remark(80)).toBeInViewport()
  await expect(page.locator(`[data-entity="comments/${commentIds[79]}"]`)).toBeFocused()

  await page.goto(`${path}?tab=action-plan`)
  await room.hypothesis('Cause 1').first().focus()
  await page.keyboard.press('End')
  const last = page.locator('[role="treeitem"]:focus')
  await expect(last).toHaveAttribute('aria-posinset', String(HYPOTHESES - 1))
  await expect(last).toHaveAttribute('aria-setsize', String(HYPOTHESES - 1))
  await expect(last).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.type(' of the night')
  await page.keyboard.press('Enter')
  await expect(last).toContainText('of the night')

  // The row of the keyboard stays while the page is scrolled away from it.
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect(room.hypothesis('Cause 2').first()).toBeInViewport()
  await expect(last).toContainText('of the night')
  await expect(last).not.toBeInViewport()
  await page.keyboard.press('ArrowUp')
  await expect(last).toHaveAttribute('aria-posinset', String(HYPOTHESES - 2))
  await expect(last).toBeInViewport()

  await page.getByRole('button', { name: 'Expand All' }).click()
  await expect(remark(1)).toBeAttached()
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3_000)
  await room.expectSaved()
  expect(ana.complaints).toEqual([])
  await ana.leave()
})
