// Completes the list of licenses that Vite writes: it knows the packages of its own bundle alone.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from '../process.mjs'

/** Notes which modules workers are made of: each is a bundle of its own, which Vite's list leaves out. */
export function createWorkerModules() {
  const ids = new Set()
  const plugin = {
    name: 'watchroom:worker-modules',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') for (const id of output.moduleIds) ids.add(id)
      }
    },
  }
  return { ids, plugin }
}

/**
 * @param file the list, which is written anew
 * @param folders of packages whose code is in the build although Vite's bundle imports none of their files
 * @param notices files with the licenses of code that packages, or we, have copied
 */
export function completeLicenses(file, folders, notices) {
  let list = readFileSync(file, 'utf8')
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const heading = `## ${name} - ${version} (${license})`
    if (!list.includes(`\n${heading}\n`)) list += `\n${heading}\n${readLicense(folder)}`
  }
  for (const notice of notices) list += `\n${readFileSync(notice, 'utf8').trim()}\n`
  writeFileSync(file, list)
}

/** Of the packages that these modules are part of, in the order of their paths. */
export function packageFolders(moduleIds) {
  const folders = [...moduleIds].flatMap(
    (id) => /^(?!\0).*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? [],
  )
  return [...new Set(folders)].toSorted()
}

export const installedPackage = (name) => `${ROOT}node_modules/${name}`

/** A few packages only name their license, as Vite's list does then. */
function readLicense(folder) {
  const name = readdirSync(folder).find((file) => /^(?:licen[cs]e|copying)/i.test(file))
  return name === undefined ? '' : `\n${readFileSync(join(folder, name), 'utf8').trim()}\n`
}
