import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

import { fail, ROOT } from './process.mjs'

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/**
 * Path of what the browser tests run in: the one named by WATCHROOM_CHROMIUM, Debian's build of Chromium without a window
 * (the same engine for three fifths of the processor's time), which root gets installed, or else any Chromium.
 */
export async function ensureTestBrowser() {
  if (process.env.WATCHROOM_CHROMIUM) return ensureChromium()
  if (!existsSync(HEADLESS_SHELL) && isRootOnDebian()) installPackage('chromium-headless-shell')
  return existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : ensureChromium()
}

/**
 * Path of a Chromium as people use it: the one named by WATCHROOM_CHROMIUM, Playwright's own, the system's, or one
 * that is installed now (Playwright's download, or apt as root on Debian).
 */
export async function ensureChromium() {
  const named = process.env.WATCHROOM_CHROMIUM
  if (named) return existsSync(named) ? named : fail(`WATCHROOM_CHROMIUM names ${named}, which does not exist.`)
  const found = await findChromium()
  if (found) return found
  process.stdout.write('No Chromium found; trying to install one …\n')
  spawnSync(process.execPath, [`${ROOT}node_modules/playwright/cli.js`, 'install', 'chromium'], {
    stdio: 'ignore',
    timeout: 300_000,
  })
  const downloaded = await findChromium()
  if (downloaded) return downloaded
  if (isRootOnDebian()) installPackage('chromium')
  return (
    (await findChromium()) ??
    fail(
      'The browser tests need a Chromium and none could be found or installed. Either set WATCHROOM_CHROMIUM to the path of one, ' +
        'or run "npx playwright install chromium", or install the package "chromium" of your system.',
    )
  )
}

async function findChromium() {
  const { chromium } = await import('playwright')
  const own = chromium.executablePath()
  if (own && existsSync(own)) return own
  return SYSTEM_BROWSERS.find((path) => existsSync(path))
}

/** Without a network, and where Debian has no such package, nothing happens. */
function installPackage(name) {
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  try {
    execFileSync('apt-get', ['update', '-qq'], options)
    execFileSync('apt-get', ['install', '-y', '-qq', name], options)
  } catch {
    // Whoever needs it says what the user can do; apt's own words would only hide that.
  }
}

function isRootOnDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false
  return /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'))
}
