import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Repository root, with a trailing slash. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP']

/** Runs a command with our own terminal. Resolves with its exit code; a signal counts as 1. What asks us to stop, stops it. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options })
    const passOn = (signal) => child.kill(signal)
    for (const signal of STOP_SIGNALS) process.on(signal, passOn)
    const settle = (done, value) => {
      for (const signal of STOP_SIGNALS) process.off(signal, passOn)
      done(value)
    }
    child.once('error', (error) => settle(reject, error))
    child.once('exit', (code) => settle(resolve, code ?? 1))
  })
}

/** Runs a tool that `npm ci` put into node_modules. */
export function runTool(name, args, options = {}) {
  return run(process.execPath, [toolPath(name), ...args], options)
}

const TOOLS = {
  knip: 'knip/bin/knip.js',
  oxfmt: 'oxfmt/bin/oxfmt',
  oxlint: 'oxlint/bin/oxlint',
  playwright: 'playwright/cli.js',
  tsc: 'typescript/bin/tsc',
  tsx: 'tsx/dist/cli.mjs',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
}

function toolPath(name) {
  const path = TOOLS[name]
  if (!path) throw new Error(`no such tool: ${name}`)
  return `${ROOT}node_modules/${path}`
}

/** Ends the program with one sentence and no stack trace. */
export function fail(message, code = 1) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}
