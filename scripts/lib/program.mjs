import { isBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { ROOT, run } from './process.mjs'
import { withoutSecrets } from './secrets.mjs'

/** Installs and builds what is missing, then turns this process into a program of gateway/dist. */
export async function becomeProgram(name) {
  const parent = process.ppid
  await ensureInstalled()
  if (!isBuilt()) {
    // In a process of its own: the bundler would stay in the memory of this one.
    const code = await run(process.execPath, [`${ROOT}scripts/build.mjs`], { env: withoutSecrets() })
    if (code !== 0) process.exit(code)
  }
  // Whoever started us has ended meanwhile: the program itself only notices what ends after it began.
  if (process.ppid !== parent) process.exit(1)
  process.setSourceMapsEnabled(true)
  await import(`${ROOT}gateway/dist/${name}`)
}
