import { readIncident } from '@watchroom/shared/collab'
import { clip, messageOf } from '@watchroom/shared/kernel'

import { testId, type TestPeer } from './incidentDocument.ts'
import { randomText } from './randomText.ts'

export type Random = () => number
export const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items[Math.floor(random() * items.length)]

/** One random edit as the screen would make it; refused ones are part of the game and change nothing. */
export function editSomething({ doc, edit, undo }: Pick<TestPeer, 'doc' | 'edit' | 'undo'>, random: Random): string {
  const view = readIncident(doc)
  const current = [...view.hypotheses.values()].filter(({ removed }) => !removed).map(({ id }) => id)
  const some = pick(random, current)
  const other = random() < 0.1 ? null : (pick(random, current) ?? null)
  const dice = random()
  try {
    if (dice < 0.35 && some)
      return (
        edit.moveHypothesis(some, { parentId: other, afterId: pick(random, current) ?? null }),
        `move ${some} below ${other}`
      )
    if (dice < 0.5)
      return `add ${edit.addHypothesis({ title: `t${dice}`, parentId: other, afterId: null })} below ${other}`
    if (dice < 0.65 && some) {
      const title = retitle(edit.hypothesisTitle(some).toJSON(), random)
      return (edit.replaceText(edit.hypothesisTitle(some), title), `title ${some} ${JSON.stringify(title)}`)
    }
    if (dice < 0.72 && some) return (edit.removeHypothesis(some), `remove ${some}`)
    if (dice < 0.76) {
      const gone = pick(
        random,
        [...view.hypotheses.values()].filter(({ removed }) => removed),
      )
      return gone ? (edit.restoreHypothesis(gone.id), `restore ${gone.id}`) : 'nothing'
    }
    if (dice < 0.84 && some) return (edit.setHypothesisStatus(some, 'disproven'), `status ${some}`)
    if (dice < 0.9) return `comment ${edit.addComment({ hypothesisId: some ?? null, body: `c${randomText(random)}` })}`
    if (dice < 0.94) return (edit.setDone(testId('e', 1), dice < 0.92), 'done')
    return dice < 0.98 ? `undo ${undo.undo()}` : `redo ${undo.redo()}`
  } catch (error) {
    return `refused: ${messageOf(error)}`
  }
}

/** Another text that has its beginning or its end in common with the former one, now and then neither. */
export function retitle(before: string, random: Random): string {
  const kept = clip(before, Math.floor(random() * 40))
  const dice = random()
  const next =
    dice < 0.4 ? `${kept}${randomText(random)}` : dice < 0.8 ? `${randomText(random)}${kept}` : randomText(random)
  return `t${clip(next, 60)}`
}
