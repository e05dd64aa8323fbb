// The part of a run that writes nothing: reads what a spec names, and compares it with what is stored.
import { SCRAPER_FAMILIES, type ItemRules, type ScraperFamily, type ScraperSpec } from '@watchroom/shared/specs'

import type { LookUp } from '../../../check-runner/lookApart.ts'
import { type Family, type ReadContext, SourceFault } from '../family.ts'
import type { SourceWarning } from '../item.ts'
import { createMasking, type Masking } from './createMasking.ts'
import { createPatientLookUp } from './createPatientLookUp.ts'
import { normalise } from './normalise.ts'
import { createPlan, type Plan } from './plan.ts'
import { createExpressions } from './rules.ts'
import type { StoredItem } from './stored.ts'

export interface ReadDeps {
  readonly families: ReadonlyMap<string, Family>
  readonly lookUp: LookUp
}

export interface Reading {
  readonly plan: Plan
  readonly warnings: readonly SourceWarning[]
  /** Whether what was not found is gone. */
  readonly isComplete: boolean
  readonly masking: Masking
}

/** What one spec names, by family. */
export interface Sources {
  readonly here: readonly { readonly family: Family; readonly element: ItemRules; readonly index: number }[]
  /** Families that other programs run. */
  readonly elsewhere: readonly string[]
}

const MAX_ITEMS = 100_000
/** Of documents that wait to be written. */
const MAX_CHARACTERS = 256 * 1_048_576
const MAX_WARNINGS = 1_000

export function sourcesOf(spec: ScraperSpec, families: ReadonlyMap<string, Family>): Sources {
  const named = (Object.keys(SCRAPER_FAMILIES) as ScraperFamily[]).filter((name) => (spec[name]?.length ?? 0) > 0)
  return {
    here: named.flatMap((name) => {
      const family = families.get(name)
      // The element was parsed by the schema of its family.
      return family
        ? (spec[name] ?? []).map((element, index) => ({ family, element: element as ItemRules, index }))
        : []
    }),
    elsewhere: [...named.filter((name) => !families.has(name)), ...(spec.custom === undefined ? [] : ['custom'])],
  }
}

export async function readItems(
  {
    spec,
    secrets,
    stored,
  }: { readonly spec: ScraperSpec; readonly secrets: readonly string[]; readonly stored: readonly StoredItem[] },
  context: ReadContext,
  { families, lookUp }: ReadDeps,
): Promise<Reading> {
  const masking = createMasking(secrets)
  const plan = createPlan(stored)
  const warnings = createWarnings(masking)
  const patient = createPatientLookUp(lookUp, context.clock, context.signal)
  const expressions = createExpressions(patient, ({ expression, text }) => warnings.ofExpression(expression, text))
  for (const { family, element, index } of sourcesOf(spec, families).here) {
    try {
      for await (const batch of family.read(element, context)) {
        context.signal.throwIfAborted()
        const found = await normalise(batch.items, { rules: element, common: spec, expressions, masking })
        warnings.add([...batch.warnings, ...found.warnings])
        warnings.add(found.items.map((item) => plan.add(item)).filter((warning) => warning !== null))
        requireBounds(plan)
      }
    } catch (error) {
      context.signal.throwIfAborted()
      if (!(error instanceof SourceFault)) throw error
      warnings.add([{ source: `${family.name}.${index}`, message: error.message, hidesItems: true }])
    }
  }
  return { plan, masking, ...warnings.end() }
}

/** @throws SourceFault */
function requireBounds(plan: Plan): void {
  if (plan.items.size > MAX_ITEMS) throw new SourceFault(`more than ${MAX_ITEMS} items`)
  if (plan.size() > MAX_CHARACTERS) throw new SourceFault('more than 256 MB of documents in one run')
}

function createWarnings(masking: Masking) {
  const warnings: SourceWarning[] = []
  const byExpression = new Map<string, { text: string; count: number }>()
  let isComplete = true
  return {
    add: (more: readonly SourceWarning[]): void => {
      for (const warning of more) {
        if (warning.hidesItems) isComplete = false
        if (warnings.length < MAX_WARNINGS) warnings.push({ ...warning, message: masking.text(warning.message) })
      }
    },
    ofExpression: (expression: string, text: string): void => {
      const known = byExpression.get(expression)
      if (known) known.count += 1
      else if (byExpression.size < MAX_WARNINGS) byExpression.set(expression, { text, count: 1 })
    },
    end: () => {
      const failed = [...byExpression].map(([expression, { text, count }]) => ({
        source: expression,
        message: masking.text(`${text} (${count === 1 ? 'one item' : `${count} items`})`),
        hidesItems: false,
      }))
      return { warnings: [...warnings, ...failed], isComplete }
    },
  }
}
