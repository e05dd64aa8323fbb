import { type PrimitiveAtom, useAtom } from 'jotai'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

/** A person's choices about the columns of a table: shown or hidden, if not the default, and widths in pixels. */
export interface ColumnLayout {
  readonly visible: Readonly<Record<string, boolean>>
  readonly widths: Readonly<Record<string, number>>
}

export const DEFAULT_LAYOUT: ColumnLayout = { visible: {}, widths: {} }

const ColumnLayoutSchema = z.object({
  visible: z.record(z.string(), z.boolean()),
  widths: z.record(z.string(), z.number().positive()),
})

const atoms = new Map<string, PrimitiveAtom<ColumnLayout>>()

function layoutAtom(table: string): PrimitiveAtom<ColumnLayout> {
  const known = atoms.get(table)
  if (known !== undefined) return known
  const made = storedAtom<ColumnLayout>(`columns:${table}`, {
    schema: ColumnLayoutSchema,
    version: 1,
    fallback: DEFAULT_LAYOUT,
  }) as PrimitiveAtom<ColumnLayout>
  atoms.set(table, made)
  return made
}

/** The columns of one table, as this browser remembers them. */
export function useColumnLayout(table: string): [ColumnLayout, (layout: ColumnLayout) => void] {
  return useAtom(layoutAtom(table))
}
