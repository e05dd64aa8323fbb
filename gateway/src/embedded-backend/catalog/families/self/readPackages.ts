// The parts of the product and the packages they need, as npm wrote down what it installed.
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { ownValue } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { INSTALLATION_ID, type SelfInsight, type SelfItem } from './selfItem.ts'

const NamesSchema = z.record(z.string(), z.string()).default({})
const EntrySchema = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  license: z.string().optional(),
  deprecated: z.string().optional(),
  dev: z.boolean().default(false),
  link: z.boolean().default(false),
  resolved: z.string().optional(),
  dependencies: NamesSchema,
  optionalDependencies: NamesSchema,
})
type Entry = z.output<typeof EntrySchema>

export const LockSchema = z.object({ name: z.string(), packages: z.record(z.string(), EntrySchema) })
export type Lock = z.output<typeof LockSchema>

const FOLDER = 'node_modules/'
/** Written by npm beside what it installed; holds what is there, not what was asked for. */
const LOCK = join('node_modules', '.package-lock.json')
const MAX_PACKAGES = 5_000
/** Whoever passes on a program that holds one of these owes its source, or may not pass it on. */
const COPYLEFT = /\b(?:A?GPL|SSPL|BUSL|EUPL|OSL)\b/

/** What is installed does not change while it runs, so the file is read again only when it was written anew. */
export function createPackageReader(from = import.meta.dirname): () => Promise<SelfItem[]> {
  let known: { readonly key: string; readonly items: SelfItem[] } | null = null
  return async () => {
    const found = await findLock(from)
    if (found === null) return []
    if (known?.key !== found.key) {
      const lock = LockSchema.safeParse(JSON.parse(await readFile(found.path, 'utf8')))
      known = { key: found.key, items: lock.success ? toPackages(lock.data) : [] }
    }
    return known.items
  }
}

/** The nearest one above; the sources lie at another depth than the bundle. */
async function findLock(folder: string): Promise<{ path: string; key: string } | null> {
  const path = join(folder, LOCK)
  const found = await stat(path).catch(() => null)
  if (found) return { path, key: `${path} ${found.mtimeMs} ${found.size}` }
  const above = dirname(folder)
  return above === folder ? null : findLock(above)
}

/** What runs in production: parts of the product, and below each the packages that it names itself or that those need. */
export function toPackages({ name, packages }: Lock): SelfItem[] {
  const needed = Object.entries(packages).filter(([path, { dev, link }]) => !dev && !link && path !== '')
  const parts = needed.filter(([path]) => !path.includes(FOLDER))
  const paths = new Set(needed.map(([path]) => path))
  const targetOf = (from: string, wanted: string): string | null => {
    const path = resolve(packages, from, wanted)
    return path !== null && paths.has(path) ? path : null
  }
  const holders = new Map<string, string>()
  for (const [part, entry] of parts) {
    for (const wanted of namesIn(entry)) {
      const path = targetOf(part, wanted)
      if (path?.includes(FOLDER) && !holders.has(path)) holders.set(path, part)
    }
  }
  const root: SelfItem = {
    id: 'packages',
    name,
    type: 'NodeJS::Application',
    class: 'Application',
    parent: INSTALLATION_ID,
    config: { parts: parts.map(([, entry]) => entry.name ?? '').toSorted() },
  }
  const toItem = ([path, entry]: [string, Entry]): SelfItem => {
    const isPart = !path.includes(FOLDER)
    const holder = holders.get(path)
    return {
      id: idOf(path),
      name: entry.name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length),
      type: isPart ? 'NodeJS::Workspace' : 'NodeJS::Package',
      class: isPart ? 'Application' : 'Package',
      parent: isPart || holder === undefined ? root.id : idOf(holder),
      config: { version: entry.version ?? null, license: entry.license ?? null, ...(!isPart && { path }) },
      relationships: namesIn(entry).flatMap((wanted) => {
        const target = targetOf(path, wanted)
        return target === null || holders.get(target) === path ? [] : [{ id: idOf(target), relation: 'DependsOn' }]
      }),
      insights: isPart ? [] : judge(entry),
    }
  }
  return [root, ...needed.slice(0, MAX_PACKAGES).map(toItem)]
}

const idOf = (path: string): string => `package/${path}`
const namesIn = (entry: Entry): string[] => Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })

/** As Node looks for a package: in the folders on the way up. A link stands for a part of the product. */
function resolve(packages: Lock['packages'], from: string, wanted: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}${FOLDER}${wanted}`
    const found = ownValue(packages, path)
    if (found) return found.link ? (found.resolved ?? null) : path
    if (folder === '') return null
  }
}

function judge({ license, deprecated }: Entry): SelfInsight[] {
  const found: SelfInsight[] = []
  if (license === undefined) found.push(UNLICENSED)
  // Where there is a choice, it is ours.
  else if (license.split(/\bOR\b/).every((choice) => COPYLEFT.test(choice))) found.push(toCopyleft(license))
  if (deprecated !== undefined) found.push(toDeprecated(deprecated))
  return found
}

const UNLICENSED: SelfInsight = {
  analyzer: 'package-license',
  type: 'compliance',
  severity: 'low',
  summary: 'This package does not say under which license it may be used',
  message: 'Its manifest names no license. Look at its repository, or ask its authors.',
}

const toCopyleft = (license: string): SelfInsight => ({
  analyzer: 'package-license',
  type: 'compliance',
  severity: 'high',
  summary: `This package is licensed under ${license}`,
  message: 'Whoever passes on what contains it has duties that other packages of this product do not bring.',
})

const toDeprecated = (words: string): SelfInsight => ({
  analyzer: 'package-deprecated',
  type: 'technical_debt',
  severity: 'medium',
  summary: 'The authors of this package advise against using it',
  message: words,
})
