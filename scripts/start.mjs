// `npm start`: makes a fresh clone ready (install, build) and becomes the gateway. No process stands between the terminal and
// it: signals and exit codes are the gateway's own, and its environment is handed to nobody.
import { becomeProgram } from './lib/program.mjs'

await becomeProgram('main.js')
