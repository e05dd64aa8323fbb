import { z } from 'zod'

import { UNIQUE_VIOLATION } from '../../api/databaseFaults.ts'
import { request, RequestError } from '../../api/request.ts'
import { newId } from '../../collab/newId.ts'
import { faultsOf, type FieldFault, type HasFaults } from '../../ui/form/fieldFault.ts'
import { type PlaybookForm, toNewPlaybook } from './playbookForm.ts'
import { type PlaybookRow, playbookTable } from './playbookQueries.ts'

/** A playbook's name is its first title and never changes, so the form has no field for it. */
class PlaybookRefused extends Error implements HasFaults {
  override readonly name = 'PlaybookRefused'
  readonly faults: readonly FieldFault[]

  constructor(fault: FieldFault, cause: unknown) {
    super(fault.message, { cause })
    this.faults = [fault]
  }
}

const isNameTaken = (error: unknown): boolean =>
  error instanceof RequestError &&
  error.details.sourceCode === UNIQUE_VIOLATION &&
  faultsOf(error).some(({ field }) => field === 'name')

/**
 * Adds a playbook. If an earlier playbook with this title was renamed, the title is free but the name is not.
 *
 * @throws PlaybookRefused when the title is taken
 */
export async function addPlaybook(form: PlaybookForm, userId: string): Promise<PlaybookRow> {
  const row = toNewPlaybook(form, userId)
  try {
    return await playbookTable.insert(row)
  } catch (error) {
    if (!isNameTaken(error)) throw error
    if (await isTitleTaken(row)) {
      const message = `A playbook of this title is there already${row.category === '' ? '' : ' in this category'}`
      throw new PlaybookRefused({ field: 'title', message }, error)
    }
    return playbookTable.insert({ ...row, name: `${row.name} ${newId().slice(-12)}` })
  }
}

async function isTitleTaken({ title, category }: { title: string; category: string }): Promise<boolean> {
  const [wanted, within] = [title, category].map(encodeURIComponent)
  const path = `/api/db/playbooks?title=eq.${wanted}&category=eq.${within}&deleted_at=is.null&select=id&limit=1`
  return (await request(path, { schema: z.array(z.object({ id: z.string() })) })).length > 0
}

/** @throws PlaybookRefused when the category has one of its name already */
export async function atPlaybookFields<Saved>(save: () => Promise<Saved>): Promise<Saved> {
  try {
    return await save()
  } catch (error) {
    if (!isNameTaken(error)) throw error
    const message = 'This category has another playbook that was first called the same. Choose another category.'
    throw new PlaybookRefused({ field: 'category', message }, error)
  }
}
