// Before the first file: the programs of the gateway, as `npm start` runs them. A process of the build is listening in a third
// of the time that one of the sources takes.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import type { TestProject } from 'vitest/node'

import { BUILT_VARIABLE } from '../programs.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export function setup(project: TestProject): void {
  build()
  process.env[BUILT_VARIABLE] = 'yes'
  project.onTestsRerun(build)
}

function build(): void {
  const { status } = spawnSync(process.execPath, [`${ROOT}scripts/build.mjs`, '--gateway'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the gateway could not be built')
}
