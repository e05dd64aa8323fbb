import { ScraperSpecSchema } from '@watchroom/shared/specs'

import { REQUIRED_TEXT } from '../../ui/form/rules.ts'

/** What keeps a spec from being saved, by the dotted path of its place. What is missing is said only once saving was tried. */
export function findScraperFaults(spec: unknown, wasTried: boolean): ReadonlyMap<string, string> {
  const issues = ScraperSpecSchema.safeParse(spec).error?.issues ?? []
  const faults = new Map<string, string>()
  for (const issue of issues) {
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    const message = issue.code === 'unrecognized_keys' ? 'is not known' : issue.message
    for (const path of paths) {
      const place = path.map(String).join('.')
      if (!faults.has(place) && (wasTried || message !== REQUIRED_TEXT)) faults.set(place, message)
    }
  }
  return faults
}
